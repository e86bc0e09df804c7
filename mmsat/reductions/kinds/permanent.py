"""The permanent -> two colors: a board with as many codes as a 0/1 matrix's permanent says.

Problem: given a square matrix of 0 and 1, in how many ways can one choose a 1 in each row so that
they stand in different columns? They are the perfect matchings of a bipartite graph, and easy to
find, but hard to count.

Construction: a peg for each 1 of the matrix, 1 where it is chosen.

    the sum of the pegs of the line = 1      for each row and each column

Proof. The solutions are the choices. The equations of the rows sum to the weight, so every solution
weighs q, the rows of the matrix, and the equations are a board (mmsat.reductions.equations). One
choice, one solution: the number of consistent codes is the permanent.

Sizes, for q rows with e ones: e pegs (1 where there are none), 2 colors, 1 + 2q rows. Parsimonious,
and the same with black only.

Source: the permanent of 0/1 matrices is #P-complete by Valiant (1979); counting the codes of a
board is #P-complete by Viglietta, Hardness of Mastermind (2012). The construction is this project's
own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.reductions.base import Sizes
from mmsat.reductions.equations import ByEquations, Equations
from mmsat.reductions.sources.matrix import Matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code

Permutation = tuple[int, ...]


class Permanent(ByEquations[Matrix, Permutation]):
    """A peg for each 1, a row for each row and each column."""

    name = "permanent"
    title = "permanent of a 0/1 matrix -> two colors, as many codes"
    theorem = "counting consistent codes is #P-complete (Viglietta 2012)"
    source_kind = "matrix"
    formula = {"pegs": "max(1, e)", "colors": "2", "rows": "1 + 2q"}  # noqa: RUF012

    def write(self) -> Equations:
        """Ones, then rows, then columns."""
        system = Equations()
        add_lines(system, self.source)
        return system

    def sizes(self) -> Sizes:
        """A peg a one, a row a line of the matrix, and the row of the weight."""
        sizes = self.source.sizes()
        return Sizes(max(1, sizes["ones"]), 2, 1 + 2 * sizes["rows"])

    def encode(self, certificate: Permutation) -> Code:
        """The pegs of the chosen ones."""
        return self.equations.code(chosen(self.source, certificate))

    def decode(self, code: Sequence[int]) -> Permutation:
        """The columns of the chosen ones, row after row."""
        ones = zip(self.source.ones(), code, strict=False)
        return tuple(column for (_, column), value in ones if value)

    def is_certificate(self, certificate: Permutation) -> bool:
        """Whether it is a permutation that meets ones only."""
        return self.source.is_matching(certificate)


def add_lines(system: Equations, matrix: Matrix) -> None:
    """Add a peg for each 1 of a matrix, and say that each row and each column has one chosen."""
    ones = matrix.ones()
    for row, column in ones:
        system.peg(f"row {row + 1}", f"row {row + 1} has column {column + 1}")
    for axis, noun in enumerate(("row", "column")):
        for line in range(len(matrix.rows)):
            pegs = [peg for peg, place in enumerate(ones) if place[axis] == line]
            says = f"one of the {len(pegs)} ones of {noun} {line + 1}"
            system.exactly(1, pegs, f"{noun} {line + 1}", says)
    system.weight += len(matrix.rows)


def chosen(matrix: Matrix, permutation: Sequence[int]) -> list[int]:
    """For each 1 of a matrix whether a permutation meets it."""
    return [int(permutation[row] == column) for row, column in matrix.ones()]
