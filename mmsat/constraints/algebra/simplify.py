"""From equations to a short system, or to the proof that there is no solution.

1. Rows are subtracted from one another (sparsify.py).
2. Elimination modulo 2 looks for a contradiction by parity.
3. Elimination over the rationals looks for one there, drops what is implied, and shortens the
   longest equation (elimination.py). A total that the greatest common divisor of its left side does
   not divide is a contradiction as well.

Every step keeps the set of solutions: each equation that is added is a whole combination of those
before, each that is dropped is one of those that stay, by a combination that was checked in whole
numbers.
"""

from math import gcd

import numpy as np

from mmsat.board import Board
from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.elimination import (
    PRIMES,
    Elimination,
    Sparse,
    add_up,
    combine,
    find_dependencies,
    reconstruct_multipliers,
)
from mmsat.constraints.algebra.sparsify import SparseEquation, sparsify
from mmsat.constraints.algebra.two_color_equations import TwoColorEquations, read_equations
from mmsat.constraints.system import SoftConstraint, System
from mmsat.errors import InternalError
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.limits import LIMITS


def systems(board: Board) -> list[System]:
    """Short systems with the codes of a two-color board, each code in one of them."""
    short = [simplify(equations) for equations in read_equations(board)]
    return [system(rows, board.game.pegs) for rows in short if isinstance(rows, list)]


def simplify(equations: TwoColorEquations) -> list[SparseEquation] | Certificate:
    """Equations with the same solutions, few and short; or why there is no solution."""
    rows = sparsify(equations)
    if isinstance(rows, list):
        rows = drop_repeats(rows)
        if sum(map(len, rows)) <= LIMITS.eliminated:
            rows = eliminate(rows)
    if isinstance(rows, Certificate) and not rows.proves(equations):
        raise InternalError(f"a certificate of the algebra proves nothing: {rows}")
    return rows


def drop_repeats(rows: list[SparseEquation]) -> list[SparseEquation]:
    """The rows, the same one only once, and none that says 0 = 0."""
    seen: dict[tuple[bytes, bytes, int], SparseEquation] = {}
    for row in rows:
        if len(row):
            seen.setdefault((row.pegs.tobytes(), row.signs.tobytes(), row.total), row)
    return list(seen.values())


def eliminate(rows: list[SparseEquation]) -> list[SparseEquation] | Certificate:
    """The rows that are not implied by others, or a contradiction."""
    plain = [
        (dict(zip(row.pegs.tolist(), row.signs.tolist(), strict=True)), row.total) for row in rows
    ]
    found, _ = find_dependencies(Elimination.of(plain, 2), plain)
    for multipliers, total in found.values():
        if total % 2:
            return Certificate(double(multipliers, rows), 4)
    for prime in PRIMES:
        elimination = Elimination.of(plain, prime)
        found, are_all_read = find_dependencies(elimination, plain)
        for multipliers, total in found.values():
            if total:
                return Certificate(double(multipliers, rows))
        if are_all_read:
            break
    kept = {index: row for index, row in enumerate(rows) if index not in found}
    for hub in elimination.hubs & kept.keys() - elimination.pivots:
        short = remainder(
            reconstruct_multipliers(elimination.rows[hub].made, elimination.prime), plain, rows
        )
        if isinstance(short, Certificate):
            return short
        if short is not None and len(short) < len(rows[hub]):
            kept[hub] = short
    return list(kept.values())


def remainder(
    multipliers: Sparse | None, plain: list[tuple[Sparse, int]], rows: list[SparseEquation]
) -> SparseEquation | Certificate | None:
    """What a combination leaves of the longest equation, if all coefficients are alike."""
    if multipliers is None:
        return None
    left, total = combine(multipliers, plain)
    common = gcd(*left.values())
    if common == 0:
        return None
    if total % common:
        return Certificate(double(multipliers, rows), 2 * common)
    if any(abs(number) != common for number in left.values()):
        return None
    pegs = sorted(left)
    signs = np.array([left[peg] // common for peg in pegs], dtype=np.int8)
    short = SparseEquation(np.array(pegs), signs, total // common)
    if short.flaw() is not None:
        return Certificate(double(multipliers, rows))
    return short


def double(multipliers: Sparse, rows: list[SparseEquation]) -> Sparse:
    """The combination of the board's equations that is twice that of the rows."""
    return add_up(multipliers, lambda index: rows[index].double)


def system(rows: list[SparseEquation], pegs: int) -> System:
    """The rows as constraints: how many pegs have the second and, of those, the first color."""
    variables = VariableMap(pegs, 2)
    numbers = [
        (variables.at(peg, 0), variables.at(peg, 1)) for peg in range(pegs)
    ]  # made only once
    constraints = []
    for row in rows:
        chosen = tuple(
            numbers[peg][sign > 0]
            for peg, sign in zip(row.pegs.tolist(), row.signs.tolist(), strict=True)
        )
        true = row.total + int((row.signs < 0).sum())
        constraints.append(SoftConstraint((CardinalityConstraint(chosen, true, true),)))
    return System(variables, (), tuple(constraints))
