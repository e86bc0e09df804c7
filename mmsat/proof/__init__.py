"""Machine-checkable proofs: files that certify a verdict without trust in any solver.

`prove` runs solvers and writes a proof. `verify` checks a proof and loads no solver.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Annotated, NamedTuple, TypedDict

from mmsat._util.results import (
    BoardLine,
    Digits,
    Displayable,
    NonEmpty,
    NonNegative,
    Positive,
    RowNumbers,
    Schema,
    Seconds,
)
from mmsat.game.board import Board

PROOF_METHODS = (
    "witness",
    "lrat",
    "algebra",
    "sums",
    "explanation",
    "count",
    "layers",
    "list",
    "strategy",
    "value",
    "veripb",
)
"""The kinds of proofs that commands write."""


class ProofJson(TypedDict):
    """A proof of a verdict."""

    method: Annotated[str, Schema(enum=PROOF_METHODS)]
    """The kind of proof."""
    rows: RowNumbers
    """Rows that no code satisfies together, from 1; empty for other proofs."""
    bytes: Positive
    """Size of the proof."""


class VerificationJson(TypedDict):
    """Result of checking a proof."""

    board: BoardLine | None
    """The board of the proof; null if it cannot be read."""
    verdict: str | None
    """The verdict that the proof claims."""
    method: Annotated[str, Schema(enum=PROOF_METHODS)] | None
    """The kind of proof."""
    rows: RowNumbers
    """Rows that no code satisfies together, from 1."""
    holds: bool | None
    """Whether the proof proves its verdict; null if the time was up before."""
    reason: NonEmpty
    """Why the proof does not hold, or a summary of the check."""
    lemmas: NonNegative
    """Number of lemmas that were checked."""
    count: Digits | None
    """Number of codes that the proof certifies; null if it is not about a count."""
    seconds: Seconds


class TimeLimitReachedError(Exception):
    """Raised if the time limit of a check is reached; the message names the place in the proof."""


class Watch(NamedTuple):
    """The time limit of a check, and its report of progress."""

    end: float | None
    """The time by `monotonic` at which the check stops; None if there is no limit."""
    on_progress: Callable[[float], None] | None
    """Called with the checked fraction; None if nobody follows the progress."""

    def report(self, fraction: float) -> None:
        """Report the checked fraction, from 0 to 1."""
        if self.on_progress is not None:
            self.on_progress(fraction)

    @property
    def is_over(self) -> bool:
        """Whether the time limit is reached."""
        return self.end is not None and monotonic() >= self.end

    def require_time(self, place: str = "") -> None:
        """Raise TimeLimitReachedError if the time limit is reached; `place` ends its message."""
        if self.is_over:
            raise TimeLimitReachedError(f"time limit reached{place}")


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Displayable):
    """Result of checking a proof."""

    holds: bool | None
    """Whether the proof proves its verdict; None if the time was up before the check was
    complete."""
    reason: str
    """Why the proof does not hold, or a summary of the check."""
    board: Board | None = None
    """The board of the proof, if it can be read."""
    verdict: str | None = None
    """The verdict that it claims."""
    method: str | None = None
    """The kind of proof: a key of `METHODS` in mmsat/proof/bundle.py."""
    rows: tuple[int, ...] = ()
    """The rows, from 0, that have no code in common."""
    lemmas: int = 0
    """The number of lemmas that were checked."""
    count: int | None = None
    """The number of codes that the proof certifies; None if it is not about a count."""
    seconds: float = field(default=0.0, compare=False)
    """Wall-clock time in seconds."""

    def to_dict(self) -> VerificationJson:
        """Return stable JSON keys, with rows from 1; see schemas/verify.json."""
        return {
            "board": None if self.board is None else str(self.board),
            "verdict": self.verdict,
            "method": self.method,
            "rows": [row + 1 for row in self.rows],
            "holds": self.holds,
            "reason": self.reason,
            "lemmas": self.lemmas,
            "count": None if self.count is None else str(self.count),
            "seconds": round(self.seconds, 6),
        }
