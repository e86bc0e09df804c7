"""The ranking that suits a board: a list where codes are few, else diagrams.

Codes within a budget are ranked by the diagrams of systems without one, added and taken away: see
terms.py for the sum. What it says of all codes it says of those that begin with some colors, so
that a walk through all diagrams at once counts them, and ranks them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from mmsat.board import Board
from mmsat.constraints.system import System, simplify
from mmsat.enumeration.count import MEMORY, QUICK_MEMORY, CountTask, says_nothing
from mmsat.enumeration.diagrams import DiagramRanking
from mmsat.enumeration.layout import UnsuitedError, layouts
from mmsat.enumeration.listing import CODES_AFTER, ON_SYSTEMS, list_codes, verify_codes
from mmsat.enumeration.ranking import ListRanking, Ranking
from mmsat.enumeration.terms import Term, terms
from mmsat.enumeration.walk import FreeRanking, Walk, WalkRanking
from mmsat.errors import RECOVERABLE_ERRORS, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.solving.brute import SlicedSearch
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import is_large, stream
from mmsat.tolerance import STRICT, Tolerance

SLICES = 4
"""What brute force has to list all codes: some ten milliseconds."""
FEW = 20_000
"""Codes that are listed by brute force, or by SAT before a diagram has all the memory ..."""
SECONDS = 20.0
"""... in so much time."""


def select_ranking(
    board: Board, memory: int = MEMORY, tolerance: Tolerance = STRICT, *, may_search: bool = True
) -> Ranking:
    """The ranking of a board; raises SizeError where its codes are too many for any.

    Where it is known that brute force takes long, it need not be tried first.
    """
    table = board.game.space.table()
    if table is not None:
        return ListRanking(board.game, [code for code in table if tolerance.allows(board, code)])
    board, tolerance = simplify(board, tolerance)
    if not tolerance.lies and says_nothing(board):
        return FreeRanking(board.game)
    system = System.of(board, tolerance)
    few = by_search(system) if may_search and not is_large(board) else None
    if few is not None:
        return ListRanking(board.game, few)
    reason = ""
    for allowed in sorted({min(memory, QUICK_MEMORY), memory}):
        try:
            return build_ranking(board, system, allowed)
        except UnsuitedError as error:
            reason = str(error)
            break
        except (MemoryError, OverflowError):
            reason = f"the diagram needs more than {allowed >> 20} MiB"
        listed = None if has_many_codes(board, tolerance) else by_sat(board, tolerance)
        if listed is not None:
            return ListRanking(board.game, listed)
    most = LIMITS.listed_codes
    codes = list(islice(list_codes(board, Deadline(), tolerance=tolerance), most + 1))
    if len(codes) > most:
        raise SizeError(f"{reason}, and there are more than {most:,} codes; iterate over them")
    return ListRanking(board.game, codes)


def has_many_codes(board: Board, tolerance: Tolerance) -> bool:
    """Whether a quick count shows more codes than SAT would list."""
    counting = CountTask(
        board, tolerance, Deadline(), QUICK_MEMORY, lambda _: None, stages=("quick diagram",)
    )
    try:
        return counting.count("auto").count > FEW
    except SizeError:
        return False


def by_sat(board: Board, tolerance: Tolerance) -> Sequence[Code] | None:
    """All codes in order, if SAT finds them soon and they are few."""
    found: Iterator[Code]
    found = stream(Deadline(SECONDS), ON_SYSTEMS, CODES_AFTER, board, tolerance, None)
    try:
        codes = list(islice(found, FEW + 1))
    except (TimeUpError, *RECOVERABLE_ERRORS):
        return None
    return verify_codes(board, codes, tolerance) if len(codes) <= FEW else None


def by_search(system: System) -> list[Code] | None:
    """All codes in order, if brute force finds them at once and they are few."""
    search = SlicedSearch(system, slices=SLICES)
    codes = list(islice(search, FEW))
    return codes if search.is_exhausted else None


def build_ranking(board: Board, system: System, memory: int) -> WalkRanking:
    """The diagrams of a board's system, which share the memory.

    Raises MemoryError, OverflowError, or UnsuitedError, where that can't be.
    """
    parts: list[tuple[int, WalkRanking]] = []
    for term in terms(board, system):
        found = build_parts(board, term, memory)
        memory -= sum(part.bytes for part in found)
        parts += [(term.times, part) for part in found]
    if not system.budget and len(parts) == 1:
        return parts[0][1]
    return InclusionExclusion(board.game, parts)


def build_parts(board: Board, term: Term, memory: int) -> Sequence[WalkRanking]:
    """The diagrams of a term: one, or for two colors one for each weight; each code is in one."""
    game, system = board.game, term.system
    if not (system.soft or board.known) and system.table is None:
        return [FreeRanking(game)]
    systems = term.simplify()
    try:
        parts = [DiagramRanking(game, plan, memory) for plan in layouts(systems, in_order=None)]
    except MemoryError:
        parts = [DiagramRanking(game, plan, memory) for plan in layouts(systems, in_order=False)]
    return [part for part in parts if part.count]


class InclusionExclusion(WalkRanking):
    """The codes of a signed sum of rankings."""

    def __init__(self, game: Game, parts: Sequence[tuple[int, WalkRanking]]) -> None:
        """Each is counted so many times, perhaps less than none."""
        self.game = game
        self.parts = parts

    @cached_property
    def count(self) -> int:
        """Of all terms."""
        return sum(times * part.count for times, part in self.parts)

    def start(self) -> Walk:
        """A walk through all diagrams at once."""
        return _SumWalk([(times, part.start()) for times, part in self.parts])

    def table(self) -> list[list[int]]:
        """Added up."""
        table = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for times, part in self.parts:
            for peg, row in enumerate(part.table()):
                for color, ways in enumerate(row):
                    table[peg][color] += times * ways
        return table

    def draw(self, number: int) -> Code:
        """Where nothing is taken away, from one part, which costs one walk."""
        if any(times != 1 for times, _ in self.parts):
            return self.unrank(number)
        for _, part in self.parts:
            if number < part.count:
                return part.draw(number)
            number -= part.count
        raise IndexError("there is no code of this number")


class _SumWalk(Walk):
    """The walks of all terms, those that are not over."""

    def __init__(self, walks: Sequence[tuple[int, Walk]]) -> None:
        self.walks = walks

    @cached_property
    def sums(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for times, walk in self.walks:
            for color, ways in walk.ways().items():
                found[color] = found.get(color, 0) + times * ways
        return {color: ways for color, ways in sorted(found.items()) if ways}

    def ways(self) -> Mapping[int, int]:
        return self.sums

    def step(self, color: int) -> Walk:
        return _SumWalk(
            [(times, walk.step(color)) for times, walk in self.walks if color in walk.ways()]
        )
