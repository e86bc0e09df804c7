"""The histograms of a system (counts of all colors), and the linear equations for each histogram.

**Search** for the histograms that satisfy all constraints about counts. A constraint about counts
alone ("5 colors in common") bounds a sum, to which the count of each color contributes a number.
All counts add up to the number of pegs. A histogram is a choice of all counts that satisfies these
constraints. There are three methods, from the fastest to the strongest:

- `surrogate_filter` adds up all sums, each times an integer weight [1]. The minimum contributions
  of all colors bound the weighted sum from below. If this bound, for a given count of one color,
  exceeds the upper bound of the weighted sum, no histogram has this count. The weights are found
  like those of a perceptron [2]: choose for each color the count with the minimum contribution, and
  change the weights by the violations of the sums of these counts. On dense boards, this decides
  nearly all counts, although an enumeration would not finish.
- `enumerate_histograms` lists the histograms, color by color, and backtracks if a sum cannot reach
  its bounds.
- CP-SAT, in solving/cp.py, is the fallback for counts that both leave undecided. For 12 rows of
  20 pegs and 20 colors, it finds a histogram in 0.02 s, while the enumeration needs more than 6 s.
  But importing CP-SAT takes longer than the presolve of any board.

**Linear equations** over the code variables, one set of equations for each histogram. A constraint
that exactly m literals are true is a linear equation over the code variables, once the values of
all literals about counts are fixed. Therefore the possible histograms are listed. Each of them
gives a set of equations: those of the constraints, and for each color that its pegs add up to its
count. Constraints that are not equations are omitted. So every code of the system satisfies one of
the sets, but a code that satisfies a set may still violate the system.

**Estimated probabilities** of the colors of each peg (`estimate_color_probabilities`). Consider
distributions of codes with independent pegs that satisfy the equations in expectation. The
distribution of maximum entropy approximates the uniform distribution on the codes that satisfy the
equations. In this distribution, each equation has a factor. The probability of a color of a peg is
proportional to the product of the factors, each to the power of the coefficient of the color in its
equation [3, 4]. The logarithms of the factors minimize a convex function. Newton's method finds
them in about a dozen steps.

References
----------
[1] Glover (1968), "Surrogate constraints", Operations Research 16.
[2] Rosenblatt (1958), "The perceptron", Psychological Review 65.
[3] Jaynes (1957), "Information theory and statistical mechanics", Physical Review 106.
[4] Barvinok and Hartigan (2010), "Maximum entropy Gaussian approximations for the number of integer
    points and volumes of polytopes", Advances in Applied Mathematics 45. It treats linear equations
    about many independent variables with few values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, islice
from math import prod
from typing import NamedTuple

from mmsat import _core
from mmsat._util import Array, np
from mmsat.constraints import System
from mmsat.constraints.domains import ReasonedConstraint, bits
from mmsat.constraints.presolve_state import Problem, mentioned_counts
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.limits import LIMITS

MAX_ENUMERATION_WORK = 100_000
"""Maximum number of sums that the enumeration updates; this takes about 1/40 s."""
MAX_CELLS = 400_000
"""No search is done if the number of possible counts times the number of constraints is larger."""
MAX_OPEN_COLORS = 200
"""Maximum number of colors with several possible counts for an enumeration."""
MAX_STALLED_ROUNDS = 600
"""The surrogate filter stops after this many consecutive rounds that exclude no count. A round
updates the weights once."""
MAX_FILTER_PRODUCTS = 60_000_000
"""Maximum number of multiplications of the surrogate filter. They take about as long as an
enumeration with `MAX_ENUMERATION_WORK`."""
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
    """The possible counts of colors, and the constraints on them.

    A histogram is a choice of one count for each color that satisfies the constraints.
    """

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
        # The first sum has only these colors. The counts of the others widen its bounds.
        other_colors = [color for color in range(variables.colors) if color not in index_of_color]
        low = variables.pegs - sum(domains.high[color] for color in other_colors)
        high = variables.pegs - sum(domains.low[color] for color in other_colors)
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
            """Return the values of each color at the indices that are kept."""
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
        """Apply the surrogate filter if there are many choices; return None if none remains."""
        is_large = prod(map(len, self.domains)) >> MIN_FILTERED_CHOICES_LOG2 > 0
        return surrogate_filter(self) if is_large else self


def has_only_counts(variables: VariableMap, reasoned: ReasonedConstraint) -> bool:
    """Return whether a constraint has literals, and all of them are about counts."""
    return bool(reasoned.constraint.literals) and all(
        isinstance(literal, int) and not variables.is_at(literal)
        for literal in reasoned.constraint.literals
    )


def contributions_of(counts: Sequence[int], thresholds: Iterable[int]) -> tuple[int, ...]:
    """Return the contribution of each count to the sum of some literals "at least t pegs".

    `thresholds` has t for each literal, and -t for each negated one. A count contributes the number
    of positive thresholds that it reaches, minus that of the negative ones. It reaches a threshold
    if it is at least the absolute value. The counts are consecutive integers.
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
    """Yield all histograms, each as a dictionary of counts by color.

    Colors with few possible counts are chosen first, because this leaves the fewest branches.

    Raises EnumerationLimitError if more than `max_work` sums are updated.
    """
    if not all(counts.domains):
        return
    size = len(counts.domains)
    order = sorted(range(size), key=lambda index: (len(counts.domains[index]), index))
    columns = [[constraint.contributions[index] for constraint in counts.sums] for index in order]
    increments = [list(zip(*column, strict=True)) for column in columns]
    # low[d] and high[d] bound the sums of the first d colors in this order, so that the other
    # colors can still bring each sum within the bounds of its constraint.
    low = [[constraint.low for constraint in counts.sums]]
    high = [[constraint.high for constraint in counts.sums]]
    for column in reversed(columns):
        low.append([bound - max(terms) for bound, terms in zip(low[-1], column, strict=True)])
        high.append([bound - min(terms) for bound, terms in zip(high[-1], column, strict=True)])
    low.reverse()
    high.reverse()
    # Depth-first search with explicit stacks. `path` has the chosen index into the domain of each
    # color so far. `sums` has the sums after each choice, and `next_choices` the next index to try.
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


