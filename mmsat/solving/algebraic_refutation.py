"""Short proofs that a two-color board has no code, by the algebra of its equations.

A board of two colors is linear equations (constraints/algebra), one system for each weight that no
row rules out on its own. The refutation names rows that rule out all other weights, and for each
weight left a combination of equations that nothing satisfies: the one that elimination finds, or
else the one by which linear programming knows that a total is out of reach. The latter is turned
into whole numbers, and counts only if these prove it.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from mmsat.board import Board
from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.simplify import simplify
from mmsat.constraints.algebra.two_color_equations import TwoColorEquations, read_equations, weights
from mmsat.encoding.linear import Line
from mmsat.results.verdict import Combination, Refutation
from mmsat.solving.farkas import LARGEST, Relaxation

BELOW = (1, 12, 1000)
"""What the numbers of linear programming are taken to be fractions of, the simplest first."""


def refute_equations(board: Board, *, thorough: bool) -> Refutation | None:
    """Why a board that is linear equations has no code, or None; see refutation.refute."""
    combinations = []
    for equations in read_equations(board):
        certificate = _certificate(equations, thorough=thorough)
        if certificate is None:
            return None
        combinations.append(_combination(certificate, equations))
    combined = {row for each in combinations for row, _ in each.rows}
    return Refutation(_weighing(board, sorted(combined), weights(board)), tuple(combinations))


def _certificate(equations: TwoColorEquations, *, thorough: bool) -> Certificate | None:
    found = simplify(equations)
    if isinstance(found, Certificate):
        return _small(found, equations)
    return out_of_reach(equations) if thorough else None


def _small(certificate: Certificate, equations: TwoColorEquations) -> Certificate:
    """The same with small numbers, and fewer of them, if that proves it as well."""
    modulus = certificate.modulus
    numbers = {each: number for each, number in certificate.multipliers.items() if number}
    if common := gcd(*numbers.values()):
        numbers = {each: number // common for each, number in numbers.items()}
        modulus //= gcd(modulus, common)
    if modulus:  # a multiple of the modulus is one on both sides
        rest = {
            each: number if 2 * abs(number) <= modulus else number % modulus
            for each, number in numbers.items()
        }
        numbers = {
            each: number - modulus if 2 * number > modulus else number
            for each, number in rest.items()
            if number % modulus
        }
    positive = sum(number > 0 for number in numbers.values())
    if (2 * positive, numbers.get(min(numbers, default=0), 0) > 0) < (len(numbers), True):
        numbers = {each: -number for each, number in numbers.items()}
    small = type(certificate)(numbers, modulus)
    return small if small.proves(equations) else certificate


def out_of_reach(equations: TwoColorEquations) -> Certificate | None:
    """Numbers for the equations by which a total is out of reach, by linear programming."""
    if equations.signs.size > LARGEST:
        return None
    lines = [
        [Line("", tuple(zip(signs, range(1, equations.pegs + 1), strict=True)), total, total)]
        for signs, total in zip(equations.signs.tolist(), equations.totals.tolist(), strict=True)
    ]
    found = Relaxation(equations.pegs, (), lines).farkas_multipliers(range(len(lines))) or {}
    for below in BELOW:
        near = {
            each: Fraction(number).limit_denominator(below) for each, (number,) in found.items()
        }
        common = lcm(1, *(number.denominator for number in near.values()))
        whole = {each: int(number * common) for each, number in near.items() if number}
        certificate = Certificate(whole)
        if certificate.proves(equations):
            return _small(certificate, equations)
    return None


def _combination(certificate: Certificate, equations: TwoColorEquations) -> Combination:
    """The certificate with the board's rows for its equations."""
    sources = equations.sources
    numbers = {sources[each]: number for each, number in certificate.multipliers.items() if number}
    weighed = numbers.pop(None, 0)
    rows = tuple(sorted((row, number) for row, number in numbers.items() if row is not None))
    return Combination(equations.weight, rows, weighed, certificate.modulus or None)


def _weighing(
    board: Board, combined: Sequence[int], left: list[int] | list[None]
) -> tuple[int, ...]:
    """Few rows that leave these weights; the first choice is those that are combined anyway."""
    order = [*combined, *(row for row in range(len(board.rows)) if row not in {*combined})]
    chosen: list[int] = []
    while weights(board.only(chosen)) != left:
        few, many = 1, len(order)  # so many of the first rows are needed
        while few < many:
            middle = (few + many) // 2
            if weights(board.only([*chosen, *order[:middle]])) == left:
                many = middle
            else:
                few = middle + 1
        chosen.append(order[few - 1])
        order = order[: few - 1]
    return tuple(sorted(chosen))
