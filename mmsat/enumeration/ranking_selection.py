"""The ranking that suits a board: a list where codes are few, else diagrams."""

from collections.abc import Iterator, Sequence
from itertools import islice

from mmsat.board import Board
from mmsat.constraints.system import System, simplify
from mmsat.enumeration.count import MEMORY, QUICK_MEMORY, says_nothing
from mmsat.enumeration.inclusion_exclusion import build_ranking
from mmsat.enumeration.layout import UnsuitedError
from mmsat.enumeration.listing import CODES_AFTER, ON_SYSTEMS, list_codes, verify_codes
from mmsat.enumeration.ranking import ListRanking, Ranking
from mmsat.enumeration.walk import FreeRanking
from mmsat.errors import SizeError
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
        listed = by_sat(board, tolerance)
        if listed is not None:
            return ListRanking(board.game, listed)
    most = LIMITS.listed_codes
    codes = list(islice(list_codes(board, Deadline(), tolerance=tolerance), most + 1))
    if len(codes) > most:
        raise SizeError(f"{reason}, and there are more than {most:,} codes; iterate over them")
    return ListRanking(board.game, codes)


def by_sat(board: Board, tolerance: Tolerance) -> Sequence[Code] | None:
    """All codes in order, if SAT finds them soon and they are few."""
    found: Iterator[Code]
    found = stream(Deadline(SECONDS), ON_SYSTEMS, CODES_AFTER, board, tolerance, None)
    try:
        codes = list(islice(found, FEW + 1))
    except (TimeUpError, SizeError):
        return None
    return verify_codes(board, codes, tolerance) if len(codes) <= FEW else None


def by_search(system: System) -> list[Code] | None:
    """All codes in order, if brute force finds them at once and they are few."""
    search = SlicedSearch(system, slices=SLICES)
    codes = list(islice(search, FEW))
    return codes if search.is_exhausted else None