MAX_HISTOGRAMS = 32
"""Maximum number of histograms, each of which needs a set of equations. If there are more, no
equations are returned."""


@dataclass(frozen=True, slots=True, eq=False)
class PegEquations:
    """Linear equations about the colors of pegs."""

    colors: int
    allowed: tuple[tuple[int, ...], ...]
    """The possible colors of each peg."""
    coefficients: Array
    """The coefficients of each equation, indexed by peg * colors + color."""
    totals: tuple[int, ...]

    @property
    def freedom(self) -> int:
        """The number of free coordinates of a code: for each peg, one less than its colors."""
        return sum(len(colors) - 1 for colors in self.allowed)

    @property
    def dimension(self) -> int:
        """The number of free coordinates minus the number of equations, at least 0.

        It is the dimension of the set of solutions if the equations are independent.
        """
        return max(0, self.freedom - len(self.totals))

    @property
    def color_probabilities(self) -> Array:
        """The probability of each color of each peg given the equations, by maximum entropy."""
        return estimate_color_probabilities(self.allowed, self.coefficients, self.totals)

    @property
    def entropy(self) -> float:
        """The entropy of `color_probabilities`, in bits."""
        return entropy(self.color_probabilities)


def linear_systems(
    problem: Problem, max_histograms: int = MAX_HISTOGRAMS
) -> list[PegEquations] | None:
    """Return the equations for each histogram, or None if the histograms cannot be listed.

    The sets of equations differ only in their totals. Contradictory sets are omitted.
    """
    system = problem.reduce()
    histogram_list = histograms(problem, set(system.highest_counts()), max_histograms)
    if histogram_list is None:
        return None
    equation_sets = (linear_system(problem, system, histogram) for histogram in histogram_list)
    return [equations for equations in equation_sets if equations is not None]


def histograms(
    problem: Problem, colors: set[int], max_histograms: int
) -> list[dict[int, int]] | None:
    """Return all histograms, or None if there are too many or the enumeration takes too long.

    Histograms have the counts of constrained colors only. Return None if one of `colors`, whose
    counts the caller needs, is not among them.
    """
    if not colors:
        return [{}]
    counts = Counts.of(problem)
    if counts is None or not colors <= set(counts.colors):
        return None
    filtered = counts.filter()
    if filtered is None:
        return []
    try:
        histogram_list = list(islice(enumerate_histograms(filtered), max_histograms + 1))
    except EnumerationLimitError:
        return None
    return None if len(histogram_list) > max_histograms else histogram_list


def linear_system(
    problem: Problem, system: System, histogram: Mapping[int, int]
) -> PegEquations | None:
    """Return the equations of a system for a histogram, or None if they contradict each other.

    Only contradictions within one constraint are detected.
    """
    variables = system.variables
    terms, totals = [], []
    for constraint in system.constraints:
        equation = read_equation(variables, constraint, histogram)
        if equation is None:
            continue
        coefficient_of, total = equation
        if coefficient_of:
            terms.append(coefficient_of)
            totals.append(total)
        elif total:
            return None
    for color, count in histogram.items():
        terms.append({variables.at(peg, color): 1 for peg in range(variables.pegs)})
        totals.append(count)
    coefficients = np.zeros((len(terms), variables.pegs * variables.colors), dtype=np.int32)
    for row, coefficient_of in zip(coefficients, terms, strict=True):
        row[np.array(list(coefficient_of)) - 1] = list(coefficient_of.values())
    allowed = tuple(tuple(bits(domain)) for domain in problem.domains.possible_colors)
    return PegEquations(variables.colors, allowed, coefficients, tuple(totals))


