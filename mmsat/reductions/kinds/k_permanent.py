"""k times the permanent -> two colors: hard to count although k codes are known.

Problem: given a square matrix of 0 and 1, how many permutations meet ones only? Here one of them
may be known beforehand, for it is easy to find.

Construction: as for the permanent, and k further pegs of which one is 1.

    the sum of the pegs of the line = 1      for each row and each column
    the sum of the further pegs = 1

Proof. The first equations have as many solutions as the permanent says, all of weight q; the last
one has k, of weight 1, on other pegs. So every solution weighs q + 1, the equations are a board
(mmsat.reductions.equations), and it has exactly k codes for each permutation. A permutation that is
known gives k known codes; to tell how many codes there are is still to tell the permanent.

Sizes, for q rows with e ones: e + k pegs, 2 colors, 2 + 2q rows. The ratio is exactly k, and the
same with black only.

Source: Viglietta, Hardness of Mastermind (2012): counting is #P-complete even where k codes are
promised. The construction is this project's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.reductions.base import Sizes
from mmsat.reductions.kinds.permanent import Permanent, Permutation, chosen

if TYPE_CHECKING:
    from mmsat.game.row import Code
    from mmsat.reductions.equations import Equations
    from mmsat.reductions.sources.matrix import Matrix


class KPermanent(Permanent):
    """A peg for each 1, and k pegs more; a row for each line, and a row more."""

    name = "k-permanent"
    title = "k times the permanent of a 0/1 matrix -> two colors, as many codes"
    theorem = "counting is #P-complete even where k codes are promised (Viglietta 2012)"
    parameters = ("k",)
    formula = {"pegs": "e + k", "colors": "2", "rows": "2 + 2q"}  # noqa: RUF012

    def __init__(self, source: Matrix, *, k: int) -> None:
        super().__init__(source, k=k)
        if type(k) is not int or k < 1:
            raise InputError(
                [Fault("k is a whole number from 1", k, "1 or more")], "the parameters"
            )
        self.k = k

    @property
    def ratio(self) -> int:
        """So many codes for each permutation."""
        return self.k

    def write(self) -> Equations:
        """Ones, then the further pegs; rows, then columns, then the further row."""
        system = super().write()
        pegs = [system.peg("copies", f"copy {copy}") for copy in range(1, self.k + 1)]
        system.exactly(1, pegs, "copies", f"one of {self.k} copies")
        system.weight += 1
        return system

    def sizes(self) -> Sizes:
        """A peg a one and k more, a row a line of the matrix and two more."""
        sizes = self.source.sizes()
        return Sizes(sizes["ones"] + self.k, 2, 2 + 2 * sizes["rows"])

    def encode(self, certificate: Permutation) -> Code:
        """The first of the k codes of a permutation."""
        return self.codes(certificate)[0]

    def codes(self, permutation: Permutation) -> list[Code]:
        """All k codes of a permutation."""
        ones = chosen(self.source, permutation)
        numbers = range(self.k)
        return [
            self.equations.code([*ones, *(number == copy for number in numbers)])
            for copy in numbers
        ]
