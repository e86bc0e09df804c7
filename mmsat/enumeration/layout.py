"""The layout of a board for the engine that counts: labels, amounts, steps, the order of pegs.

Colors that no constraint tells apart are one label. A constraint about all places of one color is a
constraint about the color's count, and is told as one where counts are kept anyway.

The presolve of mmsat.constraints finds the colors that each peg may have and what else is known;
here its constraints are read without what those colors say already. The codes stay the same.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.system import System
from mmsat.enumeration.order import Orders
from mmsat.errors import SizeError
from mmsat.game.literals import VariableMap

STEPS = ("bounds",)
"""The step that keeps all codes and shortens constraints as they were read. Histograms would
take longer to list than most boards to count."""


class Plain(NamedTuple):
    """A constraint without conjunctions: between `low` and `high` of these literals are true."""

    literals: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ResidualSystem:
    """Constraints about what is still open."""

    variables: VariableMap
    colors: tuple[frozenset[int], ...]
    """The colors that each peg may have."""
    constraints: tuple[Plain, ...]


def find_residual(system: System) -> ResidualSystem | None:
    """What is open in a system without conjunctions; None if no code satisfies it."""
    made = presolve(system, STEPS)
    if not isinstance(made, Presolved):
        return None
    known = made.problem.domains
    colors = tuple(frozenset(bits(left)) for left in known.domain)
    variables = system.variables
    constraints = []
    for constraint in made.system.constraints:
        plain = tuple(literal for literal in constraint.literals if isinstance(literal, int))
        if all(variables.is_at(literal) and known.value(literal) for literal in plain):
            continue  # the colors say it
        constraints.append(Plain(plain, max(constraint.low, 0), min(constraint.high, len(plain))))
    return ResidualSystem(variables, colors, tuple(constraints))


class UnsuitedError(SizeError):
    """A game that has no diagram."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the engine reads, and how its pegs and labels are read back."""

    order: tuple[int, ...]
    """The pegs in the engine's order."""
    color_classes: tuple[tuple[int, ...], ...]
    """The colors of each label: those that nothing tells apart."""
    once: tuple[bool, ...]
    """Labels of colors that a code has once at most."""
    allowed: tuple[frozenset[int], ...]
    """The labels that each peg, in the engine's order, may have."""
    amounts: array[int]
    steps: array[int]
    ranges: array[int]
    bits: int
    """What the number of codes takes at most."""

    @property
    def is_in_order(self) -> bool:
        """Whether the engine goes from the first peg to the last."""
        return self.order == tuple(range(len(self.order)))

    @property
    def arguments(
        self,
    ) -> tuple[int, array[int], array[int], array[int], array[int], array[int], array[int], int]:
        """What the engine is called with."""
        allowed = array("i", [0]) * (len(self.order) * len(self.color_classes))
        for place, labels in enumerate(self.allowed):
            for label in labels:
                allowed[place * len(self.color_classes) + label] = 1
        return (
            len(self.order),
            array("i", map(len, self.color_classes)),
            array("i", self.once),
            allowed,
            self.amounts,
            self.steps,
            self.ranges,
            self.bits,
        )


def layouts(systems: Iterable[System], *, in_order: bool | None) -> Iterator[Layout]:
    """The layout of each system that has a code.

    `in_order` asks for the pegs' own order or the best; None takes their own if it is nearly as
    good. Raises UnsuitedError for lists of words and games with one key peg a pair.
    """
    for system in systems:
        if system.table is not None:
            raise UnsuitedError("the codes of a list are counted one by one")
        if system.conjunctions:
            raise UnsuitedError(
                "the rows of this game join literals, for which there is no diagram"
            )
        presolved = find_residual(system)
        if presolved is not None:
            yield lay_out(presolved, in_order=in_order)


def lay_out(board: ResidualSystem, *, in_order: bool | None = False) -> Layout:
    """The layout of a board's constraints, in the order of the pegs or in the best one found.

    With None, in the order of the pegs unless the best one is much better.
    """
    variables = board.variables
    constraints, single = CountConstraints(board).rewrite()
    labels, once = find_color_classes(board, constraints, single)
    label_of = {color: number for number, colors in enumerate(labels) for color in colors}
    places = [
        [
            variables.peg_color(literal)[0]
            for literal in constraint.literals
            if variables.is_at(literal)
        ]
        for constraint in constraints
    ]
    orders = Orders(variables.pegs, places, [constraint.high for constraint in constraints])
    order = orders.own if in_order or (in_order is None and orders.own_is_fine) else orders.best
    position = {peg: place for place, peg in enumerate(order)}
    amounts, steps, ranges = array("i"), array("i"), array("i")
    for number, constraint in enumerate(constraints):
        for literal in constraint.literals:
            sign = 1 if literal > 0 else -1
            if variables.is_at(literal):
                peg, color = variables.peg_color(literal)
                amounts.extend((position[peg], label_of[color], number, sign))
            else:
                color, count = variables.color_count(literal)
                steps.extend((label_of[color], count, number, sign))
        denied = sum(literal < 0 for literal in constraint.literals)
        ranges.extend((constraint.low - denied, constraint.high - denied))
    allowed = tuple(frozenset(label_of[color] for color in board.colors[peg]) for peg in order)
    size = sum(math.log2(len(colors)) for colors in board.colors)
    return Layout(order, labels, once, allowed, amounts, steps, ranges, math.ceil(size + 0.01))


