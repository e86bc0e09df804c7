"""Bulk checking: classic boards per second on one core, by `mmsat.check_many`."""

from __future__ import annotations

import mmsat
from benchmarks.timing import in_turn, report
from tests.support.planted_boards import planted, slipped

BOARDS = 5000


def main() -> None:
    """Check thousands of 4x6 and 5x8 boards of up to eight rows, half of them with a slip."""
    rows = []
    for size in ("4x6", "5x8"):
        boards = [planted(size, 1 + seed % 8, seed) for seed in range(BOARDS)]
        boards = [slipped(board, n) if n % 2 else board for n, board in enumerate(boards)]
        lines = [str(board) for board in boards]
        checked, parsed = in_turn(
            [
                lambda boards=boards: list(mmsat.check_many(boards)),
                lambda lines=lines: [mmsat.Board.parse(line) for line in lines],
            ],
            rounds=5,
        )
        rows += [
            (f"{size} checked", f"{BOARDS / checked:9,.0f} boards per second"),
            (f"{size} parsed from lines", f"{BOARDS / parsed:9,.0f} boards per second"),
        ]
    report(f"Bulk, median of 5 runs over {BOARDS} boards", rows)
