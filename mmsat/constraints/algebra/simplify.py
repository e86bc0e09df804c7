"""From equations to a short system, or to the proof that there is no solution.

1. Rows are subtracted from one another (sparsify.py).
2. Elimination modulo 2 looks for a contradiction by parity.
3. Elimination over the rationals looks for one there, drops what is implied, and shortens the
   longest equation (linear_algebra.py). A total that the greatest common divisor of its left side
   does not divide is a contradiction as well.
4. Parities that many short equations hide are added up modulo 2 (parities.py).

Every step keeps the set of solutions: each added equation is an integer combination of earlier
ones, and each dropped equation is a combination of remaining ones, which was checked in integers.
"""

from math import gcd, lcm

import numpy as np

from mmsat.board import Board
from mmsat.constraints.algebra import parities
from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.sparsify import (
    BASES,
    FlawError,
    SignedEquation,
    left_by,
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
    """Return short systems for a two-color board; each of its codes satisfies one of them."""
    short = [simplify(equations) for equations in read_equations(board)]
    made = [system(rows, board) for rows in short if isinstance(rows, list)]
    return [each for each in made if not parities.refute(each)]


def simplify(equations: TwoColorEquations) -> list[SignedEquation] | Certificate:
    """Return few short equations with the same solutions, or the proof that there are none."""
    try:
        rows = sign_rows(equations)
        sparsify(rows, equations.pegs)
        different: dict[tuple[int, int, int], SignedEquation] = {}
        for row in filter(len, rows):  # without 0 = 0 and duplicates
            different.setdefault((row.plus, row.minus, row.total), row)
        rows = [*different.values()]
        return eliminate(rows) if sum(map(len, rows)) <= LIMITS.eliminated else rows
    except FlawError as found:
        if not found.certificate.proves(equations):
            message = f"a certificate of the algebra proves nothing: {found.certificate}"
            raise InternalError(message) from None
        return found.certificate


def sign_rows(equations: TwoColorEquations) -> list[SignedEquation]:
    """Represent the equations by bits, and fix the base that makes the others shortest.

    Raises FlawError.
    """
    every = (1 << equations.pegs) - 1
    rows = []
    for index, (signs, total) in enumerate(zip(equations.signs, equations.totals, strict=True)):
        plus = int.from_bytes(np.packbits(signs > 0, bitorder="little").tobytes(), "little")
        rows.append(SignedEquation(plus, every ^ plus, int(total), {index: 1}))
        rows[-1].check()
    if rows:
        min(rows[:BASES], key=lambda row: left_by(row, rows)).is_fixed = True
    return rows


def eliminate(rows: list[SignedEquation]) -> list[SignedEquation]:
    """Return the rows that others do not imply; raise FlawError for a contradiction."""
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
        made = elimination.multipliers(index)
        short = None if made is None else remainder(made, plain, rows)
        if short is not None and len(short) < len(rows[index]):
            kept[index] = short
    return list(kept.values())


def remainder(
    multipliers: SparseVector, plain: list[Equation], rows: list[SignedEquation]
) -> SignedEquation | None:
    """Return a combination as an equation, if its coefficients have equal absolute values.

    Raises FlawError if it is a contradiction.
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
    short = SignedEquation(plus, minus, total // common, combination, times * common)
    short.check()
    return short


def expand(multipliers: SparseVector, rows: list[SignedEquation]) -> tuple[SparseVector, int]:
    """Return a multiple of a combination as one of the board's equations, and the factor."""
    times = lcm(*(rows[index].times for index in multipliers))
    scaled = {index: number * (times // rows[index].times) for index, number in multipliers.items()}
    return combine_vectors(scaled, lambda index: rows[index].made), times


def system(rows: list[SignedEquation], board: Board) -> System:
    """Return the rows as constraints on the literals with the sign of each peg."""
    variables = VariableMap(board.game.pegs, 2)
    constraints = []
    for row in rows:
        signs = row.coefficients().items()
        chosen = tuple([variables.at(peg, int(sign > 0)) for peg, sign in signs])
        true = row.total + row.minus.bit_count()
        constraints.append(SoftConstraint((CardinalityConstraint(chosen, true, true),)))
    return System(variables, other_codes(variables, board.known), tuple(constraints))
