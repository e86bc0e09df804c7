"""Equations made shorter, by adding or subtracting others.

All coefficients are 1 and -1. Two equations are added or subtracted where the result has such
coefficients again,

    a - b    if no literal has another sign in a than in b        a + b    if none has the same
    (a - b) / 2, (a + b) / 2                                   if both speak of the same literals

and it takes the place of the longer one if it is shorter. First, of the equations that speak of the
same literals, one is the base, and each other one becomes its half sum or half difference with the
base: two rows of a board of two colors leave the pegs where they agree, or those where they differ.

Each new equation is a combination of true ones, and the old one is a combination of the new one and
of the other, which stays: the same codes satisfy both. A half of an odd total, or a total out of
reach, is a contradiction.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.linear_algebra import SparseVector
from mmsat.constraints.presolve.domains import bits
from mmsat.limits import LIMITS

BASES = 8
"""Equations about the same literals that are tried as the base."""
SHORT = 2
"""Literals that are few enough: such equations are not made shorter."""


class FlawError(Exception):
    """A combination that nothing satisfies."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__()
        self.certificate = certificate


@dataclass(slots=True)
class SignedEquation:
    """An equation with coefficients 1 and -1, as bits."""

    plus: int
    minus: int
    total: int
    made: SparseVector
    """The combination of given equations that makes `times` this one."""
    times: int = 1
    is_fixed: bool = False
    """Whether it stays as it is, and only shortens others."""

    @property
    def literals(self) -> int:
        """The literals that it speaks of."""
        return self.plus | self.minus

    def __len__(self) -> int:
        return (self.plus | self.minus).bit_count()

    def coefficients(self) -> SparseVector:
        """The coefficients by bit, ascending."""
        return {bit: 1 if self.plus >> bit & 1 else -1 for bit in bits(self.literals)}

    def check(self) -> None:
        """Raise FlawError where the total is out of reach."""
        if not -self.minus.bit_count() <= self.total <= self.plus.bit_count():
            raise FlawError(Certificate(self.made))


def sparsify(rows: list[SignedEquation], literals: int) -> None:
    """Make equations shorter, by bases and then by pairs, within a budget; raises FlawError."""
    words = literals // 64 + 4
    work = subtract_bases(rows, words)
    open_rows = [row for row in rows if not row.is_fixed and len(row) > SHORT]
    for row in sorted(open_rows, key=lambda each: -len(each)):
        while len(row) > SHORT:
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
    """Make half sums and differences with a base of the same literals; the words compared."""
    groups: dict[int, list[SignedEquation]] = {}
    for row in rows:
        groups.setdefault(row.literals, []).append(row)
    work = 0
    for literals, group in groups.items():
        if len(group) < 2 or literals.bit_count() <= SHORT:
            continue
        work += words * BASES * len(group)
        if work > LIMITS.sparsify_work:
            break
        fixed = [row for row in group if row.is_fixed]
        base = fixed[0] if fixed else min(group[:BASES], key=lambda row: left_by(row, group))
        for row in group:
            if row is not base and not row.is_fixed:
                join(row, base)
    return work


def left_by(base: SignedEquation, group: list[SignedEquation]) -> int:
    """The literals left of equations about the same literals, with this one as the base."""
    size = len(base)
    left = 0
    for row in group:
        differing = (row.plus ^ base.plus).bit_count()
        left += min(differing, size - differing)
    return left


def partners(row: SignedEquation, rows: list[SignedEquation]) -> Iterator[tuple[int, int]]:
    """Equations that can be joined with one, by index, and the length that would be left."""
    plus, minus, literals = row.plus, row.minus, row.literals
    for index, other in enumerate(rows):
        common = literals & other.literals
        if not common or other is row:
            continue
        agreeing = plus & other.plus | minus & other.minus
        if other.literals == literals:
            many = agreeing.bit_count()
            yield index, min(many, common.bit_count() - many)
        elif agreeing in (0, common):
            yield index, (literals ^ other.literals).bit_count()


def join(row: SignedEquation, other: SignedEquation) -> None:
    """Put the shorter of sum and difference, or half of it, in an equation's place."""
    literals, others = row.literals, other.literals
    agreeing = row.plus & other.plus | row.minus & other.minus
    differing = literals & others & ~agreeing
    if literals == others:
        sign = -1 if differing.bit_count() <= agreeing.bit_count() else 1
        halves = 2
        kept = differing if sign < 0 else agreeing
        plus, minus = row.plus & kept, row.minus & kept
    else:
        sign = 1 if differing else -1
        halves = 1
        alone, new = literals & ~others, others & ~literals
        more, less = (other.plus, other.minus) if sign > 0 else (other.minus, other.plus)
        plus = row.plus & alone | more & new
        minus = row.minus & alone | less & new
    made = {index: number * other.times for index, number in row.made.items()}
    for index, number in other.made.items():
        made[index] = made.get(index, 0) + sign * row.times * number
    total, times = row.total + sign * other.total, row.times * other.times * halves
    if total % halves:
        raise FlawError(Certificate({i: n for i, n in made.items() if n}, times))
    common = gcd(times, *made.values())
    row.plus, row.minus, row.total = plus, minus, total // halves
    row.made = {index: number // common for index, number in made.items() if number}
    row.times = times // common
    row.check()
