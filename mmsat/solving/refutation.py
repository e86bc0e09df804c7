"""Refutations of two-color boards: rows whose integer combination is a contradiction.

A board of two colors is a set of linear equations (constraints/two_colors.py): one system for each
weight of the code that no single row excludes. A `Refutation` lists rows that exclude all other
weights. For each remaining weight it has an unsatisfiable combination of equations, found by
elimination, or by linear programming if a total is out of reach.

`Relaxation` is the linear programming relaxation (GLOP). It quickly finds rows that conflict even
for fractional values, and a multiplier for each of their constraints such that they add up to a
contradiction. GLOP computes in floating point. Therefore the multipliers are rounded to rational
numbers with small denominators and scaled to integers, and they are used only if the integers prove
the contradiction. Other callers must verify the results as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from mmsat.constraints.parities import Certificate
from mmsat.constraints.two_colors import TwoColorEquations, read_equations, simplify, weights
from mmsat.encoding.linear import LinearConstraint
from mmsat.game.board import Board
from mmsat.game.refutation import Combination, Refutation
from mmsat.solving.simplification import is_algebraic

if TYPE_CHECKING:
    from collections.abc import Collection

TOLERANCE = 1e-6
"""Maximum absolute value that counts as 0."""
LARGEST = 500_000
"""Maximum number of terms for which linear programming is used. With more, it takes too long."""


class Relaxation:
    """Constraints that always hold, and rows of constraints that can be selected.

    The total violation of the selected rows is minimized. If the minimum is positive, the rows
    conflict.
    """

    def __init__(
        self,
        variables: int,
        hard: Iterable[LinearConstraint],
        rows: Sequence[Sequence[LinearConstraint]],
    ) -> None:
        """Build the linear program."""
        from ortools.linear_solver import pywraplp

        self.program: Any = pywraplp.Solver.CreateSolver("GLOP")
        self.done = pywraplp.Solver.OPTIMAL
        self.infinity = self.program.infinity()
        self.variables = [self.program.NumVar(0, 1, "") for _ in range(variables)]
        for line in hard:
            self._add(line)
        self.rows = [[self._add(line) for line in row] for row in rows]
        self.gaps = [
            [gap for constraint in row for gap in self._add_gaps(constraint)] for row in self.rows
        ]
        self.program.Objective().SetMinimization()

    def _add(self, line: LinearConstraint) -> Any:
        """Add a constraint."""
        low = -self.infinity if line.low is None else line.low
        high = self.infinity if line.high is None else line.high
        constraint = self.program.Constraint(low, high)
        for coefficient, variable in line.terms:
            constraint.SetCoefficient(self.variables[variable - 1], coefficient)
        return constraint

    def _add_gaps(self, constraint: Any) -> list[Any]:
        """Add one variable for each direction in which a constraint can be violated."""
        gaps = []
        for side in (1, -1):
            gaps.append(self.program.NumVar(0, self.infinity, ""))
            constraint.SetCoefficient(gaps[-1], side)
        return gaps

    def farkas_multipliers(self, rows: Collection[int]) -> dict[int, list[float]] | None:
        """Return the Farkas multipliers of the constraints of some of the given rows.

        These are the dual values of the linear program. With these multipliers, the constraints add
        up to a contradiction. Returns None if there is no contradiction or the minimum is too close
        to 0.
        """
        objective = self.program.Objective()
        for row, gaps in enumerate(self.gaps):
            for gap in gaps:
                objective.SetCoefficient(gap, 1 if row in rows else 0)
        if self.program.Solve() != self.done or objective.Value() < TOLERANCE:
            return None
        multipliers = {
            row: [constraint.dual_value() for constraint in self.rows[row]] for row in rows
        }
        return {
            row: numbers
            for row, numbers in multipliers.items()
            if any(abs(number) > TOLERANCE for number in numbers)
        }


def is_too_large(
    hard: Iterable[LinearConstraint],
    rows: Iterable[Iterable[LinearConstraint]],
    most: int = LARGEST,
) -> bool:
    """Return whether the program would have more than `most` terms, and be slow."""
    lengths = (len(line.terms) for lines in (hard, *rows) for line in lines)
    return sum(lengths) > most


MAX_DENOMINATORS = (1, 12, 1000)
"""Bounds on the denominators to which the multipliers of linear programming are rounded, smallest
first."""


def refute_equations(board: Board, *, thorough: bool) -> Refutation | None:
    """Return why a board of linear equations has no code, or None; see `refute`."""
    combinations = []
    for equations in read_equations(board):
        certificate = _certificate(equations, thorough=thorough)
        if certificate is None:
            return None
        combinations.append(_combination(certificate, equations))
    combined = {row for combination in combinations for row, _ in combination.rows}
    return Refutation(_weighing(board, sorted(combined), weights(board)), tuple(combinations))


def _certificate(equations: TwoColorEquations, *, thorough: bool) -> Certificate | None:
    """Return a certificate that the equations have no solution, or None if none is found."""
    simplified = simplify(equations)
    if isinstance(simplified, Certificate):
        return _shrink_multipliers(simplified, equations)
    return out_of_reach(equations) if thorough else None


def _shrink_multipliers(certificate: Certificate, equations: TwoColorEquations) -> Certificate:
    """Return an equivalent certificate with smaller and fewer multipliers, if it is valid, too."""
    modulus = certificate.modulus
    numbers = {index: number for index, number in certificate.multipliers.items() if number}
    if common := gcd(*numbers.values()):
        numbers = {index: number // common for index, number in numbers.items()}
        modulus //= gcd(modulus, common)
    if modulus:  # multiples of the modulus change nothing
        reduced = {
            index: number if 2 * abs(number) <= modulus else number % modulus
            for index, number in numbers.items()
        }
        numbers = {
            index: number - modulus if 2 * number > modulus else number
            for index, number in reduced.items()
            if number % modulus
        }
    # Most multipliers should be positive; if half of them are, the first one should be.
    positive = sum(number > 0 for number in numbers.values())
    if (2 * positive, numbers.get(min(numbers, default=0), 0) > 0) < (len(numbers), True):
        numbers = {index: -number for index, number in numbers.items()}
    small_certificate = type(certificate)(numbers, modulus)
    return small_certificate if small_certificate.proves(equations) else certificate


def out_of_reach(equations: TwoColorEquations) -> Certificate | None:
    """Return a certificate that a total is out of reach, by linear programming, or None."""
    if equations.signs.size > LARGEST:
        return None
    lines = [
        [
            LinearConstraint(
                "", tuple(zip(signs, range(1, equations.pegs + 1), strict=True)), total, total
            )
        ]
        for signs, total in zip(equations.signs.tolist(), equations.totals.tolist(), strict=True)
    ]
    multipliers = Relaxation(equations.pegs, (), lines).farkas_multipliers(range(len(lines))) or {}
    for bound in MAX_DENOMINATORS:
        fractions = {
            index: Fraction(number).limit_denominator(bound)
            for index, (number,) in multipliers.items()
        }
        common = lcm(1, *(number.denominator for number in fractions.values()))
        integers = {index: int(number * common) for index, number in fractions.items() if number}
        certificate = Certificate(integers)
        if certificate.proves(equations):
            return _shrink_multipliers(certificate, equations)
    return None


def _combination(certificate: Certificate, equations: TwoColorEquations) -> Combination:
    """Return the certificate with the board's rows in place of its equations."""
    sources = equations.sources
    numbers = {
        sources[index]: number for index, number in certificate.multipliers.items() if number
    }
    times_weight = numbers.pop(None, 0)
    rows = tuple(sorted((row, number) for row, number in numbers.items() if row is not None))
    return Combination(equations.weight, rows, times_weight, certificate.modulus or None)


def _weighing(
    board: Board, combined: Sequence[int], remaining_weights: list[int] | list[None]
) -> tuple[int, ...]:
    """Return few rows that exclude all other weights than the remaining ones.

    The rows of `combined` are tried first, because the refutation needs them anyway.
    """
    order = [*combined, *(row for row in range(len(board.rows)) if row not in {*combined})]
    chosen: list[int] = []
    while weights(board.only(chosen)) != remaining_weights:
        at_least, at_most = 1, len(order)  # binary search: how many of the first rows are needed
        while at_least < at_most:
            middle = (at_least + at_most) // 2
            if weights(board.only([*chosen, *order[:middle]])) == remaining_weights:
                at_most = middle
            else:
                at_least = middle + 1
        chosen.append(order[at_least - 1])
        order = order[: at_least - 1]
    return tuple(sorted(chosen))


def refute(board: Board, *, thorough: bool = False) -> Refutation | None:
    """Return why a board has no code if no search is needed to see it; its rows are a smaller core.

    Returns None for every board that is not a set of linear equations. If `thorough`, linear
    programming is used, too.
    """
    if not is_algebraic(board):
        return None

    return refute_equations(board, thorough=thorough)
