"""Linear equations over 0 and 1 -> two colors; one equation is a subset sum: see README.md."""

from collections.abc import Sequence

from mmsat.reductions.equations import EquationCompiler, EquationsReduction, add_literals
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Samples, draw_system
from mmsat.reductions.sources import System01

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
