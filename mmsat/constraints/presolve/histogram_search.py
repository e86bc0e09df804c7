"""Search for histograms: counts of all colors that satisfy the constraints about counts.

A constraint about counts alone ("5 colors in common") bounds a sum, to which the count of each
color contributes a number. All counts add up to the number of pegs. A histogram is a choice of all
counts that satisfies these constraints. There are three methods, from the fastest to
the strongest:

- `surrogate_filter` adds up all sums, each times an integer weight [1]. The minimum contributions
  of all colors bound the weighted sum from below. If this bound, for a given count of one color,
  exceeds the upper bound of the weighted sum, no histogram has this count. The weights are found
  like those of a perceptron [2]: choose for each color the count with the minimum contribution, and
  change the weights by the violations of the sums of these counts. On dense boards, this decides
  nearly all counts, although an enumeration would not finish.
- `enumerate_histograms` lists the histograms, color by color, and backtracks if a sum cannot reach
  its bounds.
- CP-SAT, in solving/cp.py, is the fallback for counts that both leave undecided. It finds a
  histogram of 12 rows of 20 pegs and colors in 0.02 s, for which the enumeration needs more than
  6 s, but importing it takes longer than the presolve of any board.

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
from mmsat.constraints.presolve.problem import Problem, mentioned_counts
from mmsat.game.space import VariableMap
from mmsat.limits import LIMITS

MAX_ENUMERATION_WORK = 100_000
"""Maximum number of sums that the enumeration updates; this takes about 1/40 s."""
MAX_CELLS = 400_000
"""Maximum product of the number of counts and the number of constraints for a search."""
MAX_OPEN_COLORS = 200
"""Maximum number of colors with several possible counts for an enumeration."""
MAX_STALLED_ROUNDS = 600
"""Maximum number of consecutive rounds of the surrogate filter that exclude no count."""
MAX_FILTER_PRODUCTS = 60_000_000
"""Maximum number of multiplications of the surrogate filter: about as long as an enumeration."""
MIN_FILTER_ROUNDS = 300
"""The filter is skipped if `MAX_FILTER_PRODUCTS` does not suffice for this number of rounds."""
MIN_FILTERED_CHOICES_LOG2 = 20
"""The filter is skipped if the product of the domain sizes is less than 2 to this power."""


class CountSum(NamedTuple):
    """A constraint: the contributions of all colors add up to a number from `low` to `high`."""

    contributions: tuple[tuple[int, ...], ...]
    """For each color, the contribution of each count in its domain."""
    low: int
    high: int


class EnumerationLimitError(Exception):
    """Raised if the enumeration of histograms exceeds its limit of work."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The possible counts of colors, and the constraints on them."""

    colors: list[int]
    """The colors whose counts are constrained. Of the other counts, only the sum matters."""
    domains: list[list[int]]
    """For each of these colors, its possible counts, ascending."""
    sums: list[CountSum]
    """The constraints. The first one is that all counts add up to the number of pegs."""
    rows: int
    """The rows, as bits, that imply the domains and the constraints."""

    @classmethod
    def of(cls, problem: Problem) -> Counts | None:
        """Return the constraints about counts, or None if there are none or too many."""
        variables, domains = problem.variables, problem.domains
        constraints = [
            reasoned
            for reasoned in problem.reasoned_constraints()
            if has_only_counts(variables, reasoned)
        ]
        if not constraints or len(constraints) * sum(domains.high) > MAX_CELLS:
            return None
        count_constraints = [reasoned.constraint for reasoned in constraints]
        colors = sorted({color for color, _ in mentioned_counts(variables, count_constraints)})
        index_of_color = {color: index for index, color in enumerate(colors)}
        count_domains = [
            list(range(domains.low[color], domains.high[color] + 1)) for color in colors
        ]
        others = [color for color in range(variables.colors) if color not in index_of_color]
        low = variables.pegs - sum(domains.high[color] for color in others)
        high = variables.pegs - sum(domains.low[color] for color in others)
        sums = [CountSum(tuple(map(tuple, count_domains)), low, high)]
        for constraint in count_constraints:
            thresholds: list[list[int]] = [[] for _ in colors]
            num_negated = 0
            for literal in constraint.literals:
                if isinstance(literal, int):
                    color, count = variables.color_count(literal)
                    thresholds[index_of_color[color]].append(count if literal > 0 else -count)
                    num_negated += literal < 0
            contributions = tuple(map(contributions_of, count_domains, thresholds))
            sums.append(
                CountSum(contributions, constraint.low - num_negated, constraint.high - num_negated)
            )
        rows = 0
        for reason in (
            *(reasoned.rows for reasoned in constraints),
            *domains.reason_low,
            *domains.reason_high,
        ):
            rows |= reason
        return cls(colors, count_domains, sums, rows)

    def restrict(self, is_kept: Sequence[Sequence[bool]]) -> Counts:
        """Return the same constraints on a selection of the counts of each color."""

        def select(values: Sequence[Sequence[int]]) -> list[list[int]]:
            return [
                list(compress(color_values, selectors))
                for color_values, selectors in zip(values, is_kept, strict=True)
            ]

        sums = [
            CountSum(
                tuple(map(tuple, select(constraint.contributions))),
                constraint.low,
                constraint.high,
            )
            for constraint in self.sums
        ]
        return Counts(self.colors, select(self.domains), sums, self.rows)

    def filter(self) -> Counts | None:
        """Apply the surrogate filter if there are many choices; return None if it refutes all."""
        is_large = prod(map(len, self.domains)) >> MIN_FILTERED_CHOICES_LOG2 > 0
        return surrogate_filter(self) if is_large else self


