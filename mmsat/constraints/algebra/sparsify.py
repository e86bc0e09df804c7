"""Shortening equations by adding or subtracting other equations.

All coefficients are 1 and -1. Two equations a and b are combined if the result has coefficients 1
and -1, too:

    a - b                       if every common literal has the same sign in a and b
    a + b                       if every common literal has different signs in a and b
    (a - b) / 2, (a + b) / 2    if a and b have the same literals

The combination replaces a if it is shorter. First, one of the equations with the same literals
becomes the base, and each of the others is replaced by its half sum or half difference with the
base. For two rows of a two-color board, these are the pegs at which the guesses agree or differ.

The same codes satisfy the old and the new equations: the new equation is a combination of a and b,
and a is a combination of the new equation and b, which is kept. Half of an odd total, or a total
that is out of range, is a contradiction.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.linear_algebra import SparseVector
from mmsat.constraints.presolve.domains import bits
from mmsat.limits import LIMITS

MAX_TRIED_BASES = 8
"""The maximum number of equations with the same literals that are tried as the base."""
MAX_UNCHANGED_LITERALS = 2
"""The maximum number of literals of an equation that is not shortened any more."""


class FlawError(Exception):
    """Raised if equations are contradictory; `certificate` proves it."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__()
        self.certificate = certificate


@dataclass(slots=True)
class SignedEquation:
    """An equation with coefficients 1 and -1. `plus` and `minus` are their literals as bits."""

    plus: int
    minus: int
    total: int
    multipliers: SparseVector
    """The multipliers that combine given equations to this equation times `times`."""
    times: int = 1
    is_fixed: bool = False
    """Whether the equation is kept unchanged, and only used to shorten others."""

    @property
    def literals(self) -> int:
        """The literals of the equation, as bits."""
        return self.plus | self.minus

    def __len__(self) -> int:
        return (self.plus | self.minus).bit_count()

    def coefficients(self) -> SparseVector:
        """Return the coefficients by the index of the bit, ascending."""
        return {bit: 1 if self.plus >> bit & 1 else -1 for bit in bits(self.literals)}

    def check(self) -> None:
        """Raise FlawError if the total is out of the range of the left side."""
        if not -self.minus.bit_count() <= self.total <= self.plus.bit_count():
            raise FlawError(Certificate(self.multipliers))


def sparsify(rows: list[SignedEquation], literals: int) -> None:
    """Shorten equations in place, first by bases, then by pairs, longest equations first.

    The work is limited by `LIMITS.sparsify_work`. Raises FlawError for a contradiction.
    """
    words = literals // 64 + 4
    work = subtract_bases(rows, words)
    open_rows = [row for row in rows if not row.is_fixed and len(row) > MAX_UNCHANGED_LITERALS]
    for row in sorted(open_rows, key=lambda each: -len(each)):
        while len(row) > MAX_UNCHANGED_LITERALS:
            work += words * len(rows)
            if work > LIMITS.sparsify_work:
                return
            best = min(
                ((length, index) for index, length in partners(row, rows)), default=(len(row), -1)
            )
            if best[0] >= len(row):
                break
            join(row, rows[best[1]])


def subtract_bases(rows: list[SignedEquation], words: int) -> int:
    """Replace equations by half sums or differences with a base that has the same literals.

    Return the number of words of 64 bits that were compared.
    """
    groups: dict[int, list[SignedEquation]] = {}
    for row in rows:
        groups.setdefault(row.literals, []).append(row)
    work = 0
    for literals, group in groups.items():
        if len(group) < 2 or literals.bit_count() <= MAX_UNCHANGED_LITERALS:
            continue
        work += words * MAX_TRIED_BASES * len(group)
        if work > LIMITS.sparsify_work:
            break
        fixed = [row for row in group if row.is_fixed]
        base = (
            fixed[0]
            if fixed
            else min(group[:MAX_TRIED_BASES], key=lambda row: remaining_length(row, group))
        )
        for row in group:
            if row is not base and not row.is_fixed:
                join(row, base)
    return work


def remaining_length(base: SignedEquation, group: list[SignedEquation]) -> int:
    """Return the total length of equations with the same literals after subtracting a base."""
    size = len(base)
    length = 0
    for row in group:
        differing = (row.plus ^ base.plus).bit_count()
        length += min(differing, size - differing)
    return length


def partners(row: SignedEquation, rows: list[SignedEquation]) -> Iterator[tuple[int, int]]:
    """Yield the indices of equations that a row can be combined with, and the resulting lengths."""
    plus, minus, literals = row.plus, row.minus, row.literals
    for index, other in enumerate(rows):
        common = literals & other.literals
        if not common or other is row:
            continue
        agreeing = plus & other.plus | minus & other.minus
        if other.literals == literals:
            agreeing_count = agreeing.bit_count()
            yield index, min(agreeing_count, common.bit_count() - agreeing_count)
        elif agreeing in (0, common):
            yield index, (literals ^ other.literals).bit_count()


def join(row: SignedEquation, other: SignedEquation) -> None:
    """Replace a row by its sum or difference with another equation, or by half of it.

    If both have the same literals, this is the shorter of the half sum and the half difference.
    """
    literals, other_literals = row.literals, other.literals
    agreeing = row.plus & other.plus | row.minus & other.minus
    differing = literals & other_literals & ~agreeing
    if literals == other_literals:
        sign = -1 if differing.bit_count() <= agreeing.bit_count() else 1
        halves = 2
        kept_literals = differing if sign < 0 else agreeing
        plus, minus = row.plus & kept_literals, row.minus & kept_literals
    else:
        sign = 1 if differing else -1
        halves = 1
        only_row, only_other = literals & ~other_literals, other_literals & ~literals
        added_plus, added_minus = (
            (other.plus, other.minus) if sign > 0 else (other.minus, other.plus)
        )
        plus = row.plus & only_row | added_plus & only_other
        minus = row.minus & only_row | added_minus & only_other
    multipliers = {index: number * other.times for index, number in row.multipliers.items()}
    for index, number in other.multipliers.items():
        multipliers[index] = multipliers.get(index, 0) + sign * row.times * number
    total, times = row.total + sign * other.total, row.times * other.times * halves
    if total % halves:
        raise FlawError(Certificate({i: n for i, n in multipliers.items() if n}, times))
    common = gcd(times, *multipliers.values())
    row.plus, row.minus, row.total = plus, minus, total // halves
    row.multipliers = {index: number // common for index, number in multipliers.items() if number}
    row.times = times // common
    row.check()
