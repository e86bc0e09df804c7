"""Three-dimensional matching -> a color for each triple, black only: see README.md."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from mmsat.game import Code, Row
from mmsat.reductions.equations import Choice
from mmsat.reductions.reduction import NamedRow, RowReduction, SizeFormulas, Sizes
from mmsat.reductions.samples import PLANTED_FIRST, Samples, draw_matching
from mmsat.reductions.sources import Triples

KINDS = "xyz"
PAIRS = ((1, 0), (0, 0), (2, 1), (0, 1))
"""For each row of a triple, the index of the kind of its thing, and the index of its switch."""


class ThreeDimensionalMatchingColors(RowReduction[Triples, Choice]):
    """Each thing has the color of its triple; certificates are ascending triple indices from 0."""

    name = "three-dimensional-matching-colors"
    title = "three-dimensional matching -> a color for each triple, black only"
    theorem = "black-peg Mastermind satisfiability is NP-complete (Goodrich 2009)"
    source_kind = "triples"
    formula = SizeFormulas("3q + 2T", "T + 3", "3 + 5T")
    family = "three-dimensional matching, a color for each triple"
    samples = Samples(draw_matching, PLANTED_FIRST, unit="things per kind", size=6, min_size=2)
    scoring = "black"
    has_black_twin = True

    def rows(self) -> Iterator[NamedRow]:
        num_triples = len(self.source.triples)
        pegs, neutral = self.sizes().pegs, num_triples + 2
        switches = set(range(3 * self.source.size, pegs))
        gadgets = [f"triple {number}" for number in range(1, num_triples + 1)]
        yield NamedRow(Row((neutral,) * pegs, (0,)), "neutral", "no peg is neutral")
        for color in range(num_triples + 2):
            allowed = set(self._things(color)) if color < num_triples else switches
            row = Row(tuple(neutral if peg in allowed else color for peg in range(pegs)), (0,))
            if color < num_triples:
                yield NamedRow(row, gadgets[color], f"{gadgets[color]} only on its things")
            else:
                yield NamedRow(
                    row, "switches", f"{('off', 'on')[color - num_triples]} only on switches"
                )
        for (triple, gadget), (kind, switch) in product(enumerate(gadgets), PAIRS):
            guess = [neutral] * pegs
            guess[self._things(triple)[kind]] = triple
            guess[self._switch(triple, switch)] = num_triples + 1
            meaning = f"{KINDS[kind]} has it, or the {KINDS[switch + 1]} switch is on"
            yield NamedRow(Row(tuple(guess), (1,)), gadget, meaning)

    def pegs(self) -> Iterable[tuple[str, str]]:
        things = product(KINDS, range(1, self.source.size + 1))
        switches = product(KINDS[1:], range(1, len(self.source.triples) + 1))
        return [
            *((f"thing {kind}{n}", f"the triple of {kind}{n}") for kind, n in things),
            *((f"triple {n}", f"the {kind} switch of triple {n}") for kind, n in switches),
        ]

    def _things(self, triple: int) -> tuple[int, ...]:
        """Return the pegs of the x, the y and the z of a triple."""
        size = self.source.size
        return tuple(
            kind * size + thing - 1 for kind, thing in enumerate(self.source.triples[triple])
        )

    def _switch(self, triple: int, switch: int) -> int:
        """Return the peg of the y switch (0) or the z switch (1) of a triple."""
        return 3 * self.source.size + switch * len(self.source.triples) + triple

    def sizes(self) -> Sizes:
        num_triples = len(self.source.triples)
        return Sizes(3 * self.source.size + 2 * num_triples, num_triples + 3, 3 + 5 * num_triples)

    def encode(self, certificate: Choice) -> Code:
        num_triples = len(self.source.triples)
        holder = {thing: triple for triple in certificate for thing in self._things(triple)}
        things = (holder[thing] for thing in range(3 * self.source.size))
        chosen = set(certificate)
        switches = [
            num_triples if triple in chosen else num_triples + 1 for triple in range(num_triples)
        ]
        return (*things, *switches, *switches)

    def decode_colors(self, code: Sequence[int]) -> Choice:
        return tuple(sorted(code[: self.source.size]))

    def is_certificate(self, certificate: Choice) -> bool:
        return self.source.is_matching(certificate)
