"""k times the permanent -> two colors, hard to count although k codes are known: see README.md."""

from collections.abc import Iterable

from mmsat.reductions.equations import EquationCompiler
from mmsat.reductions.permanent import Permanent, Permutation
from mmsat.reductions.reduction import SizeFormulas, Sizes, require_whole
from mmsat.reductions.samples import PLANTED_FIRST, Samples, draw_matrix
from mmsat.reductions.sources import Matrix


class KPermanent(Permanent):
    """The board of the permanent, with k more pegs, and a row that requires one of them to be 1."""

    name = "k-permanent"
    title = "k times the permanent of a 0/1 matrix -> two colors, as many codes"
    theorem = (
        "counting is #P-complete under Turing reductions, even if k codes are promised "
        "(Viglietta 2012)"
    )
    parameters = ("k",)
    formula = SizeFormulas("e + k", "2", "2 + 2q")
    family = "three times the permanent of a 0/1 matrix, to be counted"
    samples = Samples(
        lambda *request: draw_matrix(*request)._replace(parameters={"k": 3}),
        PLANTED_FIRST,
        unit="rows of the matrix",
        size=20,
        min_size=2,
    )

    def __init__(self, source: Matrix, *, k: int) -> None:
        super().__init__(source, k=k)
        self.k = require_whole("k", k, 1)

    @property
    def ratio(self) -> int:
        return self.k

    def write(self, system: EquationCompiler) -> None:
        super().write(system)
        pegs = [system.peg("copies", f"copy {copy}") for copy in range(1, self.k + 1)]
        system.exactly(1, pegs, "copies", f"one of {self.k} copies")
        system.weight += 1

    def sizes(self) -> Sizes:
        sizes = self.source.sizes()
        return Sizes(sizes["ones"] + self.k, 2, 2 + 2 * sizes["rows"])

    def bits(self, certificate: Permutation) -> Iterable[int]:
        return (*super().bits(certificate), 1, *(0,) * (self.k - 1))
