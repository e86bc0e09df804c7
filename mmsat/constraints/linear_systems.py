"""Linear equations over the code variables, one set of equations for each histogram of a system.

A constraint that exactly m literals are true is a linear equation over the code variables, once the
values of all literals about counts are fixed. Therefore the histograms (the counts of all colors)
that the constraints allow are listed. Each histogram gives a set of equations: those of the
constraints, and for each color that its pegs add up to its count. Constraints that are not
equations are omitted. So every code of the system satisfies one of the sets, but a code that
satisfies a set may still violate the system.

**Estimated probabilities** of the colors of each peg (`estimate_color_probabilities`). Consider
distributions of codes with independent pegs that satisfy the equations in expectation. The
distribution of maximum entropy approximates the uniform distribution on the codes that satisfy the
equations. In this distribution, each equation has a factor. The probability of a color of a peg is
proportional to the product of the factors, each to the power of the coefficient of the color in its
equation [1, 2]. The logarithms of the factors minimize a convex function. Newton's method finds
them in about a dozen steps.

References
----------
[1] Jaynes (1957), "Information theory and statistical mechanics", Physical Review 106.
[2] Barvinok and Hartigan (2010), "Maximum entropy Gaussian approximations for the number of integer
    points and volumes of polytopes", Advances in Applied Mathematics 45. It treats linear equations
    about many independent variables with few values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from mmsat._util.arrays import Array, np
from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.histogram_search import (
    Counts,
    EnumerationLimitError,
    enumerate_histograms,
)
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.system import System
from mmsat.game.space import CardinalityConstraint, VariableMap

MAX_HISTOGRAMS = 32
"""Maximum number of histograms; if there are more, no equations are returned."""


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

    None is also returned if a histogram would not have the count of one of the `colors`.
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
    allowed = tuple(tuple(bits(domain)) for domain in problem.domains.domain)
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
    constant = 0  # of the left-hand side: a negated literal is 1 minus its variable
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
"""Multiple of the identity that is added to the Hessian, which is singular if equations depend on
each other."""
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
