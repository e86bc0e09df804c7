"""What mmsat answers: frozen results that print honestly and turn into JSON.

Rows and colors count from 0 in these objects and from 1 in everything they print or export.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mmsat.game.spelling import speller

if TYPE_CHECKING:
    from mmsat.game.board import Board
    from mmsat.game.scoring import Scoring

Code = tuple[int, ...]
Score = tuple[int | None, ...]


class Status(StrEnum):
    """The answer to "is there a code that scores like this?"."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Rows that no code satisfies together, though it would without any one of them."""

    rows: tuple[int, ...]
    """Row indices, ascending."""

    def to_dict(self) -> list[int]:
        """Row numbers from 1."""
        return [row + 1 for row in self.rows]


@dataclass(frozen=True, slots=True)
class Change:
    """One row's score, as it stands and as it might have been meant."""

    row: int
    before: Score
    after: Score
    slip: str
    """What kind of mistake that would be, in a few words."""
    scoring: Scoring
    """The kind of scoring, which tells how scores are written."""

    def to_dict(self) -> dict[str, Any]:
        """The row from 1, the scores as lists, null where unread."""
        before, after = self.scoring.to_json(self.before), self.scoring.to_json(self.after)
        return {"row": self.row + 1, "from": before, "to": after}


@dataclass(frozen=True, slots=True)
class Count:
    """How many codes are consistent with a board."""

    count: int
    """The number; where it is not exact, the number found so far (epsilon is None)."""
    exact: bool
    method: str
    """What counted: brute, diagram, enumeration, ganak, approxmc."""
    seconds: float
    epsilon: float | None = None
    """The relative error of an estimate ..."""
    delta: float | None = None
    """... and the chance that it is larger."""
    most: int | None = None
    """Where the count is a lower bound: an upper bound, if one is known."""
    notes: tuple[str, ...] = ()
    """What was tried, in sentences."""

    def __str__(self) -> str:
        if self.exact:
            return f"{self.count:,}"
        if self.epsilon is not None:
            return f"about {self.count:,}"
        most = "" if self.most is None else f", at most {self.most:,}"
        return f"at least {self.count:,}{most}"

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; the count is a string, as it can be huge."""
        return {
            "count": str(self.count),
            "exact": self.exact,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "most": None if self.most is None else str(self.most),
            "method": self.method,
            "seconds": round(self.seconds, 6),
        }


@dataclass(frozen=True, slots=True)
class Correction:
    """Changed scores that make a board consistent."""

    changes: tuple[Change, ...]
    """The changed rows, ascending."""
    slip_rank: int
    """How far-fetched the slips are, summed over the changes; lower is more plausible."""
    codes: Count | None
    """How many codes would then remain; None when that was not counted."""

    @property
    def cost(self) -> int:
        """The number of changed rows."""
        return len(self.changes)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; `codes` is null when not counted, `codes_exact` tells a bound."""
        return {
            "changes": [change.to_dict() for change in self.changes],
            "cost": self.cost,
            "codes": None if self.codes is None else str(self.codes.count),
            "codes_exact": self.codes is not None and self.codes.exact,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a board is consistent, with a code or a reason."""

    board: Board
    status: Status
    witness: Code | None
    """A consistent code (colors from 0), re-scored against every row."""
    engine: str
    """What decided."""
    seconds: float
    conflict: Conflict | None = None
    """When inconsistent and asked for: one minimal conflict."""
    correction: Correction | None = None
    """When inconsistent and asked for: the most plausible cheapest correction."""

    @property
    def is_consistent(self) -> bool | None:
        """True, False, or None when undecided in time."""
        known = {Status.CONSISTENT: True, Status.INCONSISTENT: False}
        return known.get(self.status)

    def __str__(self) -> str:
        if self.witness is not None:
            return f"{self.status}: {speller(self.board.game).print_code(self.witness)}"
        if self.conflict is not None:
            return f"{self.status}: rows {self.conflict.to_dict()}"
        return str(self.status)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/check.json."""
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "witness": None if self.witness is None else [color + 1 for color in self.witness],
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
            "conflict": None if self.conflict is None else self.conflict.to_dict(),
            "correction": None if self.correction is None else self.correction.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Explanation:
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
    seconds: float

    @classmethod
    def undecided(cls, board: Board) -> Explanation:
        """What can be said before anything is known."""
        nothing = {"all_conflicts": False, "all_corrections": False}
        return cls(board, Status.UNKNOWN, (), (), **nothing, seconds=0.0)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/explain.json."""
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "corrections": [correction.to_dict() for correction in self.corrections],
            "all_conflicts": self.all_conflicts,
            "all_corrections": self.all_corrections,
            "seconds": round(self.seconds, 6),
        }
