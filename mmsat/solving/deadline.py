"""Deadlines, and the exception raised when one passes."""

from __future__ import annotations

import math
from time import monotonic


class TimeUpError(Exception):
    """Raised if the deadline passes before the work is done."""


class Deadline:
    """A time limit of `seconds` from now; None means no limit."""

    def __init__(self, seconds: float | None = None) -> None:
        """Start the clock."""
        self.start = monotonic()
        self.end = math.inf if seconds is None else self.start + seconds

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        return monotonic() >= self.end

    @property
    def left(self) -> float | None:
        """The remaining seconds, at least 0; None means no limit."""
        return None if math.isinf(self.end) else max(0.0, self.end - monotonic())

    @property
    def elapsed(self) -> float:
        """The seconds since the deadline was created."""
        return monotonic() - self.start

    def shorten(self, seconds: float) -> None:
        """Move the deadline to this many seconds from now, unless it is earlier."""
        self.end = min(self.end, monotonic() + seconds)

    def within(self, seconds: float) -> Deadline:
        """Return the earlier of this deadline and a deadline in `seconds` from now."""
        remaining_seconds = self.left
        return Deadline(seconds if remaining_seconds is None else min(seconds, remaining_seconds))
