"""Short equations: rows subtracted from one another where that leaves fewer pegs.

All signs are 1 or -1, so half the sum or the difference of two rows has coefficients 1, 0 and -1:

    (row + base) / 2    the pegs where they agree           (row - base) / 2    where they differ

and the shorter of the two has at most half of the pegs. With the row of the weight as the base
these are "t of the pegs of S are 1" and "K - t of the other pegs are 1". An odd total is a
contradiction. The base stays as it is: base and halves give the rows back, so the solutions are the
same.

After that, where two short rows overlap without a clash, so that their sum or difference has again
coefficients 1, 0 and -1, it takes the place of the longer one if it is shorter still.
"""

from dataclasses import dataclass, field

import numpy as np

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.two_color_equations import TwoColorEquations

BASES = 8
"""Rows that are tried as the base."""
SHORT = 4
"""Pegs that are few enough: such rows are not shortened by pairs."""
PAIRS = 5e8
"""Products of signs that are computed at most to compare rows by pairs, about a second."""


@dataclass(slots=True, eq=False)
class SparseEquation:
    """An equation: the coefficients (1 or -1) of some pegs, and what they add up to."""

    pegs: np.ndarray
    signs: np.ndarray
    total: int
    double: dict[int, int] = field(default_factory=dict)
    """By equation of the board: the combination that makes twice this equation."""

    def __len__(self) -> int:
        return len(self.pegs)

    def flaw(self) -> Certificate | None:
        """The proof that the total is out of reach, if it is."""
        most = int((self.signs > 0).sum())
        if most - len(self) <= self.total <= most:
            return None
        return Certificate(self.double)


def sparsify(equations: TwoColorEquations) -> list[SparseEquation] | Certificate:
    """Equations with the same solutions and few pegs each, the base first; or why there is none."""
    if not len(equations.totals):
        return []
    base = best_base(equations)
    rows, totals = equations.signs, equations.totals
    pegs = np.arange(equations.pegs)
    found = [SparseEquation(pegs, rows[base], int(totals[base]), {base: 2})]
    for index in range(len(totals)):
        if index == base:
            continue
        differing = rows[index] != rows[base]
        sign = 1 if 2 * int(differing.sum()) > equations.pegs else -1
        double = int(totals[index] + sign * totals[base])
        combination = {index: 1, base: sign}
        if double % 2:
            return Certificate(combination, 2)
        where = np.flatnonzero(differing if sign < 0 else ~differing)
        found.append(SparseEquation(where, rows[index][where], double // 2, combination))
    for short in found:
        if flaw := short.flaw():
            return flaw
    return subtract_pairs(found, equations.pegs)


def best_base(equations: TwoColorEquations) -> int:
    """The row, of the first few, that leaves the fewest pegs."""
    rows, pegs = equations.signs, equations.pegs

    def remaining_length(base: int) -> int:
        apart = np.count_nonzero(rows != rows[base], axis=1)
        return int(np.minimum(apart, pegs - apart).sum())

    return min(range(min(BASES, len(rows))), key=remaining_length)


def subtract_pairs(rows: list[SparseEquation], pegs: int) -> list[SparseEquation] | Certificate:
    """The rows, each but the base replaced by its shortest sum or difference with another."""
    long = [row for row in rows[1:] if len(row) > SHORT]
    if not long or len(long) ** 2 * pegs > PAIRS:
        return rows
    dense = np.zeros((len(long), pegs), dtype=np.float32)
    for number, row in enumerate(long):
        dense[number, row.pegs] = row.signs
    present = np.abs(dense)
    length = present.sum(axis=1)
    for number in sorted(range(len(long)), key=lambda each: -len(long[each])):
        while True:
            product = dense @ dense[number]
            overlap = present @ present[number]
            fits = (np.abs(product) == overlap) & (overlap > 0)
            fits[number] = False
            new = np.where(fits, length + length[number] - 2 * overlap, np.inf)
            other = int(np.argmin(new))
            if not new[other] < length[number]:
                break
            sign = -1 if product[other] > 0 else 1
            dense[number] += sign * dense[other]
            present[number] = np.abs(dense[number])
            length[number] = new[other]
            long[number] = combine_pair(long[number], long[other], sign, dense[number])
            if flaw := long[number].flaw():
                return flaw
    with_short = iter(long)
    return [rows[0], *(next(with_short) if len(row) > SHORT else row for row in rows[1:])]


def combine_pair(
    row: SparseEquation, other: SparseEquation, sign: int, dense: np.ndarray
) -> SparseEquation:
    """The sum or the difference of two rows, whose coefficients are known."""
    pegs = np.flatnonzero(dense)
    double = dict(row.double)
    for index, number in other.double.items():
        double[index] = double.get(index, 0) + sign * number
    return SparseEquation(pegs, dense[pegs].astype(np.int8), row.total + sign * other.total, double)
