"""The input of the counting engine for a board: labels, coefficients, thresholds, order of pegs.

The presolve of mmsat.constraints finds the possible colors of each peg, and other consequences.
This module reads the presolved constraints, except those that the possible colors already imply.
The set of codes stays the same. Colors that no constraint distinguishes share one label. A
constraint on all places of one color is a constraint on the color's count, and is expressed in that
way if counts are tracked anyway.

The order of the pegs (`Orders`) is chosen so that few sums are open at a time. A sum is open from
the first peg of its constraint to the last. The number of states between two pegs is about the
number of combinations of values that all open sums can have. The best of a few orders is used: the
pegs' own order, two that group pegs with the same constraints, and some greedy orders that always
continue with the peg that leaves the fewest values open.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.constraints.domains import bits
from mmsat.constraints.presolve_steps import Presolved, presolve
from mmsat.errors import SizeError
from mmsat.game.space import VariableMap

MAX_GREEDY_STEPS = 2_000_000
"""Maximum number of steps spent on greedy orders."""
MAX_GROUPING_CONSTRAINTS = 100
"""Maximum number of constraints for which pegs are grouped by all constraints."""
MAX_EXTRA_DOUBLINGS = 3.0
"""The own order of the pegs is used unless its states exceed those of the best order by more than
this many doublings."""

Order = tuple[int, ...]


class Orders:
    """The orders of pegs, given the pegs of each constraint and its upper bound."""

    def __init__(
        self, pegs: int, constraints: Sequence[Sequence[int]], highs: Sequence[int]
    ) -> None:
        self.own: Order = tuple(range(pegs))
        self.pegs = pegs
        self.members = [sorted(set(constraint)) for constraint in constraints]
        self.sizes = [len(constraint) for constraint in self.members]
        self.highs = highs
        self.constraints: list[list[int]] = [[] for _ in range(pegs)]
        """The constraints of each peg."""
        for number, constraint in enumerate(self.members):
            for peg in constraint:
                self.constraints[peg].append(number)

    @cached_property
    def best(self) -> Order:
        """The candidate with the fewest states."""
        return min(self.candidates(), key=self.cost)

    @property
    def own_is_fine(self) -> bool:
        """Whether the pegs' own order is nearly as good as the best one."""
        return self.cost(self.own) <= self.cost(self.best) + MAX_EXTRA_DOUBLINGS

    def candidates(self) -> Iterator[Order]:
        """Yield orders that may be good."""
        yield self.own
        # Two orders that group pegs with the same constraints; long constraints count first.
        by_size = sorted(range(len(self.members)), key=lambda n: (-self.sizes[n], n))
        rank = {number: place for place, number in enumerate(by_size)}
        yield tuple(
            sorted(self.own, key=lambda peg: sorted(rank[n] for n in self.constraints[peg]))
        )
        if len(self.members) <= MAX_GROUPING_CONSTRAINTS:
            yield tuple(
                sorted(self.own, key=lambda peg: [n not in self.constraints[peg] for n in by_size])
            )
        if sum(size * size for size in self.sizes) + self.pegs <= MAX_GREEDY_STEPS:
            # Start greedy orders at the peg with the fewest constraints, the ends and the middle.
            rarest_peg = min(self.own, key=lambda peg: len(self.constraints[peg]))
            for start in dict.fromkeys((rarest_peg, 0, self.pegs - 1, self.pegs // 2)):
                yield self.greedy(start)

    def greedy(self, start: int) -> Order:
        """Return an order that always continues with the peg that leaves the fewest values open.

        It begins with `start`. Each next peg shares an open sum, if any peg does.
        """
        done = [0] * len(self.members)
        remaining = dict.fromkeys(self.own)
        near: dict[int, None] = {start: None}
        order: list[int] = []

        def growth(peg: int) -> tuple[float, int]:
            change = sum(
                self.values(constraint, done[constraint] + 1)
                - self.values(constraint, done[constraint])
                for constraint in self.constraints[peg]
            )
            # Of several pegs with the same change, prefer the one in the most open sums.
            return round(change, 9), -sum(
                done[constraint] > 0 for constraint in self.constraints[peg]
            )

        while remaining:
            peg = min(near, key=growth) if near else next(iter(remaining))
            near.pop(peg, None)
            del remaining[peg]
            order.append(peg)
            for constraint in self.constraints[peg]:
                done[constraint] += 1
                if done[constraint] == 1:
                    near.update(
                        (other, None) for other in self.members[constraint] if other in remaining
                    )
        return tuple(order)

    def cost(self, order: Order) -> float:
        """Return the logarithm of the approximate number of states in all layers together."""
        done = [0] * len(self.members)
        width = 0.0
        widths = [width]
        for peg in order:
            for constraint in self.constraints[peg]:
                width -= self.values(constraint, done[constraint])
                done[constraint] += 1
                width += self.values(constraint, done[constraint])
            widths.append(width)
        top = max(widths)
        return round(top + math.log2(sum(2.0 ** (width - top) for width in widths)), 6)

    def values(self, constraint: int, done: int) -> float:
        """Return the logarithm of the number of values of a sum after `done` of its pegs."""
        return math.log2(
            1 + max(0, min(done, self.sizes[constraint] - done, self.highs[constraint]))
        )


PRESOLVE_STEPS = ("bounds",)
"""The step of the presolve that keeps all codes and shortens the constraints. Listing the
histograms would take longer than counting most boards."""


class SimpleConstraint(NamedTuple):
    """A constraint without conjunctions: between `low` and `high` of these literals are true."""

    literals: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ResidualSystem:
    """Constraints on the pegs that are not determined yet."""

    variables: VariableMap
    colors: tuple[frozenset[int], ...]
    """The colors that each peg may have."""
    constraints: tuple[SimpleConstraint, ...]


def find_residual(system: System) -> ResidualSystem | None:
    """Return the presolved constraints of a system without conjunctions; None if it has no code."""
    presolved = presolve(system, PRESOLVE_STEPS)
    if not isinstance(presolved, Presolved):
        return None
    domains = presolved.problem.domains
    colors = tuple(frozenset(bits(mask)) for mask in domains.possible_colors)
    variables = system.variables
    constraints = []
    for constraint in presolved.system.constraints:
        plain = tuple(literal for literal in constraint.literals if isinstance(literal, int))
        if all(variables.is_at(literal) and domains.value(literal) for literal in plain):
            continue  # implied by the possible colors
        constraints.append(
            SimpleConstraint(plain, max(constraint.low, 0), min(constraint.high, len(plain)))
        )
    return ResidualSystem(variables, colors, tuple(constraints))


class UnsuitedError(SizeError):
    """Raised for a board that has no diagram."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The input of the engine, and the pegs and colors that its numbers stand for."""

    order: tuple[int, ...]
    """The pegs in the engine's order."""
    color_classes: tuple[tuple[int, ...], ...]
    """The colors of each label, which no constraint distinguishes."""
    single_use: tuple[bool, ...]
    """For each label, whether a code has each of its colors at most once."""
    allowed: tuple[frozenset[int], ...]
    """The labels that each peg, in the engine's order, may have."""
    peg_coefficients: array[int]
    """For each literal about a peg: its position, its label, its constraint, and the sign."""
    count_thresholds: array[int]
    """For each literal about a count: its label, the count, its constraint, and the sign."""
    sum_bounds: array[int]
    """For each constraint, the lower and the upper bound of its sum."""
    bits: int
    """An upper bound on the number of bits of the number of codes."""

    @property
    def is_in_order(self) -> bool:
        """Whether the engine processes the pegs from first to last."""
        return self.order == tuple(range(len(self.order)))

    @property
    def arguments(
        self,
    ) -> tuple[int, array[int], array[int], array[int], array[int], array[int], array[int], int]:
        """The arguments of the engine."""
        allowed = array("i", [0]) * (len(self.order) * len(self.color_classes))
        for place, labels in enumerate(self.allowed):
            for label in labels:
                allowed[place * len(self.color_classes) + label] = 1
        return (
            len(self.order),
            array("i", map(len, self.color_classes)),
            array("i", self.single_use),
            allowed,
            self.peg_coefficients,
            self.count_thresholds,
            self.sum_bounds,
            self.bits,
        )


def layouts(systems: Iterable[System], *, in_order: bool | None) -> Iterator[Layout]:
    """Yield the layout of each system that has a code.

    `in_order` selects the order of the pegs: True for their own order, False for the best order
    found, and None for their own order unless the best one is much better. Raises UnsuitedError
    for word lists, and for conjunctions, which some scorings and guesses with unread pegs need.
    """
    for system in systems:
        if system.table is not None:
            raise UnsuitedError("diagrams do not support word lists")
        if system.conjunctions:
            raise UnsuitedError("diagrams do not support the scoring of this game")
        presolved = find_residual(system)
        if presolved is not None:
            yield lay_out(presolved, in_order=in_order)


def lay_out(board: ResidualSystem, *, in_order: bool | None = False) -> Layout:
    """Return the layout of a board's constraints.

    See `layouts` for `in_order`.
    """
    variables = board.variables
    constraints, single = CountConstraints(board).rewrite()
    labels, single_use = find_color_classes(board, constraints, single)
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
    peg_coefficients, count_thresholds, sum_bounds = array("i"), array("i"), array("i")
    for number, constraint in enumerate(constraints):
        for literal in constraint.literals:
            sign = 1 if literal > 0 else -1
            if variables.is_at(literal):
                peg, color = variables.peg_color(literal)
                peg_coefficients.extend((position[peg], label_of[color], number, sign))
            else:
                color, count = variables.color_count(literal)
                count_thresholds.extend((label_of[color], count, number, sign))
        negated_count = sum(literal < 0 for literal in constraint.literals)
        sum_bounds.extend((constraint.low - negated_count, constraint.high - negated_count))
    allowed = tuple(frozenset(label_of[color] for color in board.colors[peg]) for peg in order)
    # 2**n codes need n + 1 bits. The margin of 0.01 is for this, and for rounding errors.
    size = sum(math.log2(len(colors)) for colors in board.colors)
    return Layout(
        order,
        labels,
        single_use,
        allowed,
        peg_coefficients,
        count_thresholds,
        sum_bounds,
        math.ceil(size + 0.01),
    )


class CountConstraints:
    """Selects the constraints that are expressed as constraints on the counts of colors.

    An open place of a color is a peg that may have this color or another one.
    """

    def __init__(self, board: ResidualSystem) -> None:
        """Find the constraints on all open places of a color."""
        self.board = board
        variables = board.variables
        self.fixed = [0] * variables.colors  # the number of pegs that must have each color
        self.places: list[set[int]] = [set() for _ in range(variables.colors)]
        for peg, colors in enumerate(board.colors):
            for color in colors:
                if len(colors) == 1:
                    self.fixed[color] += 1
                else:
                    self.places[color].add(variables.at(peg, color))
        # maps the number of each constraint on all open places of a color to this color
        self.whole = {
            number: whole
            for number, constraint in enumerate(board.constraints)
            if (whole := self.color_of(constraint)) is not None
        }

    def color_of(self, constraint: SimpleConstraint) -> int | None:
        """Return the color whose open places are exactly the constraint's literals, or None."""
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

    def rewrite(self) -> tuple[list[SimpleConstraint], set[int]]:
        """Express constraints on all open places of a color as constraints on its count, if useful.

        Return the constraints, and the colors that are not constrained except to occur at most
        once. Their constraints are omitted.
        """
        mentions, counted = self.mentions()
        are_all_taken = self.are_all_taken()
        constraints = []
        single = set()
        for number, constraint in enumerate(self.board.constraints):
            color = self.whole.get(number)
            if color is None:
                constraints.append(constraint)
                continue
            # If every color occurs exactly once, "at most once" implies "exactly once".
            low = (
                0 if are_all_taken and constraint.high + self.fixed[color] == 1 else constraint.low
            )
            if mentions[color] == 1 and self.fixed[color] == 0 and (low, constraint.high) == (0, 1):
                single.add(color)
            elif low < constraint.high or color in counted:
                constraints.append(
                    SimpleConstraint(self.steps(color, constraint.high), low, constraint.high)
                )
            else:
                constraints.append(constraint)
        return constraints, single

    def mentions(self) -> tuple[list[int], set[int]]:
        """Return how much the constraints mention each color, and the colors whose counts they use.

        A constraint on all open places of a color counts 1, and any other literal counts 2. So a
        total of 1 means that a single constraint, on all its open places, mentions the color.
        """
        variables = self.board.variables
        mentions = [0] * variables.colors
        counted: set[int] = set()
        for number, constraint in enumerate(self.board.constraints):
            if number in self.whole:
                mentions[self.whole[number]] += 1
                continue
            for literal in constraint.literals:
                if variables.is_at(literal):
                    mentions[variables.peg_color(literal)[1]] += 2
                else:
                    color, _ = variables.color_count(literal)
                    mentions[color] += 2
                    counted.add(color)
        return mentions, counted

    def are_all_taken(self) -> bool:
        """Return whether every code has every color exactly once."""
        variables = self.board.variables
        if variables.pegs != variables.colors:
            return False
        single_colors = {color for color, fixed in enumerate(self.fixed) if fixed == 1}
        for number, color in self.whole.items():
            if self.board.constraints[number].high + self.fixed[color] == 1:
                single_colors.add(color)
        return len(single_colors) == variables.colors

    def steps(self, color: int, high: int) -> tuple[int, ...]:
        """Return literals that determine how many open places have a color, up to high + 1."""
        top = min(high + 1, len(self.places[color]))
        least = self.board.variables.least
        return tuple(least(color, self.fixed[color] + count) for count in range(1, top + 1))


def find_color_classes(
    board: ResidualSystem, constraints: Sequence[SimpleConstraint], single: set[int]
) -> tuple[tuple[tuple[int, ...], ...], tuple[bool, ...]]:
    """Return the classes of colors that no constraint distinguishes, and which are `single`."""
    variables = board.variables
    constrained_colors = set()
    for constraint in constraints:
        for literal in constraint.literals:
            color = (
                variables.peg_color(literal)[1]
                if variables.is_at(literal)
                else variables.color_count(literal)[0]
            )
            constrained_colors.add(color)
    pegs: list[list[int]] = [[] for _ in range(variables.colors)]
    for peg, colors in enumerate(board.colors):
        for color in colors:
            pegs[color].append(peg)
    groups: dict[tuple[int, ...], list[int]] = {}
    for color in range(variables.colors):
        if pegs[color]:
            # a constrained color is alone in its class
            mark = (color, -1) if color in constrained_colors else (-1, int(color in single))
            groups.setdefault((*mark, *pegs[color]), []).append(color)
    labels = tuple(tuple(colors) for colors in groups.values())
    return labels, tuple(colors[0] in single for colors in labels)
