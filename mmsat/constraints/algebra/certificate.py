"""Proofs that equations have no solution, and how they are checked.

A certificate is a whole number for each of some equations. The equations, each times its number,
add up to one equation that every solution satisfies, `sum v_p x_p = total`. There is none if

- a modulus m divides every v_p but not the total, for the left side is then a multiple of m; or
- the total is below the sum of the negative v_p, or above that of the positive ones, which are the
  least and the most that the left side can be. With all v_p = 0 this says: "0 is not 0".

The checker adds up the equations as they were read off the board, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mmsat.constraints.algebra.equations import Equations

FITS = 1 << 62
"""What whole numbers of 64 bits hold with a bit to spare."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A combination of equations, by their index, that nothing satisfies."""

    multipliers: dict[int, int]
    modulus: int = 0
    """The number that divides the left side only; 0 where the total is out of reach."""

    def proves(self, equations: Equations) -> bool:
        """Whether the equations have no solution, by this combination."""
        left, total = combined(self.multipliers, equations)
        if self.modulus:
            divides = not any(value % self.modulus for value in left.tolist())
            return self.modulus > 1 and divides and total % self.modulus != 0
        values = left.tolist()
        least = sum(value for value in values if value < 0)
        most = sum(value for value in values if value > 0)
        return not least <= total <= most

    def rows(self, equations: Equations) -> tuple[int, ...]:
        """The rows of the board that are combined, from 0; the weight is none of them."""
        used = {equations.sources[each] for each, number in self.multipliers.items() if number}
        return tuple(sorted(row for row in used if row is not None))


def combined(multipliers: dict[int, int], equations: Equations) -> tuple[np.ndarray, int]:
    """The left side, by peg, and the total of a combination, without rounding."""
    largest = sum(map(abs, multipliers.values()))
    kind = np.int64 if largest < FITS else object
    left = np.zeros(equations.pegs, dtype=kind)
    total = 0
    for index, number in multipliers.items():
        left += equations.signs[index].astype(kind) * number
        total += int(equations.totals[index]) * number
    return left, total