def has_only_counts(variables: VariableMap, reasoned: ReasonedConstraint) -> bool:
    """Return whether a constraint has literals, and all of them are about counts."""
    return bool(reasoned.constraint.literals) and all(
        isinstance(literal, int) and not variables.is_at(literal)
        for literal in reasoned.constraint.literals
    )


def contributions_of(counts: Sequence[int], thresholds: Iterable[int]) -> tuple[int, ...]:
    """Return the contribution of each count: the positive minus the negative thresholds it reaches.

    The counts are consecutive integers. A threshold is reached if the count is at least its
    absolute value.
    """
    increases = [0] * len(counts)
    for threshold in thresholds:
        index = max(0, abs(threshold) - min(counts, default=0))
        if index < len(increases):
            increases[index] += 1 if threshold > 0 else -1
    return tuple(accumulate(increases))


def count_bounds(counts: Counts) -> list[tuple[int, int]]:
    """Return bounds of the count of each color, or an empty list if no histogram exists.

    The bounds are exact if all histograms can be enumerated.
    """
    filtered = counts.filter()
    if filtered is None:
        return []
    bounds = exact_bounds(filtered)
    return [(domain[0], domain[-1]) for domain in filtered.domains] if bounds is None else bounds


def exact_bounds(
    counts: Counts, max_work: int = MAX_ENUMERATION_WORK
) -> list[tuple[int, int]] | None:
    """Return the minimum and the maximum count of each color over all histograms.

    Return an empty list if there is no histogram, and None if the enumeration exceeds `max_work`
    or there are too many colors.
    """
    if not all(counts.domains):
        return []
    if sum(len(domain) > 1 for domain in counts.domains) > MAX_OPEN_COLORS:
        return None
    widest_bounds = [(domain[0], domain[-1]) for domain in counts.domains]
    bounds: list[tuple[int, int]] = []
    try:
        for histogram in enumerate_histograms(counts, max_work):
            color_counts = [histogram[color] for color in counts.colors]
            previous_bounds = bounds or [(count, count) for count in color_counts]
            bounds = [
                (min(low, count), max(high, count))
                for (low, high), count in zip(previous_bounds, color_counts, strict=True)
            ]
            if bounds == widest_bounds:
                break
    except EnumerationLimitError:
        return None
    return bounds


def enumerate_histograms(
    counts: Counts, max_work: int = MAX_ENUMERATION_WORK
) -> Iterator[dict[int, int]]:
    """Yield all histograms, each as counts by color; colors with few possible counts vary slowest.

    Raises EnumerationLimitError if more than `max_work` sums are updated.
    """
    if not all(counts.domains):
        return
    size = len(counts.domains)
    order = sorted(range(size), key=lambda index: (len(counts.domains[index]), index))
    columns = [[constraint.contributions[index] for constraint in counts.sums] for index in order]
    increments = [list(zip(*column, strict=True)) for column in columns]
    # low[d] and high[d] bound the sums of the first d colors in this order: the bounds of the
    # constraints, extended by the contributions that the other colors can make.
    low = [[constraint.low for constraint in counts.sums]]
    high = [[constraint.high for constraint in counts.sums]]
    for column in reversed(columns):
        low.append([bound - max(terms) for bound, terms in zip(low[-1], column, strict=True)])
        high.append([bound - min(terms) for bound, terms in zip(high[-1], column, strict=True)])
    low.reverse()
    high.reverse()
    path: list[int] = []
    sums = [[0] * len(counts.sums)]
    next_choices = [0]
    while next_choices:
        depth = len(path)
        if depth == size:
            yield {
                counts.colors[index]: counts.domains[index][choice]
                for index, choice in zip(order, path, strict=True)
            }
        elif next_choices[-1] < len(increments[depth]):
            choice = next_choices[-1]
            next_choices[-1] += 1
            if max_work < 0:
                raise EnumerationLimitError
            max_work -= len(counts.sums)
            next_sums = list(map(int.__add__, sums[-1], increments[depth][choice]))
            if all(map(int.__le__, low[depth + 1], next_sums)) and all(
                map(int.__le__, next_sums, high[depth + 1])
            ):
                sums.append(next_sums)
                path.append(choice)
                next_choices.append(0)
            continue
        next_choices.pop()
        if path:
            path.pop()
            sums.pop()


def surrogate_filter(counts: Counts) -> Counts | None:
    """Drop the counts that weighted sums exclude; return None if they exclude all histograms."""
    num_cells = len(counts.sums) * sum(map(len, counts.domains))
    if not num_cells or num_cells * MIN_FILTER_ROUNDS > MAX_FILTER_PRODUCTS:
        return counts
    is_possible = _core.surrogate_filter(
        [constraint.contributions for constraint in counts.sums],
        [constraint.low for constraint in counts.sums],
        [constraint.high for constraint in counts.sums],
        min(LIMITS.surrogate_rounds, MAX_FILTER_PRODUCTS // num_cells),
        MAX_STALLED_ROUNDS,
    )
    return None if is_possible is None else counts.restrict(is_possible)
