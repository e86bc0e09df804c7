"""Rankings of any number of codes by decision diagrams.

A diagram that has the pegs in their own order is walked from state to state. A diagram with another
order is queried at each peg for the number of codes that have the colors chosen so far.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mmsat._core import Diagram
from mmsat.counting.ranking import Walk, WalkRanking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mmsat.counting.layout import Layout
    from mmsat.game.game import Game
    from mmsat.game.row import Code

WORK_PER_STEP = 1 << 22
"""Entries of lists that are processed between two checks for Ctrl-C: a fraction of a second."""
Place = tuple[int, int]


class DiagramRanking(WalkRanking):
    """The ranking of the codes of a layout."""

    def __init__(self, game: Game, layout: Layout, memory: int) -> None:
        """Build the diagram.

        Raises MemoryError if it needs more than `memory` bytes, and OverflowError if it is too
        wide.
        """
        self.game = game
        self.layout = layout
        self.diagram = Diagram(*layout.arguments, memory)
        while not self.diagram.advance(WORK_PER_STEP):
            pass
        self.position = {peg: place for place, peg in enumerate(layout.order)}
        self.known: dict[tuple[int, Place], list[tuple[int, Place, int]]] = {}

    @cached_property
    def count(self) -> int:
        """The number of codes in the diagram."""
        return whole(self.diagram.count)

    @property
    def bytes(self) -> int:
        """The peak memory while the diagram was built."""
        return self.diagram.stage.peak_bytes

    def start(self) -> Walk:
        """Return the empty prefix.

        The walk goes from state to state if the diagram has the order of the pegs.
        """
        return _InOrder(self, (), (0, 0)) if self.layout.is_in_order else _AnyOrder(self, ())

    def table(self) -> list[list[int]]:
        """Return for each peg and color the number of codes that have the color there."""
        colors = range(self.game.colors)
        return [[row.get(color, 0) for color in colors] for row in self.profile()]

    def colors(self, label: int, used: Sequence[int]) -> Sequence[int]:
        """Return the colors of a label that can extend a code with the colors `used`."""
        colors = self.layout.color_classes[label]
        if not self.layout.single_use[label]:
            return colors
        return [color for color in colors if color not in used]

    def options(
        self, place: int, state: Place, used: Sequence[int]
    ) -> dict[int, tuple[Place, int]]:
        """Return, by color, the successor of a state and the number of codes through it."""
        successors = {}
        for label, node, index, ways in self.diagram.options(place, *state):
            for color in self.colors(label, used):
                successors[color] = ((node, index), whole(ways))
        return successors

    def draw(self, number: int) -> Code:
        """Return the code of a number, in the order of the diagram.

        The successors of the visited states are cached for further codes.
        """
        code = [0] * len(self.layout.order)
        used: list[int] = []
        state = (0, 0)
        for place, peg in enumerate(self.layout.order):
            branches = self.known.get((place, state))
            if branches is None:
                options = self.diagram.options(place, *state)
                branches = [(label, (node, i), whole(ways)) for label, node, i, ways in options]
                self.known[place, state] = branches
            for label, after, ways in branches:
                colors = self.colors(label, used)
                code_count = ways * len(colors)
                if number < code_count:
                    state = after
                    break
                number -= code_count
            color_index, number = divmod(number, ways)
            code[peg] = colors[color_index]
            used.append(code[peg])
        return tuple(code)

    def profile(self, code: Sequence[int] = ()) -> list[dict[int, int]]:
        """Return for each peg, by color, the number of codes that have the color there.

        Only codes with the prefix `code` are counted.
        """
        label_of = {
            c: label for label, colors in enumerate(self.layout.color_classes) for c in colors
        }
        pegs, labels = len(self.layout.order), len(self.layout.color_classes)
        fixed = [-1] * pegs
        for peg, color in enumerate(code):
            if color not in label_of:  # no code has this color at any peg
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
    """Return a number that the kernel encoded in bytes."""
    return int.from_bytes(number, "little")


class _InOrder(Walk):
    """A state of a diagram whose order is that of the pegs."""

    def __init__(self, part: DiagramRanking, code: Code, state: Place) -> None:
        self.part = part
        self.code = code
        self.state = state

    @cached_property
    def options(self) -> dict[int, tuple[Place, int]]:
        options = self.part.options(len(self.code), self.state, self.code)
        return dict(sorted(options.items()))

    def ways(self) -> Mapping[int, int]:
        return {color: ways for color, (_, ways) in self.options.items()}

    def step(self, color: int) -> Walk:
        return _InOrder(self.part, (*self.code, color), self.options[color][0])


class _AnyOrder(Walk):
    """A prefix in a diagram with another order than that of the pegs."""

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
