"""Codes ranked by a decision diagram, however many there are.

A diagram that goes from the first peg to the last is walked state by state. One in another order is
asked, at each peg, how many codes have the colors so far.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mmsat._core import Diagram
from mmsat.enumeration.walk import Walk, WalkRanking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mmsat.enumeration.layout import Layout
    from mmsat.game.game import Game
    from mmsat.game.row import Code

WORK = 1 << 22
"""Entries of lists between two looks for Ctrl-C: a fraction of a second."""
Place = tuple[int, int]


class DiagramRanking(WalkRanking):
    """The codes of a layout."""

    def __init__(self, game: Game, layout: Layout, memory: int) -> None:
        """Build the diagram; raises MemoryError beyond so many bytes, OverflowError if too wide."""
        self.game = game
        self.layout = layout
        self.diagram = Diagram(*layout.arguments, memory)
        while not self.diagram.advance(WORK):
            pass
        self.position = {peg: place for place, peg in enumerate(layout.order)}
        self.known: dict[tuple[int, Place], list[tuple[int, Place, int]]] = {}

    @cached_property
    def count(self) -> int:
        """As the diagram counts them."""
        return whole(self.diagram.count)

    @property
    def bytes(self) -> int:
        """The peak while it was built."""
        return self.diagram.stage.peak_bytes

    def start(self) -> Walk:
        """From state to state where the diagram goes from the first peg to the last."""
        return _InOrder(self, (), (0, 0)) if self.layout.is_in_order else _AnyOrder(self, ())

    def table(self) -> list[list[int]]:
        """The profile of no colors."""
        colors = range(self.game.colors)
        return [[row.get(color, 0) for color in colors] for row in self.profile()]

    def colors(self, label: int, used: Sequence[int]) -> Sequence[int]:
        """The colors of a label that a code may still have, which has these."""
        colors = self.layout.color_classes[label]
        if not self.layout.once[label]:
            return colors
        return [color for color in colors if color not in used]

    def options(
        self, place: int, state: Place, used: Sequence[int]
    ) -> dict[int, tuple[Place, int]]:
        """By color: where a state goes on to, and how many codes go on from there."""
        found = {}
        for label, node, index, ways in self.diagram.options(place, *state):
            for color in self.colors(label, used):
                found[color] = ((node, index), whole(ways))
        return found

    def draw(self, number: int) -> Code:
        """The code of a number, in the order of the diagram.

        What a state goes on to is kept for the next code that is drawn.
        """
        code = [0] * len(self.layout.order)
        used: list[int] = []
        state = (0, 0)
        for place, peg in enumerate(self.layout.order):
            found = self.known.get((place, state))
            if found is None:
                options = self.diagram.options(place, *state)
                found = [(label, (node, i), whole(ways)) for label, node, i, ways in options]
                self.known[place, state] = found
            for label, after, ways in found:
                colors = self.colors(label, used)
                many = ways * len(colors)
                if number < many:
                    state = after
                    break
                number -= many
            which, number = divmod(number, ways)
            code[peg] = colors[which]
            used.append(code[peg])
        return tuple(code)

    def profile(self, code: Sequence[int] = ()) -> list[dict[int, int]]:
        """By peg and color, the codes that have it there and begin like this."""
        label_of = {
            c: label for label, colors in enumerate(self.layout.color_classes) for c in colors
        }
        pegs, labels = len(self.layout.order), len(self.layout.color_classes)
        fixed = [-1] * pegs
        for peg, color in enumerate(code):
            if color not in label_of:
                return [{} for _ in range(pegs)]
            fixed[self.position[peg]] = label_of[color]
        ways_of = self.diagram.profile(fixed)
        table: list[dict[int, int]] = []
        for peg in range(pegs):
            place = self.position[peg]
            row = {}
            for label in range(labels):
                ways = whole(ways_of[place * labels + label])
                if ways and peg < len(code):
                    row[code[peg]] = ways
                elif ways:
                    colors = self.colors(label, code)
                    row.update(dict.fromkeys(colors, ways // len(colors)))
            table.append(row)
        return table


def whole(number: bytes) -> int:
    """A number as the kernels tell it."""
    return int.from_bytes(number, "little")


class _InOrder(Walk):
    """A state of a diagram whose order is that of the pegs."""

    def __init__(self, part: DiagramRanking, code: Code, state: Place) -> None:
        self.part = part
        self.code = code
        self.state = state

    @cached_property
    def options(self) -> dict[int, tuple[Place, int]]:
        found = self.part.options(len(self.code), self.state, self.code)
        return dict(sorted(found.items()))

    def ways(self) -> Mapping[int, int]:
        return {color: ways for color, (_, ways) in self.options.items()}

    def step(self, color: int) -> Walk:
        return _InOrder(self.part, (*self.code, color), self.options[color][0])


class _AnyOrder(Walk):
    """Colors that a diagram is asked about."""

    def __init__(self, part: DiagramRanking, code: Code) -> None:
        self.part = part
        self.code = code

    @cached_property
    def next(self) -> dict[int, int]:
        return dict(sorted(self.part.profile(self.code)[len(self.code)].items()))

    def ways(self) -> Mapping[int, int]:
        return self.next

    def step(self, color: int) -> Walk:
        return _AnyOrder(self.part, (*self.code, color))