class CountConstraints:
    """Which constraints are told as constraints about counts."""

    def __init__(self, board: ResidualSystem) -> None:
        """Find the constraints about all places of a color that are open."""
        self.board = board
        variables = board.variables
        self.fixed = [0] * variables.colors
        self.places: list[set[int]] = [set() for _ in range(variables.colors)]
        for peg, colors in enumerate(board.colors):
            for color in colors:
                if len(colors) == 1:
                    self.fixed[color] += 1
                else:
                    self.places[color].add(variables.at(peg, color))
        self.whole = {
            number: whole
            for number, constraint in enumerate(board.constraints)
            if (whole := self.color_of(constraint)) is not None
        }

    def color_of(self, constraint: Plain) -> int | None:
        """The color whose open places are the constraint's literals, if there is one."""
        first = constraint.literals[0]
        if first < 0 or not self.board.variables.is_at(first):
            return None
        color = self.board.variables.peg_color(first)[1]
        places = self.places[color]
        return (
            color
            if len(constraint.literals) == len(places) and places == {*constraint.literals}
            else None
        )

    def rewrite(self) -> tuple[list[Plain], set[int]]:
        """The constraints, those about all places of a color told as counts where that is better.

        And the colors of which nothing is said but that a code has them once at most; that is left
        out of the constraints.
        """
        said, counted = self.mentions()
        are_all_taken = self.are_all_taken()
        constraints = []
        single = set()
        for number, constraint in enumerate(self.board.constraints):
            color = self.whole.get(number)
            if color is None:
                constraints.append(constraint)
                continue
            low = (
                0 if are_all_taken and constraint.high + self.fixed[color] == 1 else constraint.low
            )
            if said[color] == 1 and self.fixed[color] == 0 and (low, constraint.high) == (0, 1):
                single.add(color)
            elif low < constraint.high or color in counted:
                constraints.append(Plain(self.steps(color, constraint.high), low, constraint.high))
            else:
                constraints.append(constraint)
        return constraints, single

    def mentions(self) -> tuple[list[int], set[int]]:
        """How often each color is spoken of, and the colors whose counts are."""
        variables = self.board.variables
        said = [0] * variables.colors
        counted: set[int] = set()
        for number, constraint in enumerate(self.board.constraints):
            if number in self.whole:
                said[self.whole[number]] += 1
                continue
            for literal in constraint.literals:
                if variables.is_at(literal):
                    said[variables.peg_color(literal)[1]] += 2
                else:
                    color, _ = variables.color_count(literal)
                    said[color] += 2
                    counted.add(color)
        return said, counted

    def are_all_taken(self) -> bool:
        """Whether no color is in a code twice, and the pegs are as many as the colors."""
        variables = self.board.variables
        if variables.pegs != variables.colors:
            return False
        once = {color for color, fixed in enumerate(self.fixed) if fixed == 1}
        for number, color in self.whole.items():
            if self.board.constraints[number].high + self.fixed[color] == 1:
                once.add(color)
        return len(once) == variables.colors

    def steps(self, color: int, high: int) -> tuple[int, ...]:
        """The literals about a color's count that tell how many of its open places it has."""
        top = min(high + 1, len(self.places[color]))
        least = self.board.variables.least
        return tuple(least(color, self.fixed[color] + count) for count in range(1, top + 1))


def find_color_classes(
    board: ResidualSystem, constraints: Sequence[Plain], single: set[int]
) -> tuple[tuple[tuple[int, ...], ...], tuple[bool, ...]]:
    """Colors in groups that nothing tells apart, and which groups may be used once a color."""
    variables = board.variables
    told = set()
    for constraint in constraints:
        for literal in constraint.literals:
            color = (
                variables.peg_color(literal)[1]
                if variables.is_at(literal)
                else variables.color_count(literal)[0]
            )
            told.add(color)
    pegs: list[list[int]] = [[] for _ in range(variables.colors)]
    for peg, colors in enumerate(board.colors):
        for color in colors:
            pegs[color].append(peg)
    groups: dict[tuple[int, ...], list[int]] = {}
    for color in range(variables.colors):
        if pegs[color]:
            mark = (color, -1) if color in told else (-1, int(color in single))
            groups.setdefault((*mark, *pegs[color]), []).append(color)
    labels = tuple(tuple(colors) for colors in groups.values())
    return labels, tuple(colors[0] in single for colors in labels)
