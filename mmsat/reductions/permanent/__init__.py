"""The permanent of a 0/1 matrix -> two colors, with as many codes: see README.md."""

from collections.abc import Iterable, Sequence

from mmsat.reductions.equations import EquationCompiler, EquationsReduction
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import PLANTED_FIRST, Samples, draw_matrix
from mmsat.reductions.sources import Matrix

Permutation = tuple[int, ...]


class Permanent(EquationsReduction[Matrix, Permutation]):
    """A peg for each 1, and a row for each row and each column of the matrix."""

    name = "permanent"
    title = "permanent of a 0/1 matrix -> two colors, as many codes"
    theorem = "counting consistent codes is #P-complete (Viglietta 2012)"
    source_kind = "matrix"
    formula = SizeFormulas("max(1, e)", "2", "1 + 2q")
    family = "permanents of 0/1 matrices with three ones per row, to be counted"
    samples = Samples(draw_matrix, PLANTED_FIRST, unit="rows of the matrix", size=20, min_size=2)

    def write(self, system: EquationCompiler) -> None:
        ones = self.source.ones()
        for row, column in ones:
            system.peg(f"row {row + 1}", f"row {row + 1} has column {column + 1}")
        lines = range(len(self.source.rows))
        for axis, noun in enumerate(("row", "column")):
            for line in lines:
                pegs = [peg for peg, position in enumerate(ones) if position[axis] == line]
                meaning = f"one of the {len(pegs)} ones of {noun} {line + 1}"
                system.exactly(1, pegs, f"{noun} {line + 1}", meaning)
        system.weight += len(lines)

    def sizes(self) -> Sizes:
        sizes = self.source.sizes()
        return Sizes(max(1, sizes["ones"]), 2, 1 + 2 * sizes["rows"])

    def bits(self, certificate: Permutation) -> Iterable[int]:
        return (certificate[row] == column for row, column in self.source.ones())

    def decode_colors(self, code: Sequence[int]) -> Permutation:
        ones = zip(self.source.ones(), code, strict=False)
        return tuple(column for (_, column), value in ones if value)

    def is_certificate(self, certificate: Permutation) -> bool:
        return self.source.is_matching(certificate)
