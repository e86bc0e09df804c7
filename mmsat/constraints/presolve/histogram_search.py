"""Histograms: the numbers of pegs of all colors that the constraints about counts allow together.

A constraint about counts alone ("5 colors in common") is a sum: the count of each color determines
its contribution, and the sum is within bounds. All counts add up to
the pegs. A histogram is a choice of all counts that satisfies these sums. There are three methods,
from quick to strong:

- `surrogate_filter` adds up all sums, each times an integer weight [1]. The least contributions of
  all colors bound the weighted sum from below, so a count that would put it above its bound is in
  no histogram. Good weights are found as a perceptron finds them [2]: take for each color the count
  that contributes least, and move the weights by how far the sums of these counts are off. On dense
  boards this settles nearly all counts, although enumeration would never end.
- `enumerate_histograms` lists the histograms, color by color, and backtracks if a sum is out of
  reach.
- CP-SAT, in `solving/histograms.py`, is the fallback for counts that both leave open. It finds a
  histogram of 12 rows of 20 pegs and colors in .02 s, for which the enumeration needs more than
  6 s, but loading it takes longer than the presolve of any board.

References
----------
[1] Glover (1968), "Surrogate constraints", Operations Research 16.
[2] Rosenblatt (1958), "The perceptron", Psychological Review 65.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress
from math import prod
from typing import NamedTuple

from mmsat import _core
from mmsat.constraints.presolve.domains import ReasonedConstraint
from mmsat.constraints.presolve.problem import Problem, asked_counts
from mmsat.game.literals import VariableMap
from mmsat.limits import LIMITS

MAX_ENUMERATION_WORK = 100_000
"""Sums that the enumeration updates: about a fortieth of a second."""
MAX_CELLS = 400_000
"""Counts times constraints beyond which histograms are not considered."""
MAX_OPEN_COLORS = 200
"""Colors with several possible counts beyond which no bounds are enumerated."""
MAX_STALLED_ROUNDS = 600
"""Rounds of the surrogate filter without effect, one after the other, after which it ends."""
MAX_FILTER_PRODUCTS = 60_000_000
"""Multiplications of the surrogate filter: about as long as the enumeration."""
MIN_FILTER_ROUNDS = 300
"""Rounds that these must suffice for; otherwise the filter is not worth its time."""
LONG_CHOICES_LOG2 = 20
"""Binary logarithm of the number of choices of all counts beyond which counts are filtered."""


class CountSum(NamedTuple):
    """A constraint: the contributions of all colors add up to between `low` and `high`."""

    contributions: tuple[tuple[int, ...], ...]
    """For each color, the contribution of each count of its domain."""
    low: int
    high: int


class EnumerationLimitError(Exception):
    """The enumeration of histograms needs more work than is allowed."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The possible counts of colors, and the constraints between them."""

    colors: list[int]
    """The colors that constraints ask about; of the others only the sum matters."""
    domains: list[list[int]]
    """For each of these colors, its possible counts, ascending."""
    sums: list[CountSum]
    """The first one is that all counts add up to the pegs."""
    rows: int
    """The rows that all of this follows from, as bits."""

    @classmethod
    def of(cls, problem: Problem) -> Counts | None:
        """Read the constraints about counts; return None without any, or with too many."""
        variables, domains = problem.variables, problem.domains
        constraints = [
            each for each in problem.reasoned_constraints() if asks_only_counts(variables, each)
        ]
        if not constraints or len(constraints) * sum(domains.high) > MAX_CELLS:
            return None
        stated = [each.constraint for each in constraints]
        colors = sorted({color for color, _ in asked_counts(variables, stated)})
        place = {color: index for index, color in enumerate(colors)}
        possible = [list(range(domains.low[color], domains.high[color] + 1)) for color in colors]
        others = [color for color in range(variables.colors) if color not in place]
        low = variables.pegs - sum(domains.high[color] for color in others)
        high = variables.pegs - sum(domains.low[color] for color in others)
        sums = [CountSum(tuple(map(tuple, possible)), low, high)]
        for constraint in stated:
            thresholds: list[list[int]] = [[] for _ in colors]
            denied = 0
            for literal in constraint.literals:
                if isinstance(literal, int):
                    color, count = variables.color_count(literal)
                    thresholds[place[color]].append(count if literal > 0 else -count)
                    denied += literal < 0
            contributions = tuple(map(contributions_of, possible, thresholds))
            sums.append(CountSum(contributions, constraint.low - denied, constraint.high - denied))
        rows = 0
        for reason in (
            *(each.rows for each in constraints),
            *domains.reason_low,
            *domains.reason_high,
        ):
            rows |= reason
        return cls(colors, possible, sums, rows)

    def restrict(self, is_kept: Sequence[Sequence[bool]]) -> Counts:
        """Return the same constraints for some counts of each color."""

        def keep(values: Sequence[Sequence[int]]) -> list[list[int]]:
            return [list(compress(each, kept)) for each, kept in zip(values, is_kept, strict=True)]

        sums = [
            CountSum(tuple(map(tuple, keep(each.contributions))), each.low, each.high)
            for each in self.sums
        ]
        return Counts(self.colors, keep(self.domains), sums, self.rows)

    def filter(self) -> Counts | None:
        """Drop counts by the surrogate filter if there are many; None if no histogram exists."""
        is_long = prod(map(len, self.domains)) >> LONG_CHOICES_LOG2 > 0
        return surrogate_filter(self) if is_long else self


