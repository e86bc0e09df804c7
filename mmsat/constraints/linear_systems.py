"""What a board says about the colors of pegs alone: linear equations, for each histogram its own.

A constraint that so many literals are true, no more and no fewer, is an equation over the code
variables as soon as all literals about counts are known. So the histograms, the counts of all
colors that the constraints allow together, are listed, and each makes one reading: the equations of
the constraints, and that the pegs of each color add up to its count. Constraints that are no
equations are left out, so a code of the reading may still miss the board; but every code of the
board is one of some reading.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from mmsat.constraints.max_entropy import entropy, likely_colors
from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.histogram_search import (
    Counts,
    EnumerationLimitError,
    enumerate_histograms,
)
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.system import System
from mmsat.game.literals import CardinalityConstraint, VariableMap

MAX_HISTOGRAMS = 32
"""Number of histograms beyond which no equations are read."""


@dataclass(frozen=True, slots=True, eq=False)
class PegEquations:
    """Linear equations about the colors of pegs."""

    colors: int
    allowed: tuple[tuple[int, ...], ...]
    """By peg: the colors that it may have."""
    weights: np.ndarray
    """By equation, then by peg * colors + color: what that color of that peg adds to its total."""
    totals: tuple[int, ...]

    @property
    def freedom(self) -> int:
        """The number of free coordinates of a code: for each peg, one less than its colors."""
        return sum(len(colors) - 1 for colors in self.allowed)

    @property
    def dimension(self) -> int:
        """The number of coordinates less that of the equations, as if these were independent."""
        return max(0, self.freedom - len(self.totals))

    @property
    def likely(self) -> np.ndarray:
        """The probability of each color of each peg given the equations, by maximum entropy."""
        return likely_colors(self.allowed, self.weights, self.totals)

    @property
    def entropy(self) -> float:
        """The entropy of these probabilities, in bits."""
        return entropy(self.likely)


def linear_systems(
    problem: Problem, max_histograms: int = MAX_HISTOGRAMS
) -> list[PegEquations] | None:
    """Return the equations for each histogram; None if there are too many, or too long to list.

    They differ in their totals alone.
    """
    system = problem.reduce()
    listed = histograms(problem, set(system.depths()), max_histograms)
    if listed is None:
        return None
    systems = (linear_system(problem, system, histogram) for histogram in listed)
    return [each for each in systems if each is not None]


def histograms(
    problem: Problem, colors: set[int], max_histograms: int
) -> list[dict[int, int]] | None:
    """Return all possible counts by color, for colors that must include the given ones."""
    if not colors:
        return [{}]
    counts = Counts.of(problem)
    if counts is None or not colors <= set(counts.colors):
        return None
    filtered = counts.filter()
    if filtered is None:
        return []
    try:
        listed = list(islice(enumerate_histograms(filtered), max_histograms + 1))
    except EnumerationLimitError:
        return None
    return None if len(listed) > max_histograms else listed


def linear_system(
    problem: Problem, system: System, histogram: Mapping[int, int]
) -> PegEquations | None:
    """Return the equations of a system with given counts; None if these contradict it."""
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
    allowed = tuple(tuple(bits(left)) for left in problem.domains.domain)
    return PegEquations(variables.colors, allowed, weights, tuple(totals))


def read(
    variables: VariableMap, constraint: CardinalityConstraint, histogram: Mapping[int, int]
) -> tuple[dict[int, int], int] | None:
    """Return a constraint as weights of code variables and a total; None if it is not an equation.

    If there are no variables, the total is 0 if the constraint holds, and 1 otherwise.
    """
    places: dict[int, int] = {}
    true = 0
    for literal in constraint.literals:
        if isinstance(literal, tuple):
            return None
        if variables.is_at(literal):
            places[abs(literal)] = 1 if literal > 0 else -1
            true += literal < 0
        else:
            color, count = variables.color_count(literal)
            true += (histogram[color] >= count) == (literal > 0)
    if not places:
        return {}, int(not constraint.low <= true <= constraint.high)
    return (places, constraint.low - true) if constraint.low == constraint.high else None
