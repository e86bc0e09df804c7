"""Count, list, rank and sample the consistent codes, and compute the odds of their pegs.

This module has the results of counting: exact counts, estimates and bounds.
"""

from dataclasses import dataclass
from functools import total_ordering
from numbers import Real
from typing import Any, NamedTuple, NotRequired

from mmsat._util.results import CountEstimateJson, Digits, Ratio, Seconds
from mmsat.errors import MmsatError
from mmsat.game.tolerance import ToleranceJson

EPSILON = 0.8
"""The relative error of ApproxMC: the number is between count / 1.8 and count * 1.8."""


DELTA = 0.05
"""The probability that the error of ApproxMC is larger than EPSILON."""


class CountBounds(NamedTuple):
    """Bounds on a count, reported while it is computed."""

    lower_bound: int
    upper_bound: int | None
    """None if no upper bound is known yet."""
    activity: str
    """The current activity in words, with figures of the engine."""
    fraction: float | None = None
    """Fraction of the work that is done, from 0 to 1; None if it is unknown."""

    def to_dict(self) -> dict[str, str | None]:
        """Return a dict for JSON. The bounds are strings, because they can exceed 2**53."""
        most = None if self.upper_bound is None else str(self.upper_bound)
        return {"least": str(self.lower_bound), "most": most, "doing": self.activity}


class CountJson(ToleranceJson):
    """The number of codes: exact, an estimate, or a lower bound."""

    count: Digits
    """Number of codes: exact if `exact`, an estimate if `epsilon` is given, else a lower bound."""
    exact: bool
    """Whether the number is exact."""
    epsilon: float | None
    """Relative error of an estimate."""
    delta: float | None
    """Probability that the error of an estimate is larger."""
    most: Digits | None
    """Upper bound, if `count` is a lower bound."""
    method: str
    """Name of the method that counted."""
    seconds: Seconds
    weight: NotRequired[Ratio]
    """Total weight of the codes; only with --weights."""
    estimate: NotRequired[CountEstimateJson]
    """An estimate from the statistics of the scores, for games that have one; not with --lies or
    --weights."""


@total_ordering
@dataclass(frozen=True, eq=False)
class Count:
    """A number of codes: exact, an estimate, or a lower bound.

    An exact count can be used like an int: it equals the same number, is ordered, and is false if
    it is 0. An estimate or a lower bound equals no int, and `int()` and comparisons by `<` or `>`
    raise MmsatError. Counts are equal if their numbers and bounds are; method, time and notes are
    not compared.

    Examples
    --------
    >>> count = mmsat.count("4x6/1122=1.1/3345=0.2")
    >>> count == 36, count > 1, int(count), f"{count}"
    (True, True, 36, '36')
    """

    count: int
    """The number of codes. An estimate if `epsilon` is not None, otherwise a lower bound if not
    `exact`."""
    exact: bool
    """Whether `count` is the exact number."""
    method: str
    """Name of the method that counted, such as brute, diagram, enumeration, ganak or approxmc."""
    seconds: float
    """Wall-clock time in seconds."""
    epsilon: float | None = None
    """For an estimate, the bound on its relative error: the number is between `count` / (1 +
    `epsilon`) and `count` * (1 + `epsilon`). None for exact numbers and lower bounds."""
    delta: float | None = None
    """For an estimate, the maximum probability that the number is outside of these bounds;
    otherwise None."""
    most: int | None = None
    """Upper bound, if `count` is a lower bound; otherwise None."""
    notes: tuple[str, ...] = ()
    """Sentences about the methods that were tried without success."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Count):
            return self._numbers == other._numbers
        return self.exact and self.count == other if isinstance(other, Real) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.count)

    def __lt__(self, other: Any) -> bool:
        if not isinstance(other, Count | Real):
            return NotImplemented
        number: Any = int(other) if isinstance(other, Count) else other
        return bool(int(self) < number)

    def __bool__(self) -> bool:
        """Return whether there is a code; raise MmsatError if that is unknown."""
        return self.count > 0 or int(self) > 0

    def __int__(self) -> int:
        """Return an exact count; raise MmsatError for an estimate or a lower bound."""
        if not self.exact:
            raise MmsatError(f"the count is not exact: {self}; see `count`, `exact` and `most`")
        return self.count

    __index__ = __int__

    @property
    def _numbers(self) -> tuple[object, ...]:
        """The fields that are compared."""
        return self.count, self.exact, self.epsilon, self.delta, self.most

    def __str__(self) -> str:
        if self.exact:
            return f"{self.count:,}"
        if self.epsilon is not None:
            return f"about {self.count:,}"
        least = f"at least {self.count:,}" if self.count else ""
        most = "" if self.most is None else f"at most {self.most:,}"
        return ", ".join(filter(None, (least, most))) or "not counted"

    def to_dict(self) -> CountJson:
        """Return a dict for JSON. Counts are strings, because they can exceed 2**53."""
        return {
            "count": str(self.count),
            "exact": self.exact,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "most": None if self.most is None else str(self.most),
            "method": self.method,
            "seconds": round(self.seconds, 6),
        }
