"""Short proofs that a two-color board has no code, by the algebra of its equations.

A board of two colors is a set of linear equations (constraints/algebra): one system for each weight
of the code that no single row excludes. The refutation lists rows that exclude all other weights.
For each remaining weight it has an unsatisfiable combination of equations, found by elimination, or
by linear programming if a total is out of reach. The multipliers of linear programming are rounded
to integers, and are used only if the integers prove the contradiction.
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

MAX_DENOMINATORS = (1, 12, 1000)
"""Bounds on the denominators to which the multipliers of linear programming are rounded, smallest
first."""


def refute_equations(board: Board, *, thorough: bool) -> Refutation | None:
    """Return why a board of linear equations has no code, or None; see refutation.refute."""
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
        [Line("", tuple(zip(signs, range(1, equations.pegs + 1), strict=True)), total, total)]
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
