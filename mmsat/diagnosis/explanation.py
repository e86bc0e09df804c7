"""The result of `explain`: all minimal conflicts and the cheapest corrections.

A result can be displayed without loading the search, which is in explain.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mmsat._util.results import BoardLine, Seconds, Shown, VerdictName
from mmsat.diagnosis import (
    Conflict,
    ConflictJson,
    Corrected,
    Correction,
    CorrectionJson,
    MistakeJson,
    UnlistedJson,
    refutation_dict,
)
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.refutation import RefutationJson
from mmsat.game.tolerance import STRICT, Tolerance, ToleranceJson


class ExplanationJson(ToleranceJson, UnlistedJson):
    """All conflicts and the cheapest corrections of a board."""

    board: BoardLine
    verdict: VerdictName
    conflicts: list[ConflictJson]
    """Minimal conflicts, the smallest first."""
    refutations: list[RefutationJson | None]
    """For each conflict, a proof to be checked by hand; null if none was found."""
    corrections: list[CorrectionJson]
    """The cheapest corrections, the most plausible first."""
    all_conflicts: bool
    """Whether every minimal conflict is listed."""
    all_corrections: bool
    """Whether every cheapest correction is listed."""
    mistaken: list[MistakeJson]
    """For each row, the probability that its score is mistaken, assuming that as few scores as
    possible are mistaken, that slips have weights by their kind (auditing/README.md), and that all
    codes are equally likely. Empty if unknown."""
    mistaken_exactly: bool
    """Whether these probabilities are exact: all corrections and the numbers of their codes are
    known."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Explanation(Shown, Corrected):
    """Why a board is inconsistent: minimal conflicts, and the cheapest corrections."""

    board: Board
    """The explained board."""
    status: Status
    """Whether the board is consistent within the tolerance."""
    conflicts: tuple[Conflict, ...]
    """Minimal conflicts, sorted by their number of rows."""
    corrections: tuple[Correction, ...]
    """The cheapest corrections, the most plausible first."""
    all_conflicts: bool
    """Whether every minimal conflict is listed. False if a limit or the timeout ended the
    search."""
    all_corrections: bool
    """Whether every cheapest correction is listed. False if a limit or the timeout ended the
    search."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    tolerance: Tolerance = STRICT
    """How wrong scores may be. Consistent means consistent within this tolerance."""
    unlisted: Code | None = None
    """In an inconsistent game of words, a code outside of the word list that gets the scores, with
    colors from 0; None if none was found."""

    @property
    def conflict(self) -> Conflict | None:
        """The first of the smallest conflicts found, or None."""
        return self.conflicts[0] if self.conflicts else None

    @classmethod
    def unknown(cls, board: Board, tolerance: Tolerance = STRICT) -> Explanation:
        """Return the explanation of an undecided board.

        Parameters
        ----------
        board : Board
            The board.
        tolerance : Tolerance, optional
            How wrong scores may be. By default, no score is wrong.

        Returns
        -------
        Explanation
            An explanation without reasons, of unknown status.
        """
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
        """Return one record per row of the board, for pandas.DataFrame and polars.

        A record has the probability that the score is mistaken (`mistaken`, None if unknown), and
        the numbers of `conflicts` and `corrections` that contain the row. Rows are numbered from 1.
        """
        chances = self.mistaken or (None,) * len(self.board.rows)
        changed_rows = [
            {change.row for change in correction.changes} for correction in self.corrections
        ]
        return [
            {
                **record,
                "mistaken": None if chance is None else float(chance),
                "conflicts": sum(row in conflict.rows for conflict in self.conflicts),
                "corrections": sum(row in rows for rows in changed_rows),
            }
            for row, (record, chance) in enumerate(zip(self.board.records(), chances, strict=True))
        ]

    def to_dict(self) -> ExplanationJson:
        """Return a dict for JSON, with rows and colors from 1; see schemas/explain.json."""
        unlisted: UnlistedJson = {}
        if self.unlisted is not None:
            unlisted["unlisted"] = [color + 1 for color in self.unlisted]
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "refutations": [refutation_dict(conflict) for conflict in self.conflicts],
            "corrections": self.correction_dicts(),
            "all_conflicts": self.all_conflicts,
            "all_corrections": self.all_corrections,
            "mistaken": self.mistakes(),
            "mistaken_exactly": self.mistaken_exactly,
            **self.tolerance.optional_dict(),
            **unlisted,
            "seconds": round(self.seconds, 6),
        }
