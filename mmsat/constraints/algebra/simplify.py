"""Simplification of equations to a short system, or to a proof that there is no solution.

1. Rows are added to or subtracted from each other (sparsify.py).
2. Elimination modulo 2 searches for a contradiction by parity.
3. Elimination over the rationals searches for a contradiction, drops implied equations, and
   shortens the longest equations (linear_algebra.py). A total that the greatest common divisor of
   the coefficients does not divide is a contradiction as well.
4. Parities that are implied by many short equations are added up modulo 2 (parities.py).

Every step preserves the set of solutions: each added equation is a rational combination of earlier
equations, and each dropped equation is a combination of remaining equations, which was verified in
integers.
"""

from math import gcd, lcm

import numpy as np

from mmsat.board import Board
from mmsat.constraints.algebra import parities
from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.sparsify import (
    MAX_TRIED_BASES,
    FlawError,
    SignedEquation,
    remaining_length,
    sparsify,
)
from mmsat.constraints.algebra.two_color_equations import TwoColorEquations, read_equations
from mmsat.constraints.linear_algebra import (
    Equation,
    ModularElimination,
    SparseVector,
    combine_equations,
    combine_vectors,
    find_dependencies,
)
from mmsat.constraints.system import SoftConstraint, System, other_codes
from mmsat.errors import InternalError
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.limits import LIMITS


def systems(board: Board) -> list[System]:
    """Return short systems for a two-color board, so that each of its codes satisfies one."""
    simplified = [simplify(equations) for equations in read_equations(board)]
    short_systems = [system(rows, board) for rows in simplified if isinstance(rows, list)]
    return [short_system for short_system in short_systems if not parities.refute(short_system)]


def simplify(equations: TwoColorEquations) -> list[SignedEquation] | Certificate:
    """Return short equations with the same solutions, or a proof that there is no solution."""
    try:
        rows = sign_rows(equations)
        sparsify(rows, equations.pegs)
        distinct_rows: dict[tuple[int, int, int], SignedEquation] = {}
        for row in filter(len, rows):  # without 0 = 0 and duplicates
            distinct_rows.setdefault((row.plus, row.minus, row.total), row)
        rows = [*distinct_rows.values()]
        return eliminate(rows) if sum(map(len, rows)) <= LIMITS.eliminated else rows
    except FlawError as found:
        if not found.certificate.proves(equations):
            message = f"an algebraic certificate is invalid: {found.certificate}"
            raise InternalError(message) from None
        return found.certificate


def sign_rows(equations: TwoColorEquations) -> list[SignedEquation]:
    """Return the equations as bits, and mark the base that makes the others shortest as fixed.

    Raises FlawError for an equation whose total is out of range.
    """
    all_pegs = (1 << equations.pegs) - 1
    rows = []
    for index, (signs, total) in enumerate(zip(equations.signs, equations.totals, strict=True)):
        plus = int.from_bytes(np.packbits(signs > 0, bitorder="little").tobytes(), "little")
        rows.append(SignedEquation(plus, all_pegs ^ plus, int(total), {index: 1}))
        rows[-1].check()
    if rows:
        min(rows[:MAX_TRIED_BASES], key=lambda row: remaining_length(row, rows)).is_fixed = True
    return rows


def eliminate(rows: list[SignedEquation]) -> list[SignedEquation]:
    """Drop implied rows and shorten long rows. Raises FlawError for a contradiction."""
    plain = [(row.coefficients(), row.total) for row in rows]
    parity = ModularElimination(plain, 2)
    parity.run()
    even, _ = parity.dependencies()
    for multipliers, total in even.values():
        if total % 2:
            combination, times = expand(multipliers, rows)
            raise FlawError(Certificate(combination, 2 * times))
    elimination, dependencies = find_dependencies(plain)
    for multipliers, total in dependencies.values():
        if total:
            raise FlawError(Certificate(expand(multipliers, rows)[0]))
    kept = {index: row for index, row in enumerate(rows) if index not in dependencies}
    for index in elimination.long_rows & kept.keys() - elimination.pivots:
        reduced_multipliers = elimination.multipliers(index)
        shorter_row = (
            None if reduced_multipliers is None else remainder(reduced_multipliers, plain, rows)
        )
        if shorter_row is not None and len(shorter_row) < len(rows[index]):
            kept[index] = shorter_row
    return list(kept.values())


def remainder(
    multipliers: SparseVector, plain: list[Equation], rows: list[SignedEquation]
) -> SignedEquation | None:
    """Return a combination as an equation with coefficients 1 and -1, divided by their gcd.

    Return None if its coefficients have different absolute values or are all 0. Raises FlawError if
    the combination is a contradiction.
    """
    left, total = combine_equations(multipliers, plain)
    common = gcd(*left.values())
    if common == 0:
        return None
    combination, times = expand(multipliers, rows)
    if total % common:
        raise FlawError(Certificate(combination, times * common))
    if any(abs(number) != common for number in left.values()):
        return None
    plus, minus = (
        sum(1 << peg for peg, number in left.items() if number == sign * common) for sign in (1, -1)
    )
    equation = SignedEquation(plus, minus, total // common, combination, times * common)
    equation.check()
    return equation


def expand(multipliers: SparseVector, rows: list[SignedEquation]) -> tuple[SparseVector, int]:
    """Express a combination of rows by the board's equations; return multipliers and a factor.

    The multipliers combine the board's equations to the given combination times the factor.
    """
    times = lcm(*(rows[index].times for index in multipliers))
    scaled = {index: number * (times // rows[index].times) for index, number in multipliers.items()}
    return combine_vectors(scaled, lambda index: rows[index].multipliers), times


def system(rows: list[SignedEquation], board: Board) -> System:
    """Return the rows as constraints: a peg with sign 1 or -1 counts if its color is 1 or 0."""
    variables = VariableMap(board.game.pegs, 2)
    constraints = []
    for row in rows:
        signs = row.coefficients().items()
        literals = tuple([variables.at(peg, int(sign > 0)) for peg, sign in signs])
        true_count = row.total + row.minus.bit_count()
        constraints.append(
            SoftConstraint((CardinalityConstraint(literals, true_count, true_count),))
        )
    return System(variables, other_codes(variables, board.known), tuple(constraints))
