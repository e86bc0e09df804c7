"""When to stop."""

from __future__ import annotations

import math
from time import monotonic


class TimeUpError(Exception):
    """The deadline passed before the work was done."""


class Deadline:
    """A point in time, so many seconds from now, or never."""

    def __init__(self, seconds: float | None = None) -> None:
        """Start the clock."""
        self.start = monotonic()
        self.end = math.inf if seconds is None else self.start + seconds

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return monotonic() >= self.end

    @property
    def left(self) -> float | None:
        """The seconds left, not below 0; None when there is no end."""
        return None if math.isinf(self.end) else max(0.0, self.end - monotonic())

    @property
    def elapsed(self) -> float:
        """The seconds since the clock was started."""
        return monotonic() - self.start

    def shorten(self, seconds: float) -> None:
        """End in this many seconds, unless the deadline is earlier."""
        self.end = min(self.end, monotonic() + seconds)

    def within(self, seconds: float) -> Deadline:
        """The earlier of this deadline and one so many seconds from now."""
        left = self.left
        return Deadline(seconds if left is None else min(seconds, left))
