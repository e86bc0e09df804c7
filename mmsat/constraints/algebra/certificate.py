"""Proofs that equations have no solution, and how they are checked.

A certificate is a whole number for each of some equations. The equations, each times its number,
add up to one equation that every solution satisfies, `sum v_p x_p = total`. There is none if

- a modulus m divides every v_p but not the total, for the left side is then a multiple of m; or
- the total is below the sum of the negative v_p, or above that of the positive ones, which are the
  least and the most that the left side can be. With all v_p = 0 this says: "0 is not 0".

The checker adds up the equations as they were read off the board, and nothing else. Any equations
over 0 and 1 will do that can be added up: those of a board of two colors (two_color_equations.py),
and those of any board (presolve/literal_equations.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class Summable(Protocol):
    """Equations over values that are 0 or 1, known by their index."""

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[Sequence[int], int]:
        """The left side's coefficients and the total of a combination, without rounding."""

    def rows_of(self, index: int) -> Iterable[int]:
        """The rows of the board that an equation follows from, from 0."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A combination of equations, by their index, that nothing satisfies."""

    multipliers: dict[int, int]
    modulus: int = 0
    """The number that divides the left side only; 0 where the total is out of reach."""

    def proves(self, equations: Summable) -> bool:
        """Whether the equations have no solution, by this combination."""
        left, total = equations.sum_up(self.multipliers)
        if self.modulus:
            divides = not any(value % self.modulus for value in left)
            return self.modulus > 1 and divides and total % self.modulus != 0
        least = sum(value for value in left if value < 0)
        most = sum(value for value in left if value > 0)
        return not least <= total <= most

    def rows(self, equations: Summable) -> tuple[int, ...]:
        """The rows of the board that are combined, from 0; the weight is none of them."""
        used = [index for index, number in self.multipliers.items() if number]
        return tuple(sorted({row for index in used for row in equations.rows_of(index)}))
