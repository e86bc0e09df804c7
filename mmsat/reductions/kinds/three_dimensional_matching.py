"""Three-dimensional matching -> two colors.

Problem: given triples of one thing each of three kinds, q things a kind, are there q triples that
have every thing exactly once?

Construction: a peg for each triple, 1 where it is chosen.

    the sum of the pegs of the triples with the thing = 1      for each of the 3q things

Proof. The equations say what is asked for. Each triple has one thing of the first kind, so the
equations of this kind sum to the weight: every solution weighs q, and the equations are a board
(mmsat.reductions.equations). One matching, one solution.

Sizes, for t triples: t pegs (1 where there are none), 2 colors, 1 + 3q rows. Parsimonious, and the
same with black only.

Source: Mastermind with black pegs only is NP-complete by Goodrich, On the algorithmic complexity of
the Mastermind game with black-peg results (2009), from three-dimensional matching. The construction
is this project's own.
"""

from __future__ import annotations

from mmsat.reductions.base import Sizes
from mmsat.reductions.choices import Chosen, FromChoices, add_elements
from mmsat.reductions.equations import Equations
from mmsat.reductions.sources.triples import Triples


class ThreeDimensionalMatching(FromChoices[Triples]):
    """A peg for each triple, a row for each thing."""

    name = "three-dimensional-matching"
    title = "three-dimensional matching -> two colors"
    theorem = "Mastermind with black pegs only is NP-complete (Goodrich 2009)"
    source_kind = "triples"
    formula = {"pegs": "max(1, t)", "colors": "2", "rows": "1 + 3q"}  # noqa: RUF012

    def write(self) -> Equations:
        """Triples, then the things of each kind."""
        system = Equations()
        size = self.source.size
        for number, triple in enumerate(self.source.triples, 1):
            system.peg(f"triple {number}", f"{triple} is chosen")
        names = [f"{kind} {thing}" for kind in "xyz" for thing in range(1, size + 1)]
        add_elements(system, "triple", names, self.source.holders())
        system.weight = size
        return system

    def sizes(self) -> Sizes:
        """A peg a triple, a row a thing, and the row of the weight."""
        return Sizes(max(1, len(self.source.triples)), 2, 1 + 3 * self.source.size)

    def is_certificate(self, certificate: Chosen) -> bool:
        """Whether the triples have every thing exactly once."""
        return self.source.is_matching(certificate)
