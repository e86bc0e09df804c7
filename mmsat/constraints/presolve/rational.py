"""rational: drop equations that others imply, and find contradictions, over the rationals.

Proof. Elimination modulo a large prime proposes combinations of equations, and each combination is
verified in integers before anything is concluded. If the coefficients are 0 and the total is not,
no code satisfies the equations: the combination is the certificate. If both are 0, the equation
that was reduced to 0 is a combination of pivots, and its constraint is dropped: each code that
satisfies the pivots satisfies it. Pivots are never reduced to 0, so all of them are kept. If one
literal remains, its value follows; a value other than 0 and 1 is a contradiction. So the set of
codes does not change.
"""

from dataclasses import replace

from mmsat.arrays import np
from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.linear_algebra import (
    Equation,
    ModularElimination,
    combine_equations,
    find_dependencies,
    pivot_columns,
)
from mmsat.constraints.presolve.domains import Infeasibility, ReasonedConstraint
from mmsat.constraints.presolve.literal_equations import LiteralEquations
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.english import quantity
from mmsat.game.literals import CardinalityConstraint

MAX_WORK = 500_000
"""The maximum number of coefficients and multipliers that elimination processes (below 1 s)."""
MAX_DENSE_PRODUCTS = 40_000_000
"""The maximum number of multiplications of a dense elimination, a fast test of independence."""
MIN_DENSE_COEFFICIENTS = 2_000
"""The minimum number of coefficients for the dense test; below, sparse elimination is as fast."""
DENSE_PRIME = (1 << 31) - 1


def drop_dependent(problem: Problem) -> Change | Infeasibility:
    """Drop the constraints that others imply, or return a contradiction."""
    equations = problem.equations
    rows = equations.active_equations
    if not rows or are_independent(rows):
        return Change(problem)
    elimination, dependencies = find_dependencies(rows, MAX_WORK)
    for multipliers, total in dependencies.values():
        if total:
            combination, _ = equations.expand(multipliers)
            return equations.refutation("rational", Certificate(combination))
    implied_literals = find_implied_literals(elimination, equations)
    if isinstance(implied_literals, Certificate):
        return equations.refutation("rational", implied_literals)
    implied = [equations.active[index] for index in dependencies]
    places = {row.place for row in implied if row.place is not None and row.left}
    return drop_implied(problem, places, implied_literals)


def drop_implied(
    problem: Problem, places: set[tuple[int, int]], implied_literals: dict[int, int]
) -> Change:
    """Drop constraints, and add literals with the rows that imply them, as bits.

    `places` are the dropped constraints: a row and an index in it.
    """
    if not places and not implied_literals:
        return Change(problem)
    kept = [
        [
            reasoned
            for constraint_index, reasoned in enumerate(constraints)
            if (row, constraint_index) not in places
        ]
        for row, constraints in enumerate(problem.rows)
    ]
    game = list(problem.game)
    for literal, rows in sorted(implied_literals.items()):
        constraint = CardinalityConstraint((literal,), 1, 1)
        if rows:
            kept[rows.bit_length() - 1].append(ReasonedConstraint(constraint, rows))
        else:
            game.append(constraint)
    changed = replace(
        problem, game=tuple(game), rows=tuple(map(tuple, kept)), cached_equations=None
    )
    return Change(
        changed,
        f"dropped {quantity(len(places), 'implied constraint')}, "
        f"found {quantity(len(implied_literals), 'literal')}",
    )


def are_independent(rows: list[Equation]) -> bool:
    """Return True if a dense elimination shows that no equation is a combination of others.

    Equations that are independent modulo a prime are independent over the rationals. Return False
    if the test would be too slow, or slower than the elimination that it saves.
    """
    columns: dict[int, int] = {}
    for coefficients, _ in rows:
        for literal in coefficients:
            columns.setdefault(literal, len(columns))
    size = len(rows), len(columns)
    if size[0] > size[1] or sum(len(left) for left, _ in rows) < MIN_DENSE_COEFFICIENTS:
        return False
    if size[0] ** 2 * size[1] > 2 * MAX_DENSE_PRODUCTS:
        return False
    matrix = np.zeros(size, dtype=np.int64)
    for index, (coefficients, _) in enumerate(rows):
        for literal, number in coefficients.items():
            matrix[index, columns[literal]] = number % DENSE_PRIME
    return None not in pivot_columns(matrix, DENSE_PRIME)


def find_implied_literals(
    elimination: ModularElimination, equations: LiteralEquations
) -> dict[int, int] | Certificate:
    """Return the literals whose values a combination implies, each with its rows as bits.

    If a combination gives a literal a value other than 0 and 1, return the certificate of this
    contradiction instead.
    """
    rows_of_literals: dict[int, int] = {}
    for index, row in enumerate(elimination.rows):
        if len(row.coefficients) != 1:
            continue
        multipliers = elimination.multipliers(index)
        if multipliers is None:
            continue
        left, total = combine_equations(multipliers, elimination.equations)
        if len(left) != 1:
            continue
        ((literal, number),) = left.items()
        combination, times = equations.expand(multipliers)
        if total % number:
            return Certificate(combination, abs(number) * times)
        if total not in (0, number):
            return Certificate(combination)
        rows_of_literals[literal if total else -literal] = equations.rows(combination)
    return rows_of_literals