def asks_only_counts(variables: VariableMap, each: ReasonedConstraint) -> bool:
    """Return whether a constraint has literals, and all of them are about counts."""
    return bool(each.constraint.literals) and all(
        isinstance(literal, int) and not variables.is_at(literal)
        for literal in each.constraint.literals
    )


def contributions_of(counts: Sequence[int], thresholds: Iterable[int]) -> tuple[int, ...]:
    """Return for each count how many positive, less how many negative thresholds it reaches.

    The counts are consecutive integers.
    """
    steps = [0] * len(counts)
    for threshold in thresholds:
        place = max(0, abs(threshold) - min(counts, default=0))
        if place < len(steps):
            steps[place] += 1 if threshold > 0 else -1
    return tuple(accumulate(steps))


def count_bounds(counts: Counts) -> list[tuple[int, int]]:
    """Return lower and upper bounds of each color's count; an empty list if no histogram exists.

    They are the exact ends of all histograms if these can be enumerated.
    """
    filtered = counts.filter()
    if filtered is None:
        return []
    bounds = exact_bounds(filtered)
    return [(each[0], each[-1]) for each in filtered.domains] if bounds is None else bounds


def exact_bounds(
    counts: Counts, max_work: int = MAX_ENUMERATION_WORK
) -> list[tuple[int, int]] | None:
    """Return the least and the greatest count of each color in all histograms, if there are any.

    Return None if the work does not suffice.
    """
    if not all(counts.domains):
        return []
    if sum(len(each) > 1 for each in counts.domains) > MAX_OPEN_COLORS:
        return None
    widest = [(each[0], each[-1]) for each in counts.domains]
    bounds: list[tuple[int, int]] = []
    try:
        for histogram in enumerate_histograms(counts, max_work):
            chosen = [histogram[color] for color in counts.colors]
            before = bounds or [(count, count) for count in chosen]
            bounds = [
                (min(low, count), max(high, count))
                for (low, high), count in zip(before, chosen, strict=True)
            ]
            if bounds == widest:
                break
    except EnumerationLimitError:
        return None
    return bounds


def enumerate_histograms(
    counts: Counts, max_work: int = MAX_ENUMERATION_WORK
) -> Iterator[dict[int, int]]:
    """Yield all histograms as the counts by color, colors with few possible counts first.

    Raises EnumerationLimitError.
    """
    if not all(counts.domains):
        return
    size = len(counts.domains)
    order = sorted(range(size), key=lambda place: (len(counts.domains[place]), place))
    columns = [[each.contributions[place] for each in counts.sums] for place in order]
    steps = [list(zip(*column, strict=True)) for column in columns]
    # The bounds of the sums of the first few colors in this order, none of them first.
    low, high = [[each.low for each in counts.sums]], [[each.high for each in counts.sums]]
    for column in reversed(columns):
        low.append([a - max(each) for a, each in zip(low[-1], column, strict=True)])
        high.append([a - min(each) for a, each in zip(high[-1], column, strict=True)])
    low.reverse()
    high.reverse()
    path: list[int] = []
    sums = [[0] * len(counts.sums)]
    next_choices = [0]
    while next_choices:
        depth = len(path)
        if depth == size:
            yield {
                counts.colors[place]: counts.domains[place][choice]
                for place, choice in zip(order, path, strict=True)
            }
        elif next_choices[-1] < len(steps[depth]):
            choice = next_choices[-1]
            next_choices[-1] += 1
            if max_work < 0:
                raise EnumerationLimitError
            max_work -= len(counts.sums)
            now = list(map(int.__add__, sums[-1], steps[depth][choice]))
            if all(map(int.__le__, low[depth + 1], now)) and all(
                map(int.__le__, now, high[depth + 1])
            ):
                sums.append(now)
                path.append(choice)
                next_choices.append(0)
            continue
        next_choices.pop()
        if path:
            path.pop()
            sums.pop()


def surrogate_filter(counts: Counts) -> Counts | None:
    """Drop the counts that a weighted sum rules out; return None if no histogram exists."""
    cells = len(counts.sums) * sum(map(len, counts.domains))
    if not cells or cells * MIN_FILTER_ROUNDS > MAX_FILTER_PRODUCTS:
        return counts
    possible = _core.surrogate_filter(
        [each.contributions for each in counts.sums],
        [each.low for each in counts.sums],
        [each.high for each in counts.sums],
        min(LIMITS.surrogate_rounds, MAX_FILTER_PRODUCTS // cells),
        MAX_STALLED_ROUNDS,
    )
    return None if possible is None else counts.restrict(possible)
