"""Why a board of a game whose codes can be listed has no code, quickly and in this process.

Each code misses some rows. The fewest that any misses are the cheapest correction; rows of which
every code misses some are a conflict, and the smallest such set is found by trying them by size.
"""

from __future__ import annotations

from itertools import combinations

from mmsat.arrays import Array, np
from mmsat.board import Board
from mmsat.diagnosis.check import check
from mmsat.diagnosis.corrections import sorted_corrections
from mmsat.diagnosis.nearest import cases_by_repair
from mmsat.game.unread import agrees_all
from mmsat.results.verdict import Conflict, Correction
from mmsat.strategy.code_list import all_codes

CODES = 1 << 18
"""Codes of games that are looked at one by one ..."""
ROWS = 12
"""... and rows of boards of which all sets are tried; larger ones are left to `check`."""


def find_reasons(board: Board) -> tuple[Conflict | None, Correction | None]:
    """A smallest conflict of an inconsistent board, and its most plausible cheapest correction."""
    game, many = board.game, len(board.rows)
    if game.size > CODES or many > ROWS:
        verdict = check(board)
        return verdict.conflict, verdict.correction
    codes = all_codes(game)
    missed = np.zeros(len(codes), dtype=np.int64)
    for number, row in enumerate(board.rows):
        missed |= (~agrees_all(game, codes, row)).astype(np.int64) << number
    sets = np.unique(missed)
    sizes = np.array([mask.bit_count() for mask in sets.tolist()])
    cheapest = sets[sizes == sizes.min()]
    nearest = codes[np.isin(missed, cheapest)]
    repairs = cases_by_repair(board, map(tuple, nearest.tolist()))
    return _smallest(sets, many), sorted_corrections(board, repairs)[0]


def _smallest(sets: Array, many: int) -> Conflict | None:
    """The smallest set of rows that meets all of these, the first in order."""
    for size in range(1, many + 1):
        for rows in combinations(range(many), size):
            mask = sum(1 << row for row in rows)
            if (sets & mask).all():
                return Conflict(rows)
    return None
