"""Exact cover by equal sets -> Consistent Mastermind: every guess could itself have been the code.

Problem: given h elements and sets of s elements each, with every element in exactly d sets, are
there sets that cover every element exactly once? For s = d = 3 it is NP-complete (Gonzalez 1985);
for s = 2 these are the perfect matchings of a regular graph, which are hard to count only.

Construction: a peg for each set, 1 where it is chosen. The demands are

    at least 1 of the sets that have the element      for each element

and the frame of mmsat.reductions.consistent makes a board of them, for vectors of weight q = h / s.

Proof of the squeeze that the frame asks for. Every slack is d - 1. Each set counts in the demands
of its s elements, so the sum over all demands less |x| is (s - 1) |x|, and the frame allows at most
h - q = (s - 1) q; while all demands together say s |x| >= h. So, with s at least 2, |x| = q, and
every element is covered exactly once. Every exact cover makes a code, and only those do.

Sizes, with M = q d sets, t the most sets that two elements share (at least 1), and
K = d - 1 + t + h t: M + (h + 1) K - q pegs, 2 colors, 1 + 2h rows. Parsimonious, and the same with
black only.

Source: de Bondt, NP-completeness of Master Mind and Minesweeper (2004), for the theorem. The
construction and the proof are this project's own.
"""

from __future__ import annotations

from itertools import combinations

from mmsat.errors import Fault, InputError
from mmsat.reductions.base import Sizes
from mmsat.reductions.choices import Chosen, FromChoices
from mmsat.reductions.consistent import Demand, Frame
from mmsat.reductions.equations import Equations
from mmsat.reductions.sources.cover import Cover


class ConsistentExactCover(FromChoices[Cover]):
    """A board of consistent play; certificates are indices of sets from 0, ascending."""

    name = "consistent-exact-cover"
    title = "regular exact cover -> two colors, every guess consistent with the rows before it"
    theorem = "Consistent Mastermind is NP-complete (de Bondt 2004)"
    source_kind = "cover"
    formula = {  # noqa: RUF012
        "pegs": "M + (h + 1) K - h / s, K = d - 1 + t + h t",
        "colors": "2",
        "rows": "1 + 2h",
    }

    def __init__(self, source: Cover) -> None:
        super().__init__(source)
        sizes = sorted({len(each) for each in source.sets})
        degrees = sorted({len(holders) for holders in source.holders()})
        faults = []
        if len(sizes) != 1 or sizes[0] < 2:
            got = f"sets of {', '.join(map(str, sizes)) or 'no'} elements"
            faults.append(Fault("all sets have the same size, 2 or more", got, "such sets"))
        elif source.elements % sizes[0]:
            got = f"{source.elements} elements"
            faults.append(Fault("the size of the sets divides the elements", got, "such a number"))
        if len(degrees) != 1:
            got = f"elements in {', '.join(map(str, degrees))} sets"
            faults.append(Fault("every element is in as many sets", got, "such sets"))
        if faults:
            raise InputError(faults, "the cover")
        self.chosen = source.elements // sizes[0]
        """How many sets an exact cover has: q."""
        self.degree = degrees[0]
        """How many sets have an element: d."""

    def write(self) -> Equations:
        """Sets, then the frame."""
        system = Equations()
        for number in range(1, len(self.source.sets) + 1):
            system.peg(f"set {number}", f"set {number} is chosen")
        demands = (
            Demand(holders, 1, f"element {number}", f"one of the sets with element {number}")
            for number, holders in enumerate(self.source.holders(), 1)
        )
        Frame(system, self.chosen, tuple(demands))
        return system

    def sizes(self) -> Sizes:
        """The square of the elements, nearly."""
        elements = self.source.elements
        holders = map(set, self.source.holders())
        shared = max(1, *(len(one & other) for one, other in combinations(holders, 2)))
        weight = self.degree - 1 + shared + elements * shared
        pegs = len(self.source.sets) + (elements + 1) * weight - self.chosen
        return Sizes(pegs, 2, 1 + 2 * elements)

    def is_certificate(self, certificate: Chosen) -> bool:
        """Whether these sets, ascending, cover every element exactly once."""
        return self.source.is_exact(certificate)
