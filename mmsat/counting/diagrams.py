"""Decision diagrams of the kernel: count the codes of a board, and rank them without listing them.

Ranking includes finding the code with a given rank, sampling, and the odds of the colors of pegs.

**Counting.** If rows may be violated within a budget, the number of codes is a signed sum of
numbers of codes without a budget (inclusion-exclusion over soft rows).

Let each relaxed row i have a slack a_i and let N(a) be the number of codes that violate each row i
by at most a_i. These are the codes of a system without a budget. Row i has the weight w_i, w·a is
the sum of w_i a_i, and 1_S is 1 for the rows in S and 0 for all others. Then the number of codes
within a budget L is

    sum of c(a) N(a) over all a with w·a <= L,
    c(a) = sum of (-1)^|S| over all sets S of rows with w·(a + 1_S) <= L

because a code that violates row i by d_i for each i is counted in all terms with a >= d. The
coefficients c of these terms add up to 1 if w·d is at most L, and to 0 otherwise. A slack need not
exceed the maximum violation of its row, so S has only rows whose slack is below this maximum. For m
> L rows of weight 1 with violations of 0 or 1, let H(T) be the number of codes that satisfy all
rows in T. Then the number of codes within the budget is

    sum over k = m - L .. m of (-1)^(k-m+L) C(k - 1, m - L - 1) sum over |T| = k of H(T).

**Ranking.** The rank of a code follows from the numbers of codes with each of its prefixes. If a
diagram has the pegs in their own order, a walk from state to state yields these numbers. A diagram
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

from mmsat._core import Counter, CountProgress, Diagram
from mmsat._util.text import binary_size, quantity
from mmsat.constraints import SoftRow, System, is_linear_board, simplify_tolerance
from mmsat.constraints.presolve_steps import apply_to_systems
from mmsat.constraints.two_colors import simplify_two_colors
from mmsat.counting import CountBounds
from mmsat.counting.count import MEMORY, QUICK_MEMORY, CountTask, has_no_information
from mmsat.counting.layout import UnsuitedError, layouts
from mmsat.counting.listing import codes_after, list_codes, verify_codes
from mmsat.counting.ranking import AllCodesRanking, CodePrefix, ListRanking, PrefixRanking, Ranking
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
"""Maximum number of terms of a sum. Each of them needs a separate diagram."""


class Term(NamedTuple):
    """A term of the sum: the number of codes of a system, times a coefficient."""

    coefficient: int
    """Positive or negative, but not 0."""
    system: System
    board: Board | None = None
    """The board with the rows of the system, if the algebra of two colors counts it; else None."""

    def simplify(self) -> list[System]:
        """Return systems that partition the codes of this term.

        If `board` is set, the algebra of two colors makes one system for each possible number of
        pegs of the second color. Otherwise, the result is the system alone.
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
    has_algebra = board.game.pegs > LIMITS.algebra_pegs and is_linear_board(board)
    enforced, relaxed = system.enforced, system.relaxed
    for slacks, remaining_budget in _slacks(relaxed, system.budget):
        coefficient = _coefficient(relaxed, slacks, remaining_budget)
        if not coefficient:
            continue
        pairs = list(zip(relaxed, slacks, strict=True))
        groups = [row.constraints for row in enforced] + [row.relax(slack) for row, slack in pairs]
        term_board = None
        # If each row either holds or has its maximum violation, the rows that hold are a board.
        if has_algebra and all(slack in (0, row.max_violation) for row, slack in pairs):
            rows = enforced + [row for row, slack in pairs if slack < row.max_violation]
            # Equal rows of the board are one soft row, so the first of them is enough.
            term_board = board.only([row.row_indices[0] for row in rows])
        yield Term(coefficient, system.with_rows(group for group in groups if group), term_board)


