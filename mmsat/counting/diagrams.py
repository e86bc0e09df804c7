"""Decision diagrams of the kernel: count the codes of a board, and rank any number of codes.

**Counting.** With lies, counts within a budget of violations are sums of counts without a budget
(inclusion-exclusion over soft rows).

Let each relaxed row i have a slack a_i and let N(a) be the number of codes that violate each row i
by at most a_i. These are the codes of a system without a budget. Row i has the weight w_i, w·a is
the sum of w_i a_i, and 1_S is 1 for the rows in S and 0 for all others. Then the number of codes
within a budget L is

    sum of c(a) N(a) over all a with w·a <= L,
    c(a) = sum of (-1)^|S| over all sets S of rows with w·(a + 1_S) <= L

because a code that violates row i by d_i is counted in all terms with a >= d. The coefficients c of
these terms add up to 1 if w·d is at most L, and to 0 otherwise. A slack need not exceed the maximum
violation of its row, so S has only rows whose slack is below this maximum. For m > L rows of weight
1 with violations of 0 or 1, let H(T) be the number of codes that satisfy all rows in T. Then the
number of codes within the budget is

    sum over k = m - L .. m of (-1)^(k-m+L) C(k - 1, m - L - 1) sum over |T| = k of H(T).

**Ranking.** A diagram that has the pegs in their own order is walked from state to state. A diagram
with another order is queried at each peg for the number of codes that have the colors chosen so
far.

Codes within a budget of violations are ranked by the diagrams of systems without a budget, whose
counts are added and subtracted by the formula above. The same sum holds for the codes with a given
prefix. Therefore a walk through all diagrams at once counts and ranks the codes.

If there are few codes, a list of them is used instead (`ranking.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from mmsat._core import Counter, Diagram, Stage
from mmsat._util.text import quantity
from mmsat.constraints import SoftRow, System, simplify_tolerance, suits
from mmsat.constraints.presolve_steps import on_systems, simplify_two_colors
from mmsat.counting import CountBounds
from mmsat.counting.count import MEMORY, QUICK_MEMORY, CountTask, says_nothing
from mmsat.counting.layout import UnsuitedError, layouts
from mmsat.counting.listing import codes_after, list_codes, verify_codes
from mmsat.counting.ranking import FreeRanking, ListRanking, Ranking, Walk, WalkRanking
from mmsat.errors import RECOVERABLE_ERRORS, SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.limits import LIMITS
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, stream
from mmsat.solving.searches import SlicedSearch

if TYPE_CHECKING:
    from mmsat.counting.layout import Layout


MAX_TERMS = 5000
"""Maximum number of terms that are counted one by one."""


class Term(NamedTuple):
    """A system whose number of codes is multiplied by `times`, which may be negative."""

    times: int
    system: System
    board: Board | None = None
    """The board with the rows of the system, if the algebra of two colors counts it; else None."""

    def simplify(self) -> list[System]:
        """Return systems that partition the codes of this term.

        If `board` is set, the algebra of two colors makes them; otherwise it is the system alone.
        """
        if self.board is None:
            return [self.system]
        return simplify_two_colors(self.board)


def terms(board: Board, system: System) -> list[Term]:
    """Return the terms of a board's system: a single one if the budget is 0.

    Raises UnsuitedError if there are too many.
    """
    all_terms = list(islice(_terms(board, system), MAX_TERMS + 1))
    if len(all_terms) > MAX_TERMS:
        lies = f"{quantity(system.budget, 'lie')} in {quantity(len(board.rows), 'row')}"
        raise UnsuitedError(f"{lies} would require counting more than {MAX_TERMS:,} boards")
    return all_terms


def _terms(board: Board, system: System) -> Iterator[Term]:
    """Yield the terms whose coefficient is not 0."""
    has_algebra = board.game.pegs > LIMITS.algebra_pegs and suits(board)
    enforced, relaxed = system.enforced, system.relaxed
    for slacks, remaining_budget in _slacks(relaxed, system.budget):
        times = _coefficient(relaxed, slacks, remaining_budget)
        if not times:
            continue
        pairs = list(zip(relaxed, slacks, strict=True))
        groups = [row.constraints for row in enforced] + [row.relax(slack) for row, slack in pairs]
        term_board = None
        if has_algebra and all(slack in (0, row.max_violation) for row, slack in pairs):
            rows = enforced + [row for row, slack in pairs if slack < row.max_violation]
            term_board = board.only([row.rows[0] for row in rows])
        yield Term(times, system.with_rows(group for group in groups if group), term_board)


def _slacks(rows: Sequence[SoftRow], budget: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the slacks of the rows that a budget allows, each with the remaining budget."""
    if not rows:
        yield (), budget
        return
    row, *others = rows
    for slack in range(min(budget // row.weight, row.max_violation) + 1):
        for slacks, remaining_budget in _slacks(others, budget - slack * row.weight):
            yield (slack, *slacks), remaining_budget


def _coefficient(rows: Sequence[SoftRow], slacks: Sequence[int], budget: int) -> int:
    """Return the coefficient of a term.

    This is the sum of (-1)^|S| over the sets S of rows below their maximum violation whose total
    weight is at most `budget`, the remaining budget.
    """
    # signs[cost] is the sum of (-1)^|S| over the sets S with this total weight
    signs = [1] + [0] * budget
    for row, slack in zip(rows, slacks, strict=True):
        if slack < row.max_violation:
            for cost in range(budget, row.weight - 1, -1):
                signs[cost] -= signs[cost - row.weight]
    return sum(signs)


WORK_PER_REPORT = 1 << 21
"""Entries of lists that are processed between two reports: some hundredths of a second."""
WORK_PER_TERM = 1 << 17
"""Work charged for each finished term of a sum, in addition to WORK_PER_REPORT for each report."""


def count_by_diagram(
    system: System, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield pairs of the known bounds and None, and at the end a pair of the bounds and the count.

    If `work` (None: unlimited) does not suffice, the count is never yielded. Raises MemoryError if
    more than `memory` bytes are needed, and OverflowError or UnsuitedError if there is no diagram.
    """
    all_terms = terms(board, system)
    if system.budget:
        yield from _add_up(all_terms, board, memory, work)
    else:
        yield from _count(all_terms[0], board, memory, work)


def _add_up(
    terms: list[Term], board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of a sum of terms, and the sum at the end.

    Before that there are no bounds other than the size of the game, because some terms are
    subtracted.
    """
    total, game = 0, board.game
    for number, term in enumerate(terms, 1):
        for bounds, code_count in _count(term, board, memory, work):
            doing = f"{number:,} of {len(terms):,} boards without lies: {bounds.doing}"
            if code_count is None:
                work = None if work is None else work - WORK_PER_REPORT
                yield CountBounds(0, game.size, doing, (number - 1) / len(terms)), None
            else:
                work = None if work is None else work - WORK_PER_TERM
                total += term.times * code_count
                yield CountBounds(0, game.size, doing), total if number == len(terms) else None
        if work is not None and work <= 0:
            return


def _count(
    term: Term, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of one term, and its number of codes at the end."""
    game = board.game
    if not term.system.soft:
        size = game.size - len(board.known)
        yield CountBounds(size, size, "all codes of the game"), size
        return
    parts = list(layouts(term.simplify(), in_order=False))
    done = spent = 0
    peak = states = nodes = 0
    for number, layout in enumerate(parts):
        counter = Counter(*layout.arguments, memory)
        # Upper bounds of the layouts that are not counted yet.
        remaining_bound = sum(1 << other.bits for other in parts[number + 1 :])
        while not counter.advance(WORK_PER_REPORT):
            spent += WORK_PER_REPORT
            stage = counter.stage
            bound = int.from_bytes(stage.most, "little") if stage.most else 1 << layout.bits
            yield (
                CountBounds(
                    done,
                    min(done + bound + remaining_bound, game.size),
                    describe_stage(stage, layout.order),
                    (number + stage.pegs_done / len(layout.order)) / len(parts),
                ),
                None,
            )
            if work is not None and spent >= work:
                return
        stage = counter.stage
        peak, states = max(peak, stage.peak_bytes), max(states, stage.states)
        nodes += stage.nodes
        done += int.from_bytes(counter.count, "little")
    summary = (
        f"the complete diagram has {nodes:,} histograms and {states:,} states, {peak >> 20:,} MiB"
    )
    if len(parts) != 1:
        summary += f", in {len(parts)} parts"
    yield CountBounds(done, done, summary), done


def describe_stage(stage: Stage, order: tuple[int, ...]) -> str:
    """Return the progress of a diagram as text."""
    return (
        f"diagram: peg {stage.pegs_done} of {len(order)}, {stage.nodes:,} histograms, "
        f"{stage.states:,} states, {stage.peak_bytes >> 20:,} MiB"
    )


WORK_PER_STEP = 1 << 22
"""Entries of lists that are processed between two checks for Ctrl-C: a fraction of a second."""
Place = tuple[int, int]
"""A state of the diagram at a peg: a node, and the index of the state in this node."""


class DiagramRanking(WalkRanking):
    """The ranking of the codes of a layout."""

    def __init__(self, game: Game, layout: Layout, memory: int) -> None:
        """Build the diagram.

        Raises MemoryError if it needs more than `memory` bytes, and OverflowError if it is too
        wide.
        """
        self.game = game
        self.layout = layout
        self.diagram = Diagram(*layout.arguments, memory)
        while not self.diagram.advance(WORK_PER_STEP):
            pass
        self.position = {peg: place for place, peg in enumerate(layout.order)}
        # a cache of `draw`: the successors of visited states
        self.known: dict[tuple[int, Place], list[tuple[int, Place, int]]] = {}

    @cached_property
    def count(self) -> int:
        """The number of codes in the diagram."""
        return whole(self.diagram.count)

    @property
    def bytes(self) -> int:
        """The peak memory while the diagram was built."""
        return self.diagram.stage.peak_bytes

    def start(self) -> Walk:
        """Return the empty prefix.

        The walk goes from state to state if the diagram has the order of the pegs.
        """
        return _InOrder(self, (), (0, 0)) if self.layout.is_in_order else _AnyOrder(self, ())

    def table(self) -> list[list[int]]:
        """Return for each peg and color the number of codes that have the color there."""
        colors = range(self.game.colors)
        return [[row.get(color, 0) for color in colors] for row in self.profile()]

    def colors(self, label: int, used: Sequence[int]) -> Sequence[int]:
        """Return the colors of a label that can extend a code with the colors `used`."""
        colors = self.layout.color_classes[label]
        if not self.layout.single_use[label]:
            return colors
        return [color for color in colors if color not in used]

    def options(
        self, place: int, state: Place, used: Sequence[int]
    ) -> dict[int, tuple[Place, int]]:
        """Return, by color, the successor of a state and the number of codes through it."""
        successors = {}
        for label, node, index, ways in self.diagram.options(place, *state):
            for color in self.colors(label, used):
                successors[color] = ((node, index), whole(ways))
        return successors

    def draw(self, number: int) -> Code:
        """Return the code of a number, in the order of the diagram.

        The successors of the visited states are cached for further codes.
        """
        code = [0] * len(self.layout.order)
        used: list[int] = []
        state = (0, 0)
        for place, peg in enumerate(self.layout.order):
            branches = self.known.get((place, state))
            if branches is None:
                options = self.diagram.options(place, *state)
                branches = [(label, (node, i), whole(ways)) for label, node, i, ways in options]
                self.known[place, state] = branches
            for label, after, ways in branches:
                colors = self.colors(label, used)
                code_count = ways * len(colors)
                if number < code_count:
                    state = after
                    break
                number -= code_count
            color_index, number = divmod(number, ways)
            code[peg] = colors[color_index]
            used.append(code[peg])
        return tuple(code)

    def profile(self, code: Sequence[int] = ()) -> list[dict[int, int]]:
        """Return for each peg, by color, the number of codes that have the color there.

        Only codes with the prefix `code` are counted.
        """
        label_of = {
            c: label for label, colors in enumerate(self.layout.color_classes) for c in colors
        }
        pegs, labels = len(self.layout.order), len(self.layout.color_classes)
        fixed = [-1] * pegs
        for peg, color in enumerate(code):
            if color not in label_of:  # no code has this color at any peg
                return [{} for _ in range(pegs)]
            fixed[self.position[peg]] = label_of[color]
        ways_of = self.diagram.profile(fixed)
        table: list[dict[int, int]] = []
        for peg in range(pegs):
            place = self.position[peg]
            row = {}
            for label in range(labels):
                ways = whole(ways_of[place * labels + label])
                if ways and peg < len(code):
                    row[code[peg]] = ways
                elif ways:
                    colors = self.colors(label, code)  # all have the same number of codes
                    row.update(dict.fromkeys(colors, ways // len(colors)))
            table.append(row)
        return table


def whole(number: bytes) -> int:
    """Return a number that the kernel encoded in bytes."""
    return int.from_bytes(number, "little")


class _InOrder(Walk):
    """A state of a diagram whose order is that of the pegs."""

    def __init__(self, part: DiagramRanking, code: Code, state: Place) -> None:
        self.part = part
        self.code = code
        self.state = state

    @cached_property
    def options(self) -> dict[int, tuple[Place, int]]:
        options = self.part.options(len(self.code), self.state, self.code)
        return dict(sorted(options.items()))

    def ways(self) -> Mapping[int, int]:
        return {color: ways for color, (_, ways) in self.options.items()}

    def step(self, color: int) -> Walk:
        return _InOrder(self.part, (*self.code, color), self.options[color][0])


class _AnyOrder(Walk):
    """A prefix in a diagram with another order than that of the pegs."""

    def __init__(self, part: DiagramRanking, code: Code) -> None:
        self.part = part
        self.code = code

    @cached_property
    def next(self) -> dict[int, int]:
        return dict(sorted(self.part.profile(self.code)[len(self.code)].items()))

    def ways(self) -> Mapping[int, int]:
        return self.next

    def step(self, color: int) -> Walk:
        return _AnyOrder(self.part, (*self.code, color))


LISTING_SLICES = 4
"""Number of slices of brute force that are tried to list all codes: some ten milliseconds."""
MAX_QUICK_CODES = 20_000
"""Maximum number of codes that are listed by brute force, or by SAT before a diagram gets the whole
memory."""
SAT_LISTING_SECONDS = 20.0
"""Time limit in seconds for listing the codes by SAT."""


def select_ranking(
    board: Board, memory: int = MEMORY, tolerance: Tolerance = STRICT, *, may_search: bool = True
) -> Ranking:
    """Return the ranking of a board; raises SizeError if there are too many codes for any.

    With `may_search` False, brute force is not tried first: it is known to take long.
    """
    table = board.game.space.table()
    if table is not None:
        return ListRanking(board.game, [code for code in table if tolerance.allows(board, code)])
    board, tolerance = simplify_tolerance(board, tolerance)
    if not tolerance.lies and says_nothing(board):
        return FreeRanking(board.game)
    system = System.of(board, tolerance)
    found_codes = by_search(system) if may_search and not is_large(board) else None
    if found_codes is not None:
        return ListRanking(board.game, found_codes)
    reason = ""
    for allowed in sorted({min(memory, QUICK_MEMORY), memory}):
        try:
            return build_ranking(board, system, allowed)
        except UnsuitedError as error:
            reason = str(error)
            break
        except (MemoryError, OverflowError):
            reason = f"the diagram needs more than {allowed >> 20:,} MiB"
        sat_codes = None if has_many_codes(board, tolerance) else by_sat(board, tolerance)
        if sat_codes is not None:
            return ListRanking(board.game, sat_codes)
    max_codes = LIMITS.listed_codes
    codes = list(islice(list_codes(board, Deadline(), tolerance=tolerance), max_codes + 1))
    if len(codes) > max_codes:
        raise SizeError(
            f"{reason}, and there are more than {max_codes:,} codes; iterate over them instead"
        )
    return ListRanking(board.game, codes)


def has_many_codes(board: Board, tolerance: Tolerance) -> bool:
    """Return whether a quick count shows more codes than SAT would list."""
    counting = CountTask(
        board, tolerance, Deadline(), QUICK_MEMORY, lambda _: None, stages=("quick diagram",)
    )
    try:
        return counting.count("auto").count > MAX_QUICK_CODES
    except SizeError:
        return False


def by_sat(board: Board, tolerance: Tolerance) -> Sequence[Code] | None:
    """Return all codes in order, or None if SAT does not find them in time or finds too many."""
    listing: Iterator[Code]
    listing = stream(Deadline(SAT_LISTING_SECONDS), on_systems, codes_after, board, tolerance, None)
    try:
        codes = list(islice(listing, MAX_QUICK_CODES + 1))
    except (TimeUpError, *RECOVERABLE_ERRORS):
        return None
    return verify_codes(board, codes, tolerance) if len(codes) <= MAX_QUICK_CODES else None


def by_search(system: System) -> list[Code] | None:
    """Return all codes in order, or None if brute force does not find them quickly."""
    search = SlicedSearch(system, slices=LISTING_SLICES)
    codes = list(islice(search, MAX_QUICK_CODES))
    return codes if search.is_exhausted else None


def build_ranking(board: Board, system: System, memory: int) -> WalkRanking:
    """Return the ranking by the diagrams of a board's system, which share the memory.

    Raises MemoryError, OverflowError or UnsuitedError if that is impossible.
    """
    parts: list[tuple[int, WalkRanking]] = []
    for term in terms(board, system):
        rankings = build_parts(board, term, memory)
        memory -= sum(part.bytes for part in rankings)
        parts += [(term.times, part) for part in rankings]
    if not system.budget and len(parts) == 1:
        return parts[0][1]
    return InclusionExclusion(board.game, parts)


def build_parts(board: Board, term: Term, memory: int) -> Sequence[WalkRanking]:
    """Return the diagrams of a term: one, or for two colors one per weight. Each code is in one."""
    game, system = board.game, term.system
    if not (system.soft or board.known) and system.table is None:
        return [FreeRanking(game)]
    systems = term.simplify()
    # Diagrams in the order of the pegs are faster to walk, but may not fit in memory.
    try:
        parts = [DiagramRanking(game, plan, memory) for plan in layouts(systems, in_order=None)]
    except MemoryError:
        parts = [DiagramRanking(game, plan, memory) for plan in layouts(systems, in_order=False)]
    return [part for part in parts if part.count]


class InclusionExclusion(WalkRanking):
    """The ranking of a signed sum of rankings."""

    def __init__(self, game: Game, parts: Sequence[tuple[int, WalkRanking]]) -> None:
        """Store the rankings with their coefficients, which may be negative."""
        self.game = game
        self.parts = parts

    @cached_property
    def count(self) -> int:
        """The sum over all terms."""
        return sum(times * part.count for times, part in self.parts)

    def start(self) -> Walk:
        """Return a walk through all diagrams at once."""
        return _SumWalk([(times, part.start()) for times, part in self.parts])

    def table(self) -> list[list[int]]:
        """Return the sum of the tables of all terms."""
        table = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for times, part in self.parts:
            for peg, row in enumerate(part.table()):
                for color, ways in enumerate(row):
                    table[peg][color] += times * ways
        return table

    def draw(self, number: int) -> Code:
        """Draw from a single diagram, which costs one walk, if nothing is subtracted."""
        if any(times != 1 for times, _ in self.parts):
            return self.unrank(number)
        for _, part in self.parts:
            if number < part.count:
                return part.draw(number)
            number -= part.count
        raise IndexError("the number of the code is out of range")


class _SumWalk(Walk):
    """The walks of all terms that have codes with this prefix."""

    def __init__(self, walks: Sequence[tuple[int, Walk]]) -> None:
        self.walks = walks

    @cached_property
    def sums(self) -> dict[int, int]:
        sums: dict[int, int] = {}
        for times, walk in self.walks:
            for color, ways in walk.ways().items():
                sums[color] = sums.get(color, 0) + times * ways
        return {color: ways for color, ways in sorted(sums.items()) if ways}

    def ways(self) -> Mapping[int, int]:
        return self.sums

    def step(self, color: int) -> Walk:
        return _SumWalk(
            [(times, walk.step(color)) for times, walk in self.walks if color in walk.ways()]
        )
