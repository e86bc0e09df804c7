"""What all reductions of coverings share: a peg for each choice, and a row for what it must cover.

Certificates are the indices, from 0 and ascending, of what is chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.reductions.base import Source
from mmsat.reductions.equations import ByEquations, Equations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code

Chosen = tuple[int, ...]


class FromChoices(ByEquations[Source, Chosen]):
    """The free pegs of the equations are the choices, in order."""

    def encode(self, certificate: Chosen) -> Code:
        """The pegs of what is chosen, and what follows for the others."""
        chosen = set(certificate)
        many = sum(peg.value is None for peg in self.equations.pegs)
        return self.equations.code(index in chosen for index in range(many))

    def decode(self, code: Sequence[int]) -> Chosen:
        """The choices whose pegs are 1."""
        return tuple(index for index, value in enumerate(self.equations.free(code)) if value)


def add_elements(
    system: Equations, noun: str, names: Sequence[str], holders: Sequence[Chosen]
) -> None:
    """For each element, by its name, say that exactly one of its holders is chosen."""
    for name, pegs in zip(names, holders, strict=True):
        listed = ", ".join(str(peg + 1) for peg in pegs) or "nothing"
        system.exactly(1, pegs, name, f"one {noun} of {listed}")
