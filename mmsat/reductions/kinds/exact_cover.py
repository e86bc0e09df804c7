"""Exact cover -> two colors.

Problem: given sets, are there some of them that have every element exactly once?

Construction: a peg for each set, 1 where it is chosen.

    the sum of the pegs of the sets with the element = 1      for each element

Sets of one size d, as in exact cover by three-sets, need no more: every solution is of weight K =
elements / d, because each set covers d of them. (Where d does not divide the elements there is no
solution, whatever weight the board states.) Sets of different sizes get a second peg each, 1 where
the set is not chosen:

    p(set) + q(set) = 1      for each set

The pairs partition the pegs, so every solution weighs as much as there are sets.

Proof. The equations say what is asked for, and their solutions all weigh the same, so they are a
board (mmsat.reductions.equations). One exact cover, one solution.

Sizes, for e elements and s sets: s pegs and 1 + e rows for sets of one size, else 2s pegs and
1 + e + s rows; 2 colors; no sets are 1 peg. Parsimonious, and the same with black only.

Source: Mastermind with black pegs only is NP-complete by Goodrich, On the algorithmic complexity of
the Mastermind game with black-peg results (2009). The construction is this project's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.reductions.base import Sizes
from mmsat.reductions.choices import Chosen, FromChoices, add_elements
from mmsat.reductions.equations import Equations
from mmsat.reductions.sources.cover import Cover

if TYPE_CHECKING:
    from collections.abc import Sequence


class ExactCover(FromChoices[Cover]):
    """A peg or two for each set, a row for each element."""

    name = "exact-cover"
    title = "exact cover -> two colors"
    theorem = "Mastermind with black pegs only is NP-complete (Goodrich 2009)"
    source_kind = "cover"
    formula = {  # noqa: RUF012
        "pegs": "max(1, s) for sets of one size, else 2s",
        "colors": "2",
        "rows": "1 + e for sets of one size, else 1 + e + s",
    }

    def is_even(self) -> bool:
        """Whether all sets have the same size, so that the weight of a solution is known."""
        return len(set(map(len, self.source.sets))) <= 1

    def write(self) -> Equations:
        """Sets, their complements where needed, then elements."""
        system = Equations()
        sets = self.source.sets
        numbers = range(1, len(sets) + 1)
        pegs = [system.peg(f"set {number}", "it is chosen") for number in numbers]
        if self.is_even():
            system.weight = self.source.elements // len(sets[0]) if sets else 0
        else:
            system.weight = len(sets)
            add_complements(system, "set", pegs)
        names = [f"element {number}" for number in range(1, self.source.elements + 1)]
        add_elements(system, "set", names, self.source.holders())
        return system

    def sizes(self) -> Sizes:
        """A peg a set and a row an element, and as much again a set where their sizes differ."""
        elements, sets = self.source.elements, len(self.source.sets)
        if self.is_even():
            return Sizes(max(1, sets), 2, 1 + elements)
        return Sizes(2 * sets, 2, 1 + elements + sets)

    def is_certificate(self, certificate: Chosen) -> bool:
        """Whether the sets cover every element exactly once."""
        return self.source.is_exact(certificate)


def add_complements(system: Equations, noun: str, pegs: Sequence[int]) -> None:
    """Add a second peg for each choice, 1 where it is not chosen, and the rows that say so."""
    others = [
        system.complement(peg, f"{noun} {number}", "it is not chosen")
        for number, peg in enumerate(pegs, 1)
    ]
    for number, pair in enumerate(zip(pegs, others, strict=True), 1):
        system.exactly(1, pair, f"{noun} {number}", "chosen or not")
