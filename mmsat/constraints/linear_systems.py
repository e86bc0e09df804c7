"""Linear equations over the code variables, one system for each histogram of a board.

A constraint that exactly m literals are true is a linear equation over the code variables, once the
values of all literals about counts are fixed. Therefore the histograms (the counts of all colors)
that the constraints allow are listed. Each histogram gives a system: the equations of the
constraints, and equations that the pegs of each color add up to its count. Constraints that are not
equations are omitted. So every code of the board satisfies one of the systems, but a code that
satisfies a system may still violate the board.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from mmsat._util.arrays import Array, np
from mmsat.constraints.max_entropy import entropy, likely_colors
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
"""The maximum number of histograms; if there are more, no systems are returned."""


@dataclass(frozen=True, slots=True, eq=False)
class PegEquations:
    """Linear equations about the colors of pegs."""

    colors: int
    allowed: tuple[tuple[int, ...], ...]
    """The possible colors of each peg."""
    weights: Array
    """The coefficients of each equation, by peg * colors + color."""
    totals: tuple[int, ...]

    @property
    def freedom(self) -> int:
        """The number of free coordinates of a code: for each peg, one less than its colors."""
        return sum(len(colors) - 1 for colors in self.allowed)

    @property
    def dimension(self) -> int:
        """The number of free coordinates minus the number of equations, or 0 if it is negative.

        This is the dimension of the solutions if the equations are independent.
        """
        return max(0, self.freedom - len(self.totals))

    @property
    def likely(self) -> Array:
        """The probability of each color of each peg given the equations, by maximum entropy."""
        return likely_colors(self.allowed, self.weights, self.totals)

    @property
    def entropy(self) -> float:
        """The entropy of these probabilities, in bits."""
        return entropy(self.likely)


def linear_systems(
    problem: Problem, max_histograms: int = MAX_HISTOGRAMS
) -> list[PegEquations] | None:
    """Return the equations for each histogram, or None if there are too many histograms.

    None is also returned if the enumeration of histograms takes too long. The systems differ only
    in their totals.
    """
    system = problem.reduce()
    histogram_list = histograms(problem, set(system.depths()), max_histograms)
    if histogram_list is None:
        return None
    systems = (linear_system(problem, system, histogram) for histogram in histogram_list)
    return [equations for equations in systems if equations is not None]


def histograms(
    problem: Problem, colors: set[int], max_histograms: int
) -> list[dict[int, int]] | None:
    """Return all histograms, or None if there are too many or the enumeration takes too long.

    None is also returned if counts of the given `colors` are not part of the histograms.
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
    """Return the equations of a system for a histogram, or None if the histogram contradicts it."""
    variables = system.variables
    rows, totals = [], []
    for constraint in system.constraints:
        equation = read(variables, constraint, histogram)
        if equation is None:
            continue
        places, total = equation
        if places:
            rows.append(places)
            totals.append(total)
        elif total:
            return None
    for color, count in histogram.items():
        rows.append({variables.at(peg, color): 1 for peg in range(variables.pegs)})
        totals.append(count)
    weights = np.zeros((len(rows), variables.pegs * variables.colors), dtype=np.int32)
    for row, places in zip(weights, rows, strict=True):
        row[np.array(list(places)) - 1] = list(places.values())
    allowed = tuple(tuple(bits(domain)) for domain in problem.domains.domain)
    return PegEquations(variables.colors, allowed, weights, tuple(totals))


def read(
    variables: VariableMap, constraint: CardinalityConstraint, histogram: Mapping[int, int]
) -> tuple[dict[int, int], int] | None:
    """Return a constraint as coefficients of code variables and a total.

    The truth of `least` literals follows from the histogram. Return None for a constraint that is
    not an equation: it has a conjunction, or different bounds.

    If there are no variables, the total is 0 if the constraint holds, and 1 otherwise.
    """
    places: dict[int, int] = {}
    true_count = 0
    for literal in constraint.literals:
        if isinstance(literal, tuple):
            return None
        if variables.is_at(literal):
            places[abs(literal)] = 1 if literal > 0 else -1
            true_count += literal < 0
        else:
            color, count = variables.color_count(literal)
            true_count += (histogram[color] >= count) == (literal > 0)
    if not places:
        return {}, int(not constraint.low <= true_count <= constraint.high)
    return (places, constraint.low - true_count) if constraint.low == constraint.high else None
