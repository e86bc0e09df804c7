"""rational: equations that others contradict or imply, over the rationals.

Proof. Elimination modulo a large prime proposes combinations of equations, and each is added up in
whole numbers before anything is concluded. If the left side is 0 and the total is not, no code
satisfies the equations: the combination is the certificate. If both are 0, the equation that was
reduced to nothing is a combination of pivots, and the constraint that it is goes: each code that
satisfies the pivots satisfies it. Pivots are never reduced to nothing, so they all stay. If one
literal is left, its value is known, or is neither 0 nor 1, a contradiction. So codes and their
number stay.
"""

from dataclasses import replace

from mmsat.arrays import np
from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.elimination import (
    PRIMES,
    Elimination,
    Sparse,
    combine,
    find_dependencies,
    reconstruct_multipliers,
)
from mmsat.constraints.presolve.domains import Infeasibility, ReasonedConstraint
from mmsat.constraints.presolve.literal_equations import DerivedEquation, LiteralEquations
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.english import quantity
from mmsat.game.literals import CardinalityConstraint

WORK = 500_000
"""Numbers that elimination touches at most: less than a second."""
DENSE = 40_000_000
"""Products of the quick look whether the equations are independent, at most."""
SMALL = 2_000
"""Coefficients up to which elimination is as quick as a look."""
LOOK_PRIME = (1 << 31) - 1


def drop_dependent(problem: Problem) -> Change | Infeasibility:
    """Without the rows that others imply, or the combination that is a contradiction."""
    equations = problem.equations
    rows = equations.active
    if not rows or are_independent(rows):
        return Change(problem)
    plain = [(row.left, row.total) for row in rows]
    for prime in PRIMES:
        elimination = Elimination.of(plain, prime)
        found, are_all_read = find_dependencies(elimination, plain, WORK)
        for multipliers, total in found.values():
            if total:
                combination, _ = equations.expand(multipliers)
                return equations.refutation("rational", Certificate(combination))
        if are_all_read:
            break
    lone = alone(elimination, plain, equations)
    if isinstance(lone, Certificate):
        return equations.refutation("rational", lone)
    implied = [rows[index] for index in found]
    places = {row.place for row in implied if row.place is not None and row.left}
    return drop_implied(problem, places, lone)


def drop_implied(
    problem: Problem, places: set[tuple[int, int]], implied_literals: dict[int, int]
) -> Change:
    """Drop constraints, and add literals with the rows that imply them, as bits.

    `places` are the dropped constraints: a row and an index in it.
    """
    if not places and not implied_literals:
        return Change(problem)
    kept = [
        [each for number, each in enumerate(constraints) if (row, number) not in places]
        for row, constraints in enumerate(problem.rows)
    ]
    game = list(problem.game)
    for literal, rows in sorted(implied_literals.items()):
        constraint = CardinalityConstraint((literal,), 1, 1)
        if rows:
            kept[rows.bit_length() - 1].append(ReasonedConstraint(constraint, rows))
        else:
            game.append(constraint)
    changed = replace(problem, game=tuple(game), rows=tuple(map(tuple, kept)), read=None)
    return Change(
        changed,
        f"dropped {quantity(len(places), 'implied constraint')}, "
        f"found {quantity(len(implied_literals), 'literal')}",
    )


def are_independent(rows: list[DerivedEquation]) -> bool:
    """Whether a quick look tells that no equation is a combination of others.

    Modulo a prime there are no fewer dependent ones than over the rationals.
    """
    columns: dict[int, int] = {}
    for row in rows:
        for literal in row.left:
            columns.setdefault(literal, len(columns))
    size = len(rows), len(columns)
    if size[0] > size[1] or sum(len(row.left) for row in rows) < SMALL:
        return False
    if size[0] ** 2 * size[1] > 2 * DENSE:
        return False
    dense = np.zeros(size, dtype=np.int64)
    for index, row in enumerate(rows):
        for literal, number in row.left.items():
            dense[index, columns[literal]] = number % LOOK_PRIME
    for index in range(len(rows)):
        pivots = np.flatnonzero(dense[index])
        if not len(pivots):
            return False
        pivot = pivots[0]
        below = index + 1 + np.flatnonzero(dense[index + 1 :, pivot])
        inverse = pow(int(dense[index, pivot]), -1, LOOK_PRIME)
        factors = dense[below, pivot] * inverse % LOOK_PRIME
        products = factors[:, None] * dense[index, pivots][None, :] % LOOK_PRIME
        where = np.ix_(below, pivots)
        dense[where] = (dense[where] - products) % LOOK_PRIME
    return True


def alone(
    elimination: Elimination, plain: list[tuple[Sparse, int]], equations: LiteralEquations
) -> dict[int, int] | Certificate:
    """Literals that are known by a combination, or denied, with their rows; or a contradiction."""
    rows_of_literals: dict[int, int] = {}
    for row in elimination.rows:
        if len(row.left) != 1:
            continue
        multipliers = reconstruct_multipliers(row.made, elimination.prime)
        if multipliers is None:
            continue
        left, total = combine(multipliers, plain)
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
