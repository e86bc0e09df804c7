"""Refutations of two-color boards: rows whose integer combination is a contradiction.

The weight of a code is its number of pegs of the second color. For each weight that no single row
excludes, a board of two colors is a set of linear equations (constraints/two_colors.py). A
`Refutation` lists rows that exclude all other weights. For each remaining weight, it has an
unsatisfiable combination of equations. It is found by elimination or, if even fractional values do
not satisfy the equations, by linear programming.

`Relaxation` is the linear programming relaxation (GLOP). It quickly finds rows that conflict even
for fractional values, and a multiplier for each of their constraints. Multiplied by these, the
constraints add up to a contradiction. GLOP computes in floating point. Therefore the multipliers
are rounded to rational numbers with small denominators and scaled to integers, and they are used
only if the integers prove the contradiction. Other users of `Relaxation` must verify its results as
well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from mmsat.constraints.parities import Certificate
from mmsat.constraints.presolve_steps import is_algebraic
from mmsat.constraints.two_colors import (
    SignedEquation,
    TwoColorEquations,
    possible_weights,
    read_equations,
    simplify_equations,
)
from mmsat.encoding.integer_models import LinearConstraint
from mmsat.game.board import Board
from mmsat.game.refutation import Combination, Refutation
from mmsat.solving.queries import Answer, Query, RowSolver

if TYPE_CHECKING:
    from collections.abc import Collection

ZERO_TOLERANCE = 1e-6
"""Maximum absolute value that counts as 0."""
MAX_TERMS = 500_000
"""Maximum number of terms for which linear programming is used. With more, it takes too long."""


class Relaxation:
    """A linear program with hard constraints, and rows of constraints that can be selected.

    It minimizes the total violation of the selected rows. If the minimum is positive, the rows
    conflict.
    """

    def __init__(
        self,
        variables: int,
        hard: Iterable[LinearConstraint],
        rows: Sequence[Sequence[LinearConstraint]],
    ) -> None:
        """Build the linear program for a number of variables."""
        from ortools.linear_solver import pywraplp

        self.program: Any = pywraplp.Solver.CreateSolver("GLOP")
        self.optimal = pywraplp.Solver.OPTIMAL
        self.infinity = self.program.infinity()
        self.variables = [self.program.NumVar(0, 1, "") for _ in range(variables)]
        for linear in hard:
            self._add(linear)
        self.rows = [[self._add(linear) for linear in row] for row in rows]
        self.gaps = [
            [gap for constraint in row for gap in self._add_gaps(constraint)] for row in self.rows
        ]
        self.program.Objective().SetMinimization()

    def _add(self, linear: LinearConstraint) -> Any:
        """Add a constraint, and return it as an object of GLOP."""
        low = -self.infinity if linear.low is None else linear.low
        high = self.infinity if linear.high is None else linear.high
        constraint = self.program.Constraint(low, high)
        for coefficient, variable in linear.terms:
            constraint.SetCoefficient(self.variables[variable - 1], coefficient)
        return constraint

    def _add_gaps(self, constraint: Any) -> list[Any]:
        """Add a variable for each direction in which a constraint can be violated; return both."""
        gaps = []
        for side in (1, -1):
            gaps.append(self.program.NumVar(0, self.infinity, ""))
            constraint.SetCoefficient(gaps[-1], side)
        return gaps

    def farkas_multipliers(self, rows: Collection[int]) -> dict[int, list[float]] | None:
        """Return, for each of the rows that is needed, the Farkas multipliers of its constraints.

        With these multipliers, which are the dual values of the linear program, the constraints add
        up to a contradiction. Returns None if the rows do not conflict, or if the minimum is too
        close to 0 to be certain.
        """
        objective = self.program.Objective()
        for row, gaps in enumerate(self.gaps):
            for gap in gaps:
                objective.SetCoefficient(gap, 1 if row in rows else 0)
        if self.program.Solve() != self.optimal or objective.Value() < ZERO_TOLERANCE:
            return None
        multipliers_of = {
            row: [constraint.dual_value() for constraint in self.rows[row]] for row in rows
        }
        return {
            row: multipliers
            for row, multipliers in multipliers_of.items()
            if any(abs(multiplier) > ZERO_TOLERANCE for multiplier in multipliers)
        }


def is_too_large(
    hard: Iterable[LinearConstraint],
    rows: Iterable[Iterable[LinearConstraint]],
    max_terms: int = MAX_TERMS,
) -> bool:
    """Return whether the linear program would have more than `max_terms` terms."""
    groups = (hard, *rows)
    return sum(len(linear.terms) for group in groups for linear in group) > max_terms


MAX_DENOMINATORS = (1, 12, 1000)
"""Maximum denominators to which the multipliers of linear programming are rounded, tried in this
order."""


def refute_equations(board: Board, *, thorough: bool) -> Refutation | None:
    """Return a refutation of a board of linear equations, or None if none is found."""
    combinations = []
    for equations in read_equations(board):  # one set for each remaining weight
        certificate = _find_certificate(equations, thorough=thorough)
        if certificate is None:
            return None
        combinations.append(_to_combination(certificate, equations))
    combined = {row for combination in combinations for row, _ in combination.rows}
    return Refutation(
        _find_weight_rows(board, sorted(combined), possible_weights(board)), tuple(combinations)
    )


class ShortSums(NamedTuple):
    """Short equations that the rows of a two-color board imply, for each remaining weight."""

    refutation: Refutation
    """The rows that exclude all other weights, and contradictions of some remaining weights."""
    sums: dict[int | None, tuple[TwoColorEquations, list[SignedEquation]]]
    """For each other remaining weight, the equations of the rows, and short ones with the same
    solutions. The weight is None if the same equations hold for all weights."""


def shorten_sums(board: Board) -> ShortSums:
    """Return short equations with the same codes as a board of linear equations."""
    combinations, sums = [], {}
    for equations in read_equations(board):
        simplified = simplify_equations(equations)
        if isinstance(simplified, Certificate):
            certificate = _shrink_multipliers(simplified, equations)
            combinations.append(_to_combination(certificate, equations))
        else:
            sums[equations.weight] = equations, simplified
    weight_rows = _find_weight_rows(board, (), possible_weights(board))
    return ShortSums(Refutation(weight_rows, tuple(combinations)), sums)


def _find_certificate(equations: TwoColorEquations, *, thorough: bool) -> Certificate | None:
    """Return a certificate that the equations have no solution, or None if none is found."""
    simplified = simplify_equations(equations)
    if isinstance(simplified, Certificate):
        return _shrink_multipliers(simplified, equations)
    return certify_unreachable_total(equations) if thorough else None


def _shrink_multipliers(certificate: Certificate, equations: TwoColorEquations) -> Certificate:
    """Return a valid certificate with smaller or fewer multipliers, or the same one."""
    modulus = certificate.modulus
    multipliers = {
        index: multiplier for index, multiplier in certificate.multipliers.items() if multiplier
    }
    if common := gcd(*multipliers.values()):
        multipliers = {index: multiplier // common for index, multiplier in multipliers.items()}
        modulus //= gcd(modulus, common)
    # Modulo the modulus, each multiplier can be reduced to an absolute value of at most half of it.
    if modulus:
        reduced = {
            index: multiplier if 2 * abs(multiplier) <= modulus else multiplier % modulus
            for index, multiplier in multipliers.items()
        }
        multipliers = {
            index: multiplier - modulus if 2 * multiplier > modulus else multiplier
            for index, multiplier in reduced.items()
            if multiplier % modulus
        }
    # For readability, most multipliers should be positive. If half of them are, the first should.
    num_positive = sum(multiplier > 0 for multiplier in multipliers.values())
    is_first_positive = multipliers.get(min(multipliers, default=0), 0) > 0
    if (2 * num_positive, is_first_positive) < (len(multipliers), True):
        multipliers = {index: -multiplier for index, multiplier in multipliers.items()}
    small_certificate = type(certificate)(multipliers, modulus)
    return small_certificate if small_certificate.proves(equations) else certificate


def certify_unreachable_total(equations: TwoColorEquations) -> Certificate | None:
    """Return a certificate from linear programming that no code has all totals, or None."""
    if equations.signs.size > MAX_TERMS:
        return None
    rows = [
        [
            LinearConstraint(
                "", tuple(zip(signs, range(1, equations.pegs + 1), strict=True)), total, total
            )
        ]
        for signs, total in zip(equations.signs.tolist(), equations.totals.tolist(), strict=True)
    ]
    multipliers = Relaxation(equations.pegs, (), rows).farkas_multipliers(range(len(rows))) or {}
    for max_denominator in MAX_DENOMINATORS:
        fractions = {
            index: Fraction(multiplier).limit_denominator(max_denominator)
            for index, (multiplier,) in multipliers.items()
        }
        common = lcm(1, *(fraction.denominator for fraction in fractions.values()))
        integers = {
            index: int(fraction * common) for index, fraction in fractions.items() if fraction
        }
        certificate = Certificate(integers)
        if certificate.proves(equations):
            return _shrink_multipliers(certificate, equations)
    return None


def sum_combination(equation: SignedEquation, equations: TwoColorEquations) -> Combination:
    """Return the combination of rows whose sum is a short equation, multiplied by its factor."""
    return _to_combination(Certificate(equation.multipliers), equations)


def _to_combination(certificate: Certificate, equations: TwoColorEquations) -> Combination:
    """Return a certificate as a combination of rows of the board."""
    sources = equations.sources
    multiplier_of = {
        sources[index]: multiplier
        for index, multiplier in certificate.multipliers.items()
        if multiplier
    }
    weight_multiplier = multiplier_of.pop(None, 0)  # of the equation that fixes the weight
    rows = sorted((row, number) for row, number in multiplier_of.items() if row is not None)
    return Combination(
        equations.weight, tuple(rows), weight_multiplier, certificate.modulus or None
    )


def _find_weight_rows(
    board: Board, combined: Sequence[int], remaining_weights: list[int] | list[None]
) -> tuple[int, ...]:
    """Return a small set of rows that exclude all weights except `remaining_weights`.

    The rows of `combined` are tried first, because the refutation needs them anyway.
    """
    order = [*combined, *(row for row in range(len(board.rows)) if row not in {*combined})]
    chosen: list[int] = []
    while possible_weights(board.only(chosen)) != remaining_weights:
        # Binary search for the smallest number of first rows that suffice. The last one is needed.
        at_least, at_most = 1, len(order)
        while at_least < at_most:
            middle = (at_least + at_most) // 2
            if possible_weights(board.only([*chosen, *order[:middle]])) == remaining_weights:
                at_most = middle
            else:
                at_least = middle + 1
        chosen.append(order[at_least - 1])
        order = order[: at_least - 1]
    return tuple(sorted(chosen))


def refute(board: Board, *, thorough: bool = False) -> Refutation | None:
    """Return a refutation of a board of linear equations, or None if none is found without search.

    Returns None for every other board. If `thorough`, linear programming is used, too.
    """
    if not is_algebraic(board):
        return None

    return refute_equations(board, thorough=thorough)


class Algebra(RowSolver):
    """Refutes rows by a linear combination of their equations; it never finds codes."""

    name = "algebra"

    def __init__(self, board: Board) -> None:
        self._board = board

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return a refutation of the rows, or None; the budget is ignored: elimination is fast."""
        row_indices = sorted(query.rows)
        refutation = refute(self._board.only(row_indices))
        if refutation is None:
            return None
        return Answer(None, frozenset(row_indices[row] for row in refutation.rows))
