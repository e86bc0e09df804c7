"""Conflicts and corrections of boards of games whose codes can be listed, without a solver.

Each code misses a set of rows. The smallest of these sets are the cheapest corrections. A set of
rows that meets all of them is a conflict; a smallest conflict is found by trying sets by size.
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

MAX_CODES = 1 << 18
"""Largest game, in codes, whose codes are scored one by one."""
MAX_ROWS = 12
"""Maximum number of rows of a board whose subsets are tried. Larger boards are left to `check`."""


def find_reasons(board: Board) -> tuple[Conflict | None, Correction | None]:
    """Return a smallest conflict and the most plausible cheapest correction of a board."""
    game, num_rows = board.game, len(board.rows)
    if game.size > MAX_CODES or num_rows > MAX_ROWS:
        verdict = check(board)
        return verdict.conflict, verdict.correction
    codes = all_codes(game)
    missed_rows = np.zeros(len(codes), dtype=np.int64)
    for number, row in enumerate(board.rows):
        missed_rows |= (~agrees_all(game, codes, row)).astype(np.int64) << number
    missed_sets = np.unique(missed_rows)
    sizes = np.array([mask.bit_count() for mask in missed_sets.tolist()])
    cheapest = missed_sets[sizes == sizes.min()]
    nearest = codes[np.isin(missed_rows, cheapest)]
    repairs = cases_by_repair(board, map(tuple, nearest.tolist()))
    return _smallest_hitting_set(missed_sets, num_rows), sorted_corrections(board, repairs)[0]


def _smallest_hitting_set(sets: Array, num_rows: int) -> Conflict | None:
    """Return the first smallest set of rows that meets all of these sets, which are bit masks."""
    for size in range(1, num_rows + 1):
        for rows in combinations(range(num_rows), size):
            mask = sum(1 << row for row in rows)
            if (sets & mask).all():
                return Conflict(rows)
    return None
