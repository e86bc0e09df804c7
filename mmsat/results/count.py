"""How many codes there are."""

from dataclasses import field
from typing import Any, NamedTuple

from mmsat.frozen import frozen


class CountBounds(NamedTuple):
    """What is known of a count while it is made."""

    least: int
    """There are at least so many codes, ..."""
    most: int | None
    """... and at most so many, if anything is known."""
    doing: str
    """What is done, with figures of the engine."""
    share: float | None = None
    """How much of the work is done, from 0 to 1, where that can be told."""


@frozen
class Count:
    """How many codes are consistent with a board."""

    count: int
    """The number; where it is not exact, the number found so far (epsilon is None)."""
    exact: bool
    method: str
    """What counted: brute, diagram, enumeration, ganak, approxmc."""
    seconds: float = field(compare=False)
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
