"""All that is wrong with a board."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from mmsat.board import Board
from mmsat.frozen import frozen
from mmsat.game.row import Code
from mmsat.results.verdict import (
    Conflict,
    Corrected,
    Correction,
    Status,
    refutation_dict,
    unlisted_dict,
)
from mmsat.shown import Shown
from mmsat.tolerance import STRICT, Tolerance


@frozen
class Explanation(Shown, Corrected):
    """Why a board is inconsistent, and what would mend it."""

    board: Board
    status: Status
    conflicts: tuple[Conflict, ...]
    """Minimal conflicts, smallest first."""
    corrections: tuple[Correction, ...]
    """Cheapest corrections, most plausible first."""
    all_conflicts: bool
    """Whether every minimal conflict is listed, or a limit or the time ended the list."""
    all_corrections: bool
    """Likewise for the cheapest corrections."""
    seconds: float = field(compare=False)
    tolerance: Tolerance = STRICT
    """How wrong the scores may be: what consistent means here."""
    unlisted: Code | None = None
    """When inconsistent in a game of words: a code that is not in the list and gets the scores."""

    @property
    def conflict(self) -> Conflict | None:
        """The first of the smallest conflicts found, if there is one."""
        return self.conflicts[0] if self.conflicts else None

    @classmethod
    def unknown(cls, board: Board, tolerance: Tolerance = STRICT) -> Explanation:
        """What can be said before anything is known."""
        return cls(
            board,
            Status.UNKNOWN,
            (),
            (),
            all_conflicts=False,
            all_corrections=False,
            seconds=0.0,
            tolerance=tolerance,
        )

    def records(self) -> list[dict[str, Any]]:
        """A line for each row of the board: the chance that it is mistaken, and where it stands.

        Rows count from 1; for pandas.DataFrame and polars.
        """
        chances = self.mistaken or (None,) * len(self.board.rows)
        changed = [{change.row for change in each.changes} for each in self.corrections]
        return [
            {
                **line,
                "mistaken": None if chance is None else float(chance),
                "conflicts": sum(row in conflict.rows for conflict in self.conflicts),
                "corrections": sum(row in rows for rows in changed),
            }
            for row, (line, chance) in enumerate(zip(self.board.records(), chances, strict=True))
        ]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/explain.json."""
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "refutations": [refutation_dict(conflict) for conflict in self.conflicts],
            "corrections": [correction.to_dict() for correction in self.corrections],
            "all_conflicts": self.all_conflicts,
            "all_corrections": self.all_corrections,
            **self.mistaken_dict(),
            **self.tolerance.optional_dict(),
            **unlisted_dict(self.unlisted),
            "seconds": round(self.seconds, 6),
        }
