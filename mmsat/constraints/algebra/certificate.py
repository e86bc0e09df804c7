"""Certificates that equations have no solution, and their verification.

A certificate has an integer multiplier for each of some equations. The sum of the equations, each
times its multiplier, is an equation that every solution satisfies, `sum v_p x_p = total` with each
x_p 0 or 1. There is no solution if

- a modulus m divides every v_p but not the total, because the left side is a multiple of m; or
- the total is less than the sum of the negative v_p or greater than the sum of the positive v_p,
  which are the minimum and the maximum of the left side. This includes the case that all v_p are 0
  and the total is not.

The verification only adds up equations that were read from the board. It applies to all classes of
equations that implement `Summable`: the equations of two-color boards (two_color_equations.py), and
those of any board (presolve/literal_equations.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class Summable(Protocol):
    """A list of equations over 0-1 variables."""

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[Sequence[int], int]:
        """Return the coefficients and the total of a linear combination, computed exactly."""

    def rows_of(self, index: int) -> Iterable[int]:
        """Return the rows of the board that imply an equation, from 0."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A linear combination of equations that no 0-1 values satisfy; multipliers are by index."""

    multipliers: dict[int, int]
    modulus: int = 0
    """The modulus that divides the left side only; 0 if the total is out of range instead."""

    def proves(self, equations: Summable) -> bool:
        """Return whether this combination proves that the equations have no solution."""
        left, total = equations.sum_up(self.multipliers)
        if self.modulus:
            is_divisible = not any(value % self.modulus for value in left)
            return self.modulus > 1 and is_divisible and total % self.modulus != 0
        minimum = sum(value for value in left if value < 0)
        maximum = sum(value for value in left if value > 0)
        return not minimum <= total <= maximum

    def rows(self, equations: Summable) -> tuple[int, ...]:
        """Return the rows of the board that imply the combined equations, from 0."""
        used = [index for index, number in self.multipliers.items() if number]
        return tuple(sorted({row for index in used for row in equations.rows_of(index)}))
