"""Linear equations over 0 and 1 -> two colors; one equation is a subset sum.

Problem: given equations with whole coefficients, are there values 0 or 1 for their variables that
satisfy them all?

Construction, over pegs that are 0 or 1: p for each variable, and q, its complement. A negative
coefficient -a of x is a times the complement, with a added to the total. A literal that some
equation has a times gets a - 1 copies; each copy c comes with a partner c'.

    p(x) + q(x) = 1                                        for each variable
    the literal's complement + c = 1, and c + c' = 1       for each copy
    the sum of the literals and their copies = total       for each equation

Proof. The rows of a copy say that c is the literal and c' its complement, so the solutions are
those of the system, one to one. The pairs p, q and c, c' partition the pegs and weigh 1 each, so
the equations are a board (mmsat.reductions.equations). The coefficients are written out in pegs:
the board is as large as they are, not as long as their digits. One equation alone is easy that way;
several are as hard as exact cover, with coefficients 1.

Sizes, for n variables, m equations and c copies: 2n + 2c pegs, 2 colors, 1 + n + 2c + m rows; c is
the sum over all literals of the largest size of a coefficient, less one. Parsimonious, and the same
with black only.

Source: zero-one integer programming and subset sum are of Karp's list (1972). The construction is
this project's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.reductions.assignments import add_literals
from mmsat.reductions.base import Sizes
from mmsat.reductions.equations import ByEquations, Equations
from mmsat.reductions.sources.system import System01

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code

Values = tuple[int, ...]


class LinearSystem(ByEquations[System01, Values]):
    """A pair of pegs for each variable and each copy of a literal, a row for each equation."""

    name = "linear-system"
    title = "linear equations over 0 and 1, or a subset sum -> two colors"
    theorem = "Mastermind satisfiability is NP-complete; two colors are 0/1 linear systems"
    source_kind = "system"
    formula = {"pegs": "2n + 2c", "colors": "2", "rows": "1 + n + 2c + m"}  # noqa: RUF012

    def copies(self) -> dict[int, int]:
        """For each literal how many copies it needs: x is negative with negative coefficients."""
        most: dict[int, int] = {}
        for coefficients, _ in self.source.equations:
            for x, factor in enumerate(coefficients, 1):
                literal = x if factor > 0 else -x
                most[literal] = max(most.get(literal, 0), abs(factor))
        return {literal: many - 1 for literal, many in sorted(most.items()) if many > 1}

    def write(self) -> Equations:
        """Variables, then copies, then equations."""
        system = Equations()
        pegs = {x: [peg] for x, peg in add_literals(system, self.source.variables).items()}
        for literal, many in self.copies().items():
            for _ in range(many):
                pegs[literal].append(_add_copy(system, literal, pegs))
        for number, equation in enumerate(self.source.equations, 1):
            chosen: list[int] = []
            for x, factor in enumerate(equation.coefficients, 1):
                chosen += pegs[x if factor > 0 else -x][: abs(factor)]
            total = equation.total - sum(min(0, factor) for factor in equation.coefficients)
            system.exactly(total, chosen, f"equation {number}", str(equation))
        return system

    def sizes(self) -> Sizes:
        """Two pegs a variable and a copy; a row a variable and an equation, two a copy."""
        variables, copies = self.source.variables, sum(self.copies().values())
        rows = 1 + variables + 2 * copies + len(self.source.equations)
        return Sizes(2 * variables + 2 * copies, 2, rows)

    def encode(self, certificate: Values) -> Code:
        """A peg a variable, and what follows for the others."""
        return self.equations.code(certificate)

    def decode(self, code: Sequence[int]) -> Values:
        """The pegs of the variables."""
        return tuple(code[: self.source.variables])

    def spell(self, certificate: Values) -> str:
        """Each variable with its value."""
        return ", ".join(f"x{x} = {int(value)}" for x, value in enumerate(certificate, 1))

    def is_certificate(self, certificate: Values) -> bool:
        """Whether the values satisfy every equation."""
        return self.source.is_solution(certificate)


def _add_copy(system: Equations, literal: int, pegs: dict[int, list[int]]) -> int:
    """Add a copy of a literal and its partner; the peg of the copy."""
    gadget = f"variable {abs(literal)}"
    value = "1" if literal > 0 else "0"
    opposite = pegs[-literal][0]
    copy = system.complement(opposite, gadget, f"copy: x{abs(literal)} is {value}")
    partner = system.complement(copy, gadget, f"copy: x{abs(literal)} is not {value}")
    system.exactly(1, (opposite, copy), gadget, f"the copy is x{abs(literal)} = {value}")
    system.exactly(1, (copy, partner), gadget, "the copy or its partner")
    system.weight += 1
    return copy
