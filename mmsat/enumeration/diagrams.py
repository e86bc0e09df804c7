"""Codes numbered by decision diagrams, however many there are.

A board is one layout, or one for each weight that a two-color code may have; each has its diagram,
and each code is in one of them. A diagram that goes from the first peg to the last is walked state
by state. One in another order is asked, at each peg, how many codes have the colors so far.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mmsat._core import Diagram
from mmsat.enumeration.layout import layouts
from mmsat.enumeration.walk import Walk, WalkRanking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mmsat.constraints.system import System
    from mmsat.enumeration.layout import Layout
    from mmsat.game.game import Game
    from mmsat.game.row import Code

WORK = 1 << 22
"""Entries of lists between two looks for Ctrl-C: a fraction of a second."""
Place = tuple[int, int]


class Part:
    """A layout and its diagram."""

    def __init__(self, layout: Layout, memory: int) -> None:
        """Build the diagram; raises MemoryError beyond so many bytes, OverflowError if too wide."""
        self.layout = layout
        self.diagram = Diagram(*layout.arguments, memory)
        while not self.diagram.advance(WORK):
            pass
        self.count = whole(self.diagram.count)
        self.position = {peg: place for place, peg in enumerate(layout.order)}
        self.known: dict[tuple[int, Place], list[tuple[int, Place, int]]] = {}

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

    def table(self, code: Sequence[int] = ()) -> list[dict[int, int]]:
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
        profile = self.diagram.profile(fixed)
        table: list[dict[int, int]] = []
        for peg in range(pegs):
            place = self.position[peg]
            row = {}
            for label in range(labels):
                ways = whole(profile[place * labels + label])
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


class DiagramRanking(WalkRanking):
    """The codes of a board by its diagrams."""

    def __init__(self, game: Game, systems: Sequence[System], memory: int) -> None:
        """Build them; raises MemoryError, OverflowError, or UnsuitedError, where that can't be.

        Each code is in one of the systems.
        """
        self.game = game
        try:
            self.parts = [Part(layout, memory) for layout in layouts(systems, in_order=None)]
        except MemoryError:
            self.parts = [Part(layout, memory) for layout in layouts(systems, in_order=False)]
        self.parts = [part for part in self.parts if part.count]

    @property
    def bytes(self) -> int:
        """What they take at most."""
        return sum(part.diagram.stage.peak_bytes for part in self.parts)

    @cached_property
    def count(self) -> int:
        """Of all diagrams."""
        return sum(part.count for part in self.parts)

    def start(self) -> Walk:
        """A walk through all diagrams at once."""
        return _BoardWalk([_walk(part) for part in self.parts])

    def table(self) -> list[list[int]]:
        """Added up."""
        table = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for part in self.parts:
            for peg, row in enumerate(part.table()):
                for color, ways in row.items():
                    table[peg][color] += ways
        return table

    def draw(self, number: int) -> Code:
        """The code of the number in the order of the diagrams, which costs one walk."""
        for part in self.parts:
            if number < part.count:
                break
            number -= part.count
        return part.draw(number)


def _walk(part: Part) -> Walk:
    return _InOrder(part, (), (0, 0)) if part.layout.is_in_order else _AnyOrder(part, ())


class _InOrder(Walk):
    """A state of a diagram whose order is that of the pegs."""

    def __init__(self, part: Part, code: Code, state: Place) -> None:
        self.part = part
        self.code = code
        self.state = state

    @cached_property
    def options(self) -> dict[int, tuple[Place, int]]:
        return self.part.options(len(self.code), self.state, self.code)

    def ways(self) -> Mapping[int, int]:
        return {color: ways for color, (_, ways) in self.options.items()}

    def step(self, color: int) -> Walk:
        return _InOrder(self.part, (*self.code, color), self.options[color][0])


class _AnyOrder(Walk):
    """Colors that a diagram is asked about."""

    def __init__(self, part: Part, code: Code) -> None:
        self.part = part
        self.code = code

    @cached_property
    def next(self) -> dict[int, int]:
        return self.part.table(self.code)[len(self.code)]

    def ways(self) -> Mapping[int, int]:
        return self.next

    def step(self, color: int) -> Walk:
        return _AnyOrder(self.part, (*self.code, color))


class _BoardWalk(Walk):
    """The walks through a board's diagrams, those that are not over."""

    def __init__(self, walks: list[Walk]) -> None:
        self.walks = walks

    def ways(self) -> Mapping[int, int]:
        found: dict[int, int] = {}
        for walk in self.walks:
            for color, ways in walk.ways().items():
                found[color] = found.get(color, 0) + ways
        return dict(sorted(found.items()))

    def step(self, color: int) -> Walk:
        return _BoardWalk([walk.step(color) for walk in self.walks if color in walk.ways()])
