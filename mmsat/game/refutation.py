"""Refutations: proofs by hand that no code satisfies some rows of a two-color board.

Verdicts and proofs contain refutations, and are shown and checked without a solver. So this module
imports no solver. solving/refutation.py finds refutations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

from mmsat._util.results import NonNegative, RowNumber, RowNumbers, Schema


class RowMultipleJson(TypedDict):
    """A row and its multiplier in a combination."""

    row: RowNumber
    times: Annotated[int, Schema(**{"not": {"const": 0}})]
    """Multiplier of the equation of the row."""


class CombinationJson(TypedDict):
    """Rows of a two-color board whose integer combination is a contradiction.

    Let s be the number of pegs at which code and guess have the second color, and t the number of
    pegs at which only the code has it. The equation of a row is s - t = black - f, in which f is
    the number of pegs at which the guess has the first color.
    """

    weight: NonNegative | None
    """The combination is a contradiction if the code has this number of pegs of the second color;
    null if it is a contradiction for every number."""
    rows: list[RowMultipleJson]
    """The combined rows."""
    times_weight: int
    """Multiplier of the equation that states the number of pegs of the second color in the code."""
    modulus: Annotated[int, Schema(minimum=2)] | None
    """A divisor of all coefficients of the sum that does not divide its total; null if the total is
    out of range."""


@dataclass(frozen=True)
class Combination:
    """Rows of a two-color board whose integer combination is a contradiction.

    Let x_p be 1 if the code has the second color at peg p, and 0 otherwise. The weight of a code is
    the sum of all x_p. In the equation of a row, x_p has the coefficient 1 if the guess has the
    second color at peg p, and -1 otherwise. The total is black minus the number of pegs at which
    the guess has the first color. (If black was not read, it follows from white and the weight.)
    The combination of these equations has an integer coefficient for each x_p and a total, but

    - the modulus divides all these coefficients and not the total; or
    - the total is below the sum of the negative coefficients, or above that of the positive ones.
    """

    weight: int | None
    """The weight to which the combination applies; None if it applies to every weight."""
    rows: tuple[tuple[int, int], ...]
    """Pairs of a row index and its multiplier, a nonzero integer; indices ascending."""
    times_weight: int
    """The multiplier of the equation of the weight; 0 if it is not used."""
    modulus: int | None
    """A divisor of all coefficients that does not divide the total; None if the total is out of
    range."""

    def to_dict(self) -> CombinationJson:
        """Return a dict for JSON, with rows from 1."""
        return {
            "weight": self.weight,
            "rows": [{"row": row + 1, "times": times} for row, times in self.rows],
            "times_weight": self.times_weight,
            "modulus": self.modulus,
        }


class RefutationJson(TypedDict):
    """A proof that no code satisfies the rows of a conflict of a two-color board."""

    weighing: RowNumbers
    """Rows, each of which rules out some weights by its score alone. The combinations rule out all
    other weights."""
    combinations: list[CombinationJson]


@dataclass(frozen=True)
class Refutation:
    """A proof that no code satisfies some rows of a two-color board. It can be checked by hand."""

    weighing: tuple[int, ...]
    """Row indices, ascending. Each row rules out some weights: no code of these weights gives its
    score."""
    combinations: tuple[Combination, ...]
    """One combination for each other weight, or a single one that applies to every weight."""

    @property
    def rows(self) -> tuple[int, ...]:
        """Indices of all rows of the proof, ascending."""
        combined = (row for combination in self.combinations for row, _ in combination.rows)
        return tuple(sorted({*self.weighing, *combined}))

    def renumber(self, rows: Sequence[int]) -> Refutation:
        """Return the same proof for a larger board.

        Parameters
        ----------
        rows : sequence of int
            The index in the larger board of each row of this one.

        Returns
        -------
        Refutation
            The proof, with the new rows.
        """
        return Refutation(
            tuple(rows[row] for row in self.weighing),
            tuple(
                replace(combined, rows=tuple((rows[row], times) for row, times in combined.rows))
                for combined in self.combinations
            ),
        )

    def to_dict(self) -> RefutationJson:
        """Return a dict for JSON, with rows from 1."""
        return {
            "weighing": [row + 1 for row in self.weighing],
            "combinations": [combination.to_dict() for combination in self.combinations],
        }
