"""What all reductions of formulas share: certificates are assignments, and pegs stand for literals.

A variable is a peg p, 1 where it is true, and mostly a second peg q, 1 where it is false. The row
"one of p and q" makes q the negation; each such pair weighs 1, whatever the assignment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.reductions.equations import ByEquations, Equations
from mmsat.reductions.sources.formula import Formula, spell, spell_assignment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code

Assignment = tuple[bool, ...]


class FromFormula(ByEquations[Formula, Assignment]):
    """The free pegs of the equations are the variables, in order."""

    source_kind = "formula"

    def encode(self, certificate: Assignment) -> Code:
        """A peg a variable, and what follows for the others."""
        return self.equations.code(certificate)

    def spell(self, certificate: Assignment) -> str:
        """In the manner of DIMACS."""
        return spell_assignment(certificate)

    def decode(self, code: Sequence[int]) -> Assignment:
        """The pegs of the variables."""
        return tuple(color == 1 for color in code[: self.source.variables])


def add_literals(system: Equations, variables: int) -> dict[int, int]:
    """Add a peg for each literal, and the pairs; the peg of each literal."""
    numbers = range(1, variables + 1)
    pegs = {
        number: system.peg(f"variable {number}", f"{spell(number)} is true") for number in numbers
    }
    for number in numbers:
        false = f"{spell(number)} is false"
        pegs[-number] = system.complement(pegs[number], f"variable {number}", false)
    for number in numbers:
        pair = (pegs[number], pegs[-number])
        says = f"one of {spell(number)}, {spell(-number)}"
        system.exactly(1, pair, f"variable {number}", says)
    system.weight += variables
    return pegs
