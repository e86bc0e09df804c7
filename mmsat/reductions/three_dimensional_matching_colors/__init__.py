"""Three-dimensional matching -> a color for each triple, black only: see README.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from mmsat.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.game.scoring import SCORINGS
from mmsat.reductions.certificates import Choice
from mmsat.reductions.reduction import Gadgets, Reduction, SizeFormulas, Sizes
from mmsat.reductions.samples.covers import draw_matching
from mmsat.reductions.samples.sample import PLANTED_FIRST, Samples
from mmsat.reductions.sources.triples import Triples

KINDS = "xyz"
PAIRS = ((1, 0), (0, 0), (2, 1), (0, 1))
"""The rows of a triple: the kind of the thing, and the switch."""


class ThreeDimensionalMatchingColors(Reduction[Triples, Choice]):
    """Things that name their triple; certificates are indices of triples from 0, ascending."""

    name = "three-dimensional-matching-colors"
    title = "three-dimensional matching -> a color for each triple, black only"
    theorem = "black-peg Mastermind satisfiability is NP-complete (Goodrich 2009)"
    source_kind = "triples"
    formula = SizeFormulas("3q + 2T", "T + 3", "3 + 5T")
    samples = Samples(
        "three-dimensional matching, a color for each triple",
        draw_matching,
        unit="things of a kind",
        size=6,
        smallest=2,
        answers=PLANTED_FIRST,
    )
    has_black_twin = True

    @cached_property
    def board(self) -> Board:
        """The neutral row, a row for each color, four rows for each triple."""
        size = self.sizes()
        game = Game(size.pegs, size.colors, scoring=SCORINGS["black"])
        return Board(game, tuple(self._rows()))

    def _rows(self) -> Iterator[Row]:
        many = len(self.source.triples)
        pegs, neutral = self.sizes().pegs, many + 2
        switches = set(range(3 * self.source.size, pegs))
        yield Row((neutral,) * pegs, (0,))
        for color in range(many + 2):
            allowed = set(self._things(color)) if color < many else switches
            guess = (neutral if peg in allowed else color for peg in range(pegs))
            yield Row(tuple(guess), (0,))
        for triple in range(many):
            things = self._things(triple)
            for kind, switch in PAIRS:
                row = [neutral] * pegs
                row[things[kind]] = triple
                row[self._switch(triple, switch)] = many + 1
                yield Row(tuple(row), (1,))

    def _things(self, triple: int) -> tuple[int, ...]:
        """The pegs of the x, the y and the z of a triple."""
        size = self.source.size
        return tuple(
            kind * size + thing - 1 for kind, thing in enumerate(self.source.triples[triple])
        )

    def _switch(self, triple: int, switch: int) -> int:
        """The peg of the y switch (0) or the z switch (1) of a triple."""
        return 3 * self.source.size + switch * len(self.source.triples) + triple

    def sizes(self) -> Sizes:
        """A peg a thing, two switches and five rows a triple, and three further rows."""
        many = len(self.source.triples)
        return Sizes(3 * self.source.size + 2 * many, many + 3, 3 + 5 * many)

    def encode(self, certificate: Choice) -> Code:
        """Every thing's triple, and the switches."""
        many = len(self.source.triples)
        holder = {thing: triple for triple in certificate for thing in self._things(triple)}
        things = (holder[thing] for thing in range(3 * self.source.size))
        chosen = set(certificate)
        switches = [many if triple in chosen else many + 1 for triple in range(many)]
        return (*things, *switches, *switches)

    def decode(self, code: Sequence[int]) -> Choice:
        """The triples that the things of kind x go into."""
        return tuple(sorted(code[: self.source.size]))

    def is_certificate(self, certificate: Choice) -> bool:
        """Whether these triples, ascending, have every thing once."""
        return self.source.is_matching(certificate)

    def gadgets(self) -> Gadgets:
        """Things, and triples with their switches."""
        size, triples = self.source.size, self.source.triples
        things = [f"{kind}{thing}" for kind in KINDS for thing in range(1, size + 1)]
        numbers = range(1, len(triples) + 1)
        pegs = [(f"thing {thing}", f"the triple of {thing}") for thing in things]
        pegs += [
            (f"triple {number}", f"the {kind} switch of triple {number}")
            for kind in KINDS[1:]
            for number in numbers
        ]
        rows = [("neutral", "no peg is neutral")]
        rows += [(f"triple {number}", f"triple {number} only on its things") for number in numbers]
        rows += [("switches", f"{color} only on switches") for color in ("off", "on")]
        rows += [
            (f"triple {number}", f"{KINDS[kind]} has it, or the {KINDS[switch + 1]} switch is on")
            for number in numbers
            for kind, switch in PAIRS
        ]
        return Gadgets(tuple(pegs), tuple(rows))
