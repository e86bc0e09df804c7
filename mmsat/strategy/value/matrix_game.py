"""Matrix games solved exactly, in fractions."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class Solution(NamedTuple):
    """The value of a matrix game, and mixtures of both sides that guarantee it."""

    value: Fraction
    rows: tuple[Fraction, ...]
    """How likely each row is, for the side that wants much."""
    columns: tuple[Fraction, ...]
    """How likely each column is, for the side that wants little."""


def solve_matrix(matrix: Sequence[Sequence[Fraction]]) -> Solution:
    """Solve the game where one side chooses a row for the most, the other a column for the least.

    All entries are above 0. Solves the linear program of the columns in Dantzig's form (the largest
    sum of y with A y <= 1; the value is one by that sum) by the simplex method with Bland's rule,
    which always ends. Cost: a pass over the table for each pivot.
    """
    many = len(matrix[0])
    size = len(matrix)
    table = [
        [*row, *(Fraction(place == number) for place in range(size)), Fraction(1)]
        for number, row in enumerate(matrix)
    ]
    gains = [Fraction(1)] * many + [Fraction(0)] * (size + 1)
    basis = [many + row for row in range(size)]
    while any(gain > 0 for gain in gains[:-1]):
        entering = next(column for column, gain in enumerate(gains) if gain > 0)
        leaving = min(
            (row for row in range(size) if table[row][entering] > 0),
            key=lambda row: (table[row][-1] / table[row][entering], basis[row]),
        )
        pivot = table[leaving][entering]
        table[leaving] = [cell / pivot for cell in table[leaving]]
        for line in (*table[:leaving], *table[leaving + 1 :], gains):
            share = line[entering]
            if share:
                line[:] = [a - share * b for a, b in zip(line, table[leaving], strict=True)]
        basis[leaving] = entering
    value = -1 / gains[-1]
    columns = [Fraction(0)] * many
    for row, column in enumerate(basis):
        if column < many:
            columns[column] = table[row][-1] * value
    rows = [-gain * value for gain in gains[many:-1]]
    return Solution(value, tuple(rows), tuple(columns))
