"""Reductions of permanents of 0/1 matrices, and of linear equations over 0 and 1.

The README.md of each reduction has its construction and proof.
"""

from collections.abc import Iterable, Sequence

from mmsat.reductions.equations import EquationCompiler, EquationsReduction, add_literals
from mmsat.reductions.reduction import SizeFormulas, Sizes, require_whole
from mmsat.reductions.samples import PLANTED_FIRST, Samples, draw_matrix, draw_system
from mmsat.reductions.sources import Matrix, System01

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


class KPermanent(Permanent):
    """The board of the permanent, with k more pegs, and a row that requires one of them to be 1."""

    name = "k-permanent"
    title = "k times the permanent of a 0/1 matrix -> two colors, as many codes"
    theorem = "counting is #P-complete even where k codes are promised (Viglietta 2012)"
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


Values = tuple[int, ...]


class LinearEquations(EquationsReduction[System01, Values]):
    """Two pegs for each variable and for each copy of a literal, and a row for each equation."""

    name = "linear-system"
    title = "linear equations over 0 and 1, or a subset sum -> two colors"
    theorem = "Mastermind satisfiability is NP-complete; two colors are 0/1 linear systems"
    source_kind = "system"
    formula = SizeFormulas("2n + 2c", "2", "1 + n + 2c + m")
    family = "linear equations, coefficients -1 to 1, one equation per two variables"
    samples = Samples(draw_system, unit="variables", size=20, min_size=4)

    def copies(self) -> dict[int, int]:
        """Return the number of copies of each literal, in addition to the literal itself.

        The literal -x is used for negative coefficients.
        """
        max_uses: dict[int, int] = {}
        for coefficients, _ in self.source.equations:
            for x, factor in enumerate(coefficients, 1):
                literal = x if factor > 0 else -x
                max_uses[literal] = max(max_uses.get(literal, 0), abs(factor))
        return {literal: uses - 1 for literal, uses in sorted(max_uses.items()) if uses > 1}

    def write(self, system: EquationCompiler) -> None:
        pegs = {x: [peg] for x, peg in add_literals(system, self.source.variables).items()}
        for literal, num_copies in self.copies().items():
            for _ in range(num_copies):
                pegs[literal].append(_add_copy(system, literal, pegs))
        for number, equation in enumerate(self.source.equations, 1):
            summed_pegs: list[int] = []
            for x, factor in enumerate(equation.coefficients, 1):
                summed_pegs += pegs[x if factor > 0 else -x][: abs(factor)]
            total = equation.total - sum(min(0, factor) for factor in equation.coefficients)
            system.exactly(total, summed_pegs, f"equation {number}", str(equation))

    def sizes(self) -> Sizes:
        variables, copies = self.source.variables, sum(self.copies().values())
        rows = 1 + variables + 2 * copies + len(self.source.equations)
        return Sizes(2 * variables + 2 * copies, 2, rows)

    def decode_colors(self, code: Sequence[int]) -> Values:
        return tuple(code[: self.source.variables])

    def spell(self, certificate: Values) -> str:
        return ", ".join(f"x{x} = {int(value)}" for x, value in enumerate(certificate, 1))

    def is_certificate(self, certificate: Values) -> bool:
        return self.source.is_solution(certificate)


def _add_copy(system: EquationCompiler, literal: int, pegs: dict[int, list[int]]) -> int:
    """Add a copy of a literal, and the negation of the copy; return the peg of the copy."""
    gadget = f"variable {abs(literal)}"
    value = "1" if literal > 0 else "0"
    opposite = pegs[-literal][0]
    copy = system.complement(opposite, gadget, f"copy: x{abs(literal)} is {value}")
    partner = system.complement(copy, gadget, f"copy: x{abs(literal)} is not {value}")
    system.exactly(1, (opposite, copy), gadget, f"the copy is x{abs(literal)} = {value}")
    system.exactly(1, (copy, partner), gadget, "the copy or its partner")
    system.weight += 1
    return copy