def _slacks(rows: Sequence[SoftRow], budget: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the slacks of the rows that a budget allows, each with the remaining budget."""
    if not rows:
        yield (), budget
        return
    row, *further_rows = rows
    for slack in range(min(budget // row.weight, row.max_violation) + 1):
        for slacks, remaining_budget in _slacks(further_rows, budget - slack * row.weight):
            yield (slack, *slacks), remaining_budget


def _coefficient(rows: Sequence[SoftRow], slacks: Sequence[int], budget: int) -> int:
    """Return the coefficient of a term.

    This is the sum of (-1)^|S| over the sets S of rows below their maximum violation whose total
    weight is at most `budget`, the remaining budget.
    """
    # signs[cost] is the sum of (-1)^|S| over the sets S with the total weight `cost`.
    signs = [1] + [0] * budget
    for row, slack in zip(rows, slacks, strict=True):
        if slack < row.max_violation:
            for cost in range(budget, row.weight - 1, -1):
                signs[cost] -= signs[cost - row.weight]
    return sum(signs)


WORK_PER_REPORT = 1 << 21
"""Work, in processed entries of the kernel's lists of states, between two reports: some hundredths
of a second."""
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
        yield from _count_sum(all_terms, board, memory, work)
    else:
        yield from _count_term(all_terms[0], board, memory, work)


def _count_sum(
    terms: list[Term], board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of a sum of terms, and the sum at the end.

    Before the end, the only bounds are 0 and the size of the game, because some terms are
    subtracted.
    """
    total, game = 0, board.game
    for number, term in enumerate(terms, 1):
        for bounds, code_count in _count_term(term, board, memory, work):
            activity = f"{number:,} of {len(terms):,} boards without lies: {bounds.activity}"
            if code_count is None:
                work = None if work is None else work - WORK_PER_REPORT
                yield CountBounds(0, game.size, activity, (number - 1) / len(terms)), None
            else:
                work = None if work is None else work - WORK_PER_TERM
                total += term.coefficient * code_count
                yield CountBounds(0, game.size, activity), total if number == len(terms) else None
        if work is not None and work <= 0:
            return


def _count_term(
    term: Term, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of one term, and its number of codes at the end."""
    game = board.game
    if not term.system.soft:
        size = game.size - len(board.known)
        yield CountBounds(size, size, "all codes of the game"), size
        return
    parts = list(layouts(term.simplify(), in_order=False))
    num_counted = spent_work = 0
    peak = states = nodes = 0
    for number, layout in enumerate(parts):
        counter = Counter(*layout.arguments, memory)
        # Upper bounds of the layouts that are not counted yet.
        remaining_bound = sum(1 << later_layout.bits for later_layout in parts[number + 1 :])
        while not counter.advance(WORK_PER_REPORT):
            spent_work += WORK_PER_REPORT
            progress = counter.progress
            bound = to_int(progress.upper_bound) if progress.upper_bound else 1 << layout.bits
            yield (
                CountBounds(
                    num_counted,
                    min(num_counted + bound + remaining_bound, game.size),
                    describe_progress(progress, layout.order),
                    (number + progress.pegs_done / len(layout.order)) / len(parts),
                ),
                None,
            )
            if work is not None and spent_work >= work:
                return
        progress = counter.progress
        peak, states = max(peak, progress.peak_bytes), max(states, progress.states)
        nodes += progress.nodes
        num_counted += to_int(counter.count)
    summary = (
        f"the complete diagram has {nodes:,} histograms and {states:,} states, {binary_size(peak)}"
    )
    if len(parts) != 1:
        summary += f", in {len(parts)} parts"
    yield CountBounds(num_counted, num_counted, summary), num_counted


def describe_progress(progress: CountProgress, order: tuple[int, ...]) -> str:
    """Return the progress of a diagram as text."""
    return (
        f"diagram: peg {progress.pegs_done} of {len(order)}, {progress.nodes:,} histograms, "
        f"{progress.states:,} states, {binary_size(progress.peak_bytes)}"
    )


WORK_PER_STEP = 1 << 22
"""Work between two checks for Ctrl-C: a fraction of a second."""
State = tuple[int, int]
"""A state of the diagram at a place: the index of a node (a histogram of the labels so far), and
the index of the state in this node. (0, 0) is the start."""


class DiagramRanking(PrefixRanking):
    """The ranking of the codes of a layout.

    A label is a class of colors that no constraint distinguishes, and a place is the index of a peg
    in the order of the diagram (see `layout.py`). Each successor of a state has a code count: the
    number of codes that continue with it, for one color of its label.
    """

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
        self.place_of_peg = {peg: place for place, peg in enumerate(layout.order)}
        # A cache of `draw`: for a place and a state, the successors with labels and code counts.
        self._branches: dict[tuple[int, State], list[tuple[int, State, int]]] = {}

    @cached_property
    def count(self) -> int:
        """The number of codes in the diagram."""
        return to_int(self.diagram.count)

    @property
    def peak_bytes(self) -> int:
        """The peak memory in bytes while the diagram was built."""
        return self.diagram.progress.peak_bytes

    def empty_prefix(self) -> CodePrefix:
        """Return the empty prefix."""
        return _StatePrefix(self, (), (0, 0)) if self.layout.is_in_order else _PlainPrefix(self, ())

    def color_counts(self) -> list[list[int]]:
        """Return for each peg and color the number of codes that have the color there."""
        colors = range(self.game.colors)
        return [[counts.get(color, 0) for color in colors] for counts in self.profile()]

    def colors(self, label: int, used_colors: Sequence[int]) -> Sequence[int]:
        """Return the colors of a label that can extend a code with the colors `used_colors`."""
        colors = self.layout.color_classes[label]
        if not self.layout.single_use[label]:
            return colors
        return [color for color in colors if color not in used_colors]

    def successors(
        self, place: int, state: State, used_colors: Sequence[int]
    ) -> dict[int, tuple[State, int]]:
        """Return, by color, the successor of a state and the number of codes through it."""
        successors = {}
        for label, node, index, code_count in self.diagram.options(place, *state):
            for color in self.colors(label, used_colors):
                successors[color] = ((node, index), to_int(code_count))
        return successors

    def draw(self, number: int) -> Code:
        """Return the code with the index `number` in the order of the diagram, which is not sorted.

        It is faster than `unrank`, and suffices for random codes. The successors of the visited
        states are cached for further codes.
        """
        code = [0] * len(self.layout.order)
        used_colors: list[int] = []
        state = (0, 0)
        for place, peg in enumerate(self.layout.order):
            branches = self._branches.get((place, state))
            if branches is None:
                branches = [
                    (label, (node, index), to_int(encoded_count))
                    for label, node, index, encoded_count in self.diagram.options(place, *state)
                ]
                self._branches[place, state] = branches
            for label, successor, code_count in branches:
                colors = self.colors(label, used_colors)
                if number < code_count * len(colors):
                    state = successor
                    break
                number -= code_count * len(colors)
            # Each color of the label has the same number of codes.
            color_index, number = divmod(number, code_count)
            code[peg] = colors[color_index]
            used_colors.append(code[peg])
        return tuple(code)

    def profile(self, prefix: Sequence[int] = ()) -> list[dict[int, int]]:
        """Return for each peg, by color, the number of codes that have the color there.

        Only codes whose first pegs have the colors of `prefix` are counted.
        """
        label_of = {
            color: label
            for label, colors in enumerate(self.layout.color_classes)
            for color in colors
        }
        pegs, labels = len(self.layout.order), len(self.layout.color_classes)
        fixed_labels = [-1] * pegs  # by place; -1 if the label is open
        for peg, color in enumerate(prefix):
            if color not in label_of:  # no code has this color at any peg
                return [{} for _ in range(pegs)]
            fixed_labels[self.place_of_peg[peg]] = label_of[color]
        encoded_counts = self.diagram.profile(fixed_labels)  # by place and label
        profile: list[dict[int, int]] = []
        for peg in range(pegs):
            place = self.place_of_peg[peg]
            counts = {}
            for label in range(labels):
                label_count = to_int(encoded_counts[place * labels + label])
                if label_count and peg < len(prefix):
                    counts[prefix[peg]] = label_count
                elif label_count:
                    colors = self.colors(label, prefix)  # all have the same number of codes
                    counts.update(dict.fromkeys(colors, label_count // len(colors)))
            profile.append(counts)
        return profile


def to_int(number: bytes) -> int:
    """Return a number that the kernel encoded in bytes."""
    return int.from_bytes(number, "little")


class _StatePrefix(CodePrefix):
    """A prefix in a diagram that processes the pegs in order; the prefix leads to one state."""

    def __init__(self, ranking: DiagramRanking, code: Code, state: State) -> None:
        self.ranking = ranking
        self.code = code
        self.state = state

    @cached_property
    def successors(self) -> dict[int, tuple[State, int]]:
        """By the color of the next peg, the next state and the number of codes through it."""
        successors = self.ranking.successors(len(self.code), self.state, self.code)
        return dict(sorted(successors.items()))

    def code_counts(self) -> Mapping[int, int]:
        return {color: code_count for color, (_, code_count) in self.successors.items()}

    def extend(self, color: int) -> CodePrefix:
        return _StatePrefix(self.ranking, (*self.code, color), self.successors[color][0])


class _PlainPrefix(CodePrefix):
    """A prefix in a diagram with another order of the pegs, which is queried for each prefix."""

    def __init__(self, ranking: DiagramRanking, code: Code) -> None:
        self.ranking = ranking
        self.code = code

    @cached_property
    def _code_counts(self) -> dict[int, int]:
        return dict(sorted(self.ranking.profile(self.code)[len(self.code)].items()))

    def code_counts(self) -> Mapping[int, int]:
        return self._code_counts

    def extend(self, color: int) -> CodePrefix:
        return _PlainPrefix(self.ranking, (*self.code, color))


LISTING_SLICES = 4
"""Maximum number of slices (`SlicedSearch`) of brute force that lists all codes: some tens of
milliseconds."""
MAX_QUICK_CODES = 20_000
"""Maximum number of codes that are listed by brute force, or by SAT before a diagram gets the whole
memory."""
SAT_LISTING_SECONDS = 20.0
"""Time limit in seconds for listing the codes by SAT."""


def select_ranking(
    board: Board, memory: int = MEMORY, tolerance: Tolerance = STRICT, *, may_search: bool = True
) -> Ranking:
    """Return the ranking of a board; raises SizeError if there are too many codes to rank them.

    Brute force is tried first, unless `may_search` is False because it is known to take long.
    """
    table = board.game.space.table()
    if table is not None:
        return ListRanking(board.game, [code for code in table if tolerance.allows(board, code)])
    board, tolerance = simplify_tolerance(board, tolerance)
    if not tolerance.lies and has_no_information(board):
        return AllCodesRanking(board.game)
    system = System.of(board, tolerance)
    found_codes = list_by_brute_force(system) if may_search and not is_large(board) else None
    if found_codes is not None:
        return ListRanking(board.game, found_codes)
    reason = ""
    # Try a small diagram, then SAT unless there are many codes, then a diagram with all memory.
    for memory_limit in sorted({min(memory, QUICK_MEMORY), memory}):
        try:
            return build_ranking(board, system, memory_limit)
        except UnsuitedError as error:
            reason = str(error)
            break
        except (MemoryError, OverflowError):
            reason = f"the diagram needs more than {binary_size(memory_limit)}"
        sat_codes = None if has_many_codes(board, tolerance) else list_by_sat(board, tolerance)
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


def list_by_sat(board: Board, tolerance: Tolerance) -> Sequence[Code] | None:
    """Return all codes in order, or None if SAT does not find them in time or finds too many."""
    listing: Iterator[Code]
    listing = stream(
        Deadline(SAT_LISTING_SECONDS), apply_to_systems, codes_after, board, tolerance, None
    )
    try:
        codes = list(islice(listing, MAX_QUICK_CODES + 1))
    except (TimeUpError, *RECOVERABLE_ERRORS):
        return None
    return verify_codes(board, codes, tolerance) if len(codes) <= MAX_QUICK_CODES else None


def list_by_brute_force(system: System) -> list[Code] | None:
    """Return all codes in order, or None if brute force does not find them quickly."""
    search = SlicedSearch(system, slices=LISTING_SLICES)
    codes = list(islice(search, MAX_QUICK_CODES))
    return codes if search.is_exhausted else None


def build_ranking(board: Board, system: System, memory: int) -> PrefixRanking:
    """Return the ranking by the diagrams of a board's system, which share the memory.

    Raises MemoryError, OverflowError or UnsuitedError if that is impossible.
    """
    summands: list[tuple[int, PrefixRanking]] = []
    for term in terms(board, system):
        rankings = build_term_rankings(board, term, memory)
        memory -= sum(ranking.peak_bytes for ranking in rankings)
        summands += [(term.coefficient, ranking) for ranking in rankings]
    if not system.budget and len(summands) == 1:
        return summands[0][1]
    return InclusionExclusion(board.game, summands)


def build_term_rankings(board: Board, term: Term, memory: int) -> Sequence[PrefixRanking]:
    """Return one ranking for each system of a term; each code is in exactly one of them."""
    game, system = board.game, term.system
    if not (system.soft or board.known) and system.table is None:
        return [AllCodesRanking(game)]
    systems = term.simplify()
    # Diagrams in the order of the pegs are faster to walk, but may not fit in memory.
    try:
        rankings = [
            DiagramRanking(game, layout, memory) for layout in layouts(systems, in_order=None)
        ]
    except MemoryError:
        rankings = [
            DiagramRanking(game, layout, memory) for layout in layouts(systems, in_order=False)
        ]
    return [ranking for ranking in rankings if ranking.count]


class InclusionExclusion(PrefixRanking):
    """The ranking by a sum of rankings with coefficients, which may be negative."""

    def __init__(self, game: Game, summands: Sequence[tuple[int, PrefixRanking]]) -> None:
        """Store the pairs of a coefficient and a ranking."""
        self.game = game
        self.summands = summands

    @cached_property
    def count(self) -> int:
        """The sum over all rankings."""
        return sum(coefficient * ranking.count for coefficient, ranking in self.summands)

    def empty_prefix(self) -> CodePrefix:
        """Return the empty prefix in all rankings at once."""
        return _SummedPrefix(
            [(coefficient, ranking.empty_prefix()) for coefficient, ranking in self.summands]
        )

    def color_counts(self) -> list[list[int]]:
        """Return the sum of the numbers of codes over all rankings."""
        sums = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for coefficient, ranking in self.summands:
            for peg, peg_counts in enumerate(ranking.color_counts()):
                for color, code_count in enumerate(peg_counts):
                    sums[peg][color] += coefficient * code_count
        return sums

    def draw(self, number: int) -> Code:
        """Return the code with the index `number` in some order of all codes.

        If every coefficient is 1, each code is in exactly one ranking, and is drawn from it.
        """
        if any(coefficient != 1 for coefficient, _ in self.summands):
            return self.unrank(number)
        for _, ranking in self.summands:
            if number < ranking.count:
                return ranking.draw(number)
            number -= ranking.count
        raise IndexError("the number of the code is out of range")


class _SummedPrefix(CodePrefix):
    """A prefix in each ranking of a sum that has codes with this prefix."""

    def __init__(self, summands: Sequence[tuple[int, CodePrefix]]) -> None:
        self.summands = summands

    @cached_property
    def _code_counts(self) -> dict[int, int]:
        sums: dict[int, int] = {}
        for coefficient, prefix in self.summands:
            for color, code_count in prefix.code_counts().items():
                sums[color] = sums.get(color, 0) + coefficient * code_count
        return {color: code_count for color, code_count in sorted(sums.items()) if code_count}

    def code_counts(self) -> Mapping[int, int]:
        return self._code_counts

    def extend(self, color: int) -> CodePrefix:
        return _SummedPrefix(
            [
                (coefficient, prefix.extend(color))
                for coefficient, prefix in self.summands
                if color in prefix.code_counts()
            ]
        )
