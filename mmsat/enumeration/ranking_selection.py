"""The ranking that suits a board: a list where codes are few, else diagrams."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from mmsat.constraints.system import System, simplify
from mmsat.enumeration.count import MEMORY, says_nothing
from mmsat.enumeration.inclusion_exclusion import build_ranking
from mmsat.enumeration.layout import UnsuitedError
from mmsat.enumeration.listing import list_codes
from mmsat.enumeration.ranking import ListRanking
from mmsat.enumeration.walk import FreeRanking
from mmsat.errors import SizeError
from mmsat.limits import LIMITS
from mmsat.solving.brute import SlicedSearch
from mmsat.solving.deadline import Deadline
from mmsat.solving.executor import is_large
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.enumeration.ranking import Ranking
    from mmsat.game.row import Code
    from mmsat.tolerance import Tolerance

SLICES = 4
"""What brute force has to list all codes: some ten milliseconds."""
FEW = 20_000
"""Codes that are listed by brute force."""


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
    try:
        return build_ranking(board, system, memory)
    except UnsuitedError as error:
        reason = str(error)
    except (MemoryError, OverflowError):
        reason = f"the diagram needs more than {memory >> 20} MiB"
    most = LIMITS.listed_codes
    codes = list(islice(list_codes(board, Deadline(), tolerance=tolerance), most + 1))
    if len(codes) > most:
        raise SizeError(f"{reason}, and there are more than {most:,} codes; iterate over them")
    return ListRanking(board.game, codes)


def by_search(system: System) -> list[Code] | None:
    """All codes in order, if brute force finds them at once and they are few."""
    search = SlicedSearch(system, slices=SLICES)
    codes = list(islice(search, FEW))
    return codes if search.is_exhausted else None