def read_equation(
    variables: VariableMap, constraint: CardinalityConstraint, histogram: Mapping[int, int]
) -> tuple[dict[int, int], int] | None:
    """Return a constraint as an equation: the coefficient of each code variable, and the total.

    The truth of literals about counts follows from the histogram. Without other literals, the
    total is 0 if the constraint holds, and 1 otherwise. Return None for a constraint that is not an
    equation, because it has a conjunction or different bounds.
    """
    coefficient_of: dict[int, int] = {}
    constant = 0  # part of the left-hand side, because a negated literal is 1 minus its variable
    for literal in constraint.literals:
        if isinstance(literal, tuple):
            return None
        if variables.is_at(literal):
            coefficient_of[abs(literal)] = 1 if literal > 0 else -1
            constant += literal < 0
        else:
            color, count = variables.color_count(literal)
            constant += (histogram[color] >= count) == (literal > 0)
    if not coefficient_of:
        return {}, int(not constraint.low <= constant <= constraint.high)
    if constraint.low != constraint.high:
        return None
    return coefficient_of, constraint.low - constant


MAX_NEWTON_STEPS = 60
"""Maximum number of Newton steps. A dozen are enough if some distribution satisfies the equations
in expectation."""
TOTAL_TOLERANCE = 1e-4
"""Newton's method stops if the expectation of every equation is this close to its total."""
RIDGE = 1e-9
"""This multiple of the identity is added to the Hessian, which would be singular if equations
depend on each other."""
STEP_SIZES = tuple(0.5**times for times in range(20))
"""Step sizes of the backtracking line search. The first one with a sufficient decrease is used."""
MIN_DESCENT_FRACTION = 0.25
"""Required decrease, as a fraction of the decrease that the gradient predicts (Armijo's rule)."""


def entropy(probabilities: Array) -> float:
    """Return the entropy, in bits, of independent pegs with these probabilities of colors."""
    positive = probabilities[probabilities > 0]
    return -float(positive @ np.log2(positive))


def estimate_color_probabilities(
    allowed: Sequence[Sequence[int]], coefficients: Array, totals: Sequence[int]
) -> Array:
    """Return the probability of each color of each peg under maximum entropy.

    If no distribution satisfies the equations in expectation, the result is an approximation.

    - `allowed`: the possible colors of each peg.
    - `coefficients`: the coefficients of each equation, indexed by peg * colors + color.
    - `totals`: the total of each equation.

    The result is indexed by peg * colors + color; the probabilities of each peg add up to 1.
    """
    pegs, colors = len(allowed), coefficients.shape[1] // len(allowed)
    log_mask = np.full((pegs, colors), -np.inf)
    for peg, peg_colors in enumerate(allowed):
        log_mask[peg, list(peg_colors)] = 0

    def evaluate(factors: Array) -> tuple[float, Array]:
        """Return the convex function and the probabilities at the logarithms of the factors."""
        exponents = (factors @ coefficients).reshape(pegs, colors) + log_mask
        max_exponents = exponents.max(axis=1, keepdims=True)
        exponentials = np.exp(exponents - max_exponents)
        sums = exponentials.sum(axis=1, keepdims=True)
        return float((max_exponents + np.log(sums)).sum() - factors @ totals), exponentials / sums

    factors = np.zeros(len(totals))
    value, probabilities = evaluate(factors)
    for _ in range(MAX_NEWTON_STEPS):
        gaps = coefficients @ probabilities.ravel() - totals
        if np.abs(gaps).max(initial=0) < TOTAL_TOLERANCE:
            break
        weighted_coefficients = coefficients * probabilities.ravel()
        means = weighted_coefficients.reshape(-1, pegs, colors).sum(axis=2)
        curvature = (
            weighted_coefficients @ coefficients.T - means @ means.T + RIDGE * np.eye(len(totals))
        )
        # A Newton step. `gaps` is the gradient of the convex function, `curvature` its Hessian: the
        # covariance matrix of the left-hand sides of the equations.
        step = np.linalg.solve(curvature, gaps)
        min_decrease = MIN_DESCENT_FRACTION * float(gaps @ step)
        for step_size in STEP_SIZES:
            next_value, next_probabilities = evaluate(factors - step_size * step)
            if next_value <= value - step_size * min_decrease:
                break
        else:
            break
        factors, value, probabilities = factors - step_size * step, next_value, next_probabilities
    return probabilities.ravel()
