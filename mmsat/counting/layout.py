"""The input of the counting engine for a board: labels, coefficients, thresholds, order of pegs.

The presolve of mmsat.constraints finds the possible colors of each peg, and other consequences.
This module reads the presolved constraints, except constraints that the possible colors imply.
The set of codes stays the same. Colors that no constraint distinguishes share one *label*. A
constraint on all pegs that may have a color is a constraint on the count of the color, and is
expressed in that way if the engine counts the color anyway. A *place* is the index of a peg in the
order in which the engine processes the pegs.

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
"""Maximum estimated number of steps of a greedy order: the sum of the squared sizes of constraints,
plus the number of pegs. Boards that need more get no greedy orders."""
MAX_GROUPING_CONSTRAINTS = 100
"""Maximum number of constraints for the candidate that sorts the pegs by a flag per constraint."""
MAX_EXTRA_DOUBLINGS = 3.0
"""The pegs' own order, from first to last, is good enough if it has at most 2 to this power times
as many states as the best order."""

Order = tuple[int, ...]
"""The pegs, in the order in which the engine processes them."""


class Orders:
    """Candidate orders of the pegs, and their costs."""

    def __init__(
        self, pegs: int, constraints: Sequence[Sequence[int]], upper_bounds: Sequence[int]
    ) -> None:
        """Store the pegs and the upper bound of each constraint."""
        self.own: Order = tuple(range(pegs))
        self.pegs = pegs
        self.members = [sorted(set(constraint)) for constraint in constraints]
        """The different pegs of each constraint."""
        self.sizes = [len(constraint) for constraint in self.members]
        """The number of different pegs of each constraint."""
        self.upper_bounds = upper_bounds
        self.constraints_of: list[list[int]] = [[] for _ in range(pegs)]
        """The indices of the constraints of each peg."""
        for index, constraint in enumerate(self.members):
            for peg in constraint:
                self.constraints_of[peg].append(index)

    @cached_property
    def best(self) -> Order:
        """The candidate with the fewest states."""
        return min(self.candidates(), key=self.cost)

    @property
    def is_own_order_good(self) -> bool:
        """Whether the pegs' own order is nearly as good as the best one."""
        return self.cost(self.own) <= self.cost(self.best) + MAX_EXTRA_DOUBLINGS

    def candidates(self) -> Iterator[Order]:
        """Yield the candidates: the pegs' own order, grouping orders and greedy orders."""
        yield self.own
        # Two orders that group pegs with the same constraints. Long constraints are compared first.
        by_size = sorted(range(len(self.members)), key=lambda i: (-self.sizes[i], i))
        size_rank = {index: rank for rank, index in enumerate(by_size)}
        yield tuple(
            sorted(self.own, key=lambda peg: sorted(size_rank[i] for i in self.constraints_of[peg]))
        )
        if len(self.members) <= MAX_GROUPING_CONSTRAINTS:
            yield tuple(
                sorted(
                    self.own, key=lambda peg: [i not in self.constraints_of[peg] for i in by_size]
                )
            )
        if sum(size * size for size in self.sizes) + self.pegs <= MAX_GREEDY_STEPS:
            # Start greedy orders at the peg with the fewest constraints, the ends and the middle.
            rarest_peg = min(self.own, key=lambda peg: len(self.constraints_of[peg]))
            for start in dict.fromkeys((rarest_peg, 0, self.pegs - 1, self.pegs // 2)):
                yield self.greedy(start)

    def greedy(self, start: int) -> Order:
        """Return an order that always continues with the peg that leaves the fewest values open.

        It begins with `start`. Each further peg is in an open sum, if any remaining peg is.
        """
        num_done = [0] * len(self.members)  # for each constraint, the number of its pegs in `order`
        remaining = dict.fromkeys(self.own)
        adjacent_pegs: dict[int, None] = {start: None}  # the remaining pegs that share an open sum
        order: list[int] = []

        def growth_key(peg: int) -> tuple[float, int]:
            """Return the sort key of a peg: the growth of the open values if it comes next.

            Of several pegs with the same growth, the one in the most open sums comes first.
            """
            growth = sum(
                self.log_values(constraint, num_done[constraint] + 1)
                - self.log_values(constraint, num_done[constraint])
                for constraint in self.constraints_of[peg]
            )
            num_open = sum(num_done[constraint] > 0 for constraint in self.constraints_of[peg])
            return round(growth, 9), -num_open

        while remaining:
            peg = min(adjacent_pegs, key=growth_key) if adjacent_pegs else next(iter(remaining))
            adjacent_pegs.pop(peg, None)
            del remaining[peg]
            order.append(peg)
            for constraint in self.constraints_of[peg]:
                num_done[constraint] += 1
                if num_done[constraint] == 1:
                    adjacent_pegs.update(
                        (other_peg, None)
                        for other_peg in self.members[constraint]
                        if other_peg in remaining
                    )
        return tuple(order)

    def cost(self, order: Order) -> float:
        """Return the base-2 logarithm of the approximate number of states of the diagram.

        It sums the numbers of states after each peg.
        """
        num_done = [0] * len(self.members)  # for each constraint, the number of its pegs so far
        width = 0.0  # the base-2 logarithm of the number of states after the pegs so far
        widths = [width]
        for peg in order:
            for constraint in self.constraints_of[peg]:
                width -= self.log_values(constraint, num_done[constraint])
                num_done[constraint] += 1
                width += self.log_values(constraint, num_done[constraint])
            widths.append(width)
        max_width = max(widths)  # factored out, so that 2 to the power of a width cannot overflow
        return round(max_width + math.log2(sum(2.0 ** (width - max_width) for width in widths)), 6)

    def log_values(self, constraint: int, num_done: int) -> float:
        """Return the base-2 logarithm of the number of values of a sum after some of its pegs.

        The sum has at most `num_done` + 1 values, up to the upper bound. Values that no choice of
        the remaining pegs distinguishes count as one, so if n pegs remain, there are about n + 1.
        """
        num_remaining = self.sizes[constraint] - num_done
        return math.log2(1 + max(0, min(num_done, num_remaining, self.upper_bounds[constraint])))


PRESOLVE_STEPS = ("bounds",)
"""The presolve steps that are used. Symmetry steps would change the number of codes, and the step
`histograms` would take longer than counting most boards."""


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
    """Return the presolved constraints of a system without conjunctions; None if it is refuted."""
    presolved = presolve(system, PRESOLVE_STEPS)
    if not isinstance(presolved, Presolved):
        return None
    domains = presolved.problem.domains
    colors = tuple(frozenset(bits(mask)) for mask in domains.possible_colors)
    variables = system.variables
    constraints = []
    for constraint in presolved.system.constraints:
        literals = tuple(literal for literal in constraint.literals if isinstance(literal, int))
        if all(variables.is_at(literal) and domains.value(literal) for literal in literals):
            continue  # implied by the possible colors
        constraints.append(
            SimpleConstraint(literals, max(constraint.low, 0), min(constraint.high, len(literals)))
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
    """For each literal about a peg: its place, its label, its constraint, and the sign."""
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
    """Yield the layout of each system that presolve does not refute.

    `in_order` selects the order of the pegs: True for their own order, False for the best order
    found, and None for their own order unless the best one is much better. Raises UnsuitedError
    for word lists, and for conjunctions, which some scorings and guesses with unread pegs need.
    """
    for system in systems:
        if system.table is not None:
            raise UnsuitedError("diagrams do not support word lists")
        if system.conjunctions:
            raise UnsuitedError(
                "diagrams do not support conjunctions, which the scoring or unread pegs need here"
            )
        residual = find_residual(system)
        if residual is not None:
            yield make_layout(residual, in_order=in_order)


def make_layout(residual: ResidualSystem, *, in_order: bool | None = False) -> Layout:
    """Return the layout of the constraints that presolve left.

    See `layouts` for `in_order`.
    """
    variables = residual.variables
    constraints, single_use_colors = CountConstraints(residual).rewrite()
    color_classes, single_use = find_color_classes(residual, constraints, single_use_colors)
    label_of = {color: label for label, colors in enumerate(color_classes) for color in colors}
    pegs_of_constraints = [
        [
            variables.peg_color(literal)[0]
            for literal in constraint.literals
            if variables.is_at(literal)
        ]
        for constraint in constraints
    ]
    upper_bounds = [constraint.high for constraint in constraints]
    orders = Orders(variables.pegs, pegs_of_constraints, upper_bounds)
    uses_own_order = orders.is_own_order_good if in_order is None else in_order
    order = orders.own if uses_own_order else orders.best
    place_of_peg = {peg: place for place, peg in enumerate(order)}
    peg_coefficients, count_thresholds, sum_bounds = array("i"), array("i"), array("i")
    for number, constraint in enumerate(constraints):
        for literal in constraint.literals:
            sign = 1 if literal > 0 else -1
            if variables.is_at(literal):
                peg, color = variables.peg_color(literal)
                peg_coefficients.extend((place_of_peg[peg], label_of[color], number, sign))
            else:
                color, count = variables.color_count(literal)
                count_thresholds.extend((label_of[color], count, number, sign))
        # A negated literal is 1 - x, and the bounds lose the constant 1.
        negated_count = sum(literal < 0 for literal in constraint.literals)
        sum_bounds.extend((constraint.low - negated_count, constraint.high - negated_count))
    allowed = tuple(frozenset(label_of[color] for color in residual.colors[peg]) for peg in order)
    log_size = sum(math.log2(len(colors)) for colors in residual.colors)
    return Layout(
        order,
        color_classes,
        single_use,
        allowed,
        peg_coefficients,
        count_thresholds,
        sum_bounds,
        # 2**n codes need n + 1 bits. The margin of 0.01 is for this, and for rounding errors.
        math.ceil(log_size + 0.01),
    )


class CountConstraints:
    """Express suitable constraints on pegs as constraints on the counts of colors.

    An open peg of a color is a peg that may have this color or another one.
    """

    def __init__(self, residual: ResidualSystem) -> None:
        """Find the constraints on all open pegs of a color."""
        self.residual = residual
        variables = residual.variables
        self.fixed = [0] * variables.colors  # the number of pegs that must have each color
        self.open_literals: list[set[int]] = [set() for _ in range(variables.colors)]
        """For each color, the `at` literals of its open pegs."""
        for peg, colors in enumerate(residual.colors):
            for color in colors:
                if len(colors) == 1:
                    self.fixed[color] += 1
                else:
                    self.open_literals[color].add(variables.at(peg, color))
        self.counted_color = {
            index: counted_color
            for index, constraint in enumerate(residual.constraints)
            if (counted_color := self.color_of(constraint)) is not None
        }
        """For each constraint on all open pegs of a color, by its index, this color."""

    def color_of(self, constraint: SimpleConstraint) -> int | None:
        """Return the color whose `open_literals` are those of the constraint, or None."""
        first = constraint.literals[0]
        if first < 0 or not self.residual.variables.is_at(first):
            return None
        color = self.residual.variables.peg_color(first)[1]
        literals = self.open_literals[color]
        return (
            color
            if len(constraint.literals) == len(literals) and literals == {*constraint.literals}
            else None
        )

    def rewrite(self) -> tuple[list[SimpleConstraint], set[int]]:
        """Return the constraints to use, and the colors that occur at most once.

        A constraint on all open pegs of a color becomes a constraint on its count, if its bounds
        differ or if another constraint uses the count. If the only constraint on a color is that
        it occurs at most once, this constraint is omitted, and the color is in the second result.
        """
        mentions, counted_elsewhere = self.mentions()
        is_permutation = self.is_permutation()
        constraints = []
        single_use_colors = set()
        for index, constraint in enumerate(self.residual.constraints):
            color = self.counted_color.get(index)
            if color is None:
                constraints.append(constraint)
                continue
            # If every color occurs exactly once, "at most once" for all colors implies "exactly
            # once", so that no lower bound is needed.
            high = constraint.high
            low = 0 if is_permutation and high + self.fixed[color] == 1 else constraint.low
            if mentions[color] == 1 and self.fixed[color] == 0 and (low, high) == (0, 1):
                single_use_colors.add(color)
            elif low < high or color in counted_elsewhere:
                literals = self.count_literals(color, high)
                constraints.append(SimpleConstraint(literals, low, high))
            else:
                constraints.append(constraint)
        return constraints, single_use_colors

    def mentions(self) -> tuple[list[int], set[int]]:
        """Return a score per color for its use in constraints, and the colors whose count is used.

        A constraint on all open pegs of a color scores 1, and a literal of another constraint
        scores 2. So a score of 1 means that only one constraint mentions the color, and that this
        constraint is on all open pegs.
        """
        variables = self.residual.variables
        mentions = [0] * variables.colors
        counted: set[int] = set()
        for index, constraint in enumerate(self.residual.constraints):
            if index in self.counted_color:
                mentions[self.counted_color[index]] += 1
                continue
            for literal in constraint.literals:
                if variables.is_at(literal):
                    mentions[variables.peg_color(literal)[1]] += 2
                else:
                    color, _ = variables.color_count(literal)
                    mentions[color] += 2
                    counted.add(color)
        return mentions, counted

    def is_permutation(self) -> bool:
        """Return whether every code has every color exactly once."""
        variables = self.residual.variables
        if variables.pegs != variables.colors:
            return False
        single_colors = {color for color, fixed in enumerate(self.fixed) if fixed == 1}
        for index, color in self.counted_color.items():
            if self.residual.constraints[index].high + self.fixed[color] == 1:
                single_colors.add(color)
        return len(single_colors) == variables.colors

    def count_literals(self, color: int, high: int) -> tuple[int, ...]:
        """Return literals that determine how many open pegs have a color, up to high + 1."""
        max_count = min(high + 1, len(self.open_literals[color]))
        least = self.residual.variables.least
        return tuple(least(color, self.fixed[color] + count) for count in range(1, max_count + 1))


def find_color_classes(
    residual: ResidualSystem,
    constraints: Sequence[SimpleConstraint],
    single_use_colors: set[int],
) -> tuple[tuple[tuple[int, ...], ...], tuple[bool, ...]]:
    """Return the classes of colors that no constraint distinguishes.

    Also return for each class whether its colors are in `single_use_colors`.
    """
    variables = residual.variables
    constrained_colors = set()
    for constraint in constraints:
        for literal in constraint.literals:
            color = (
                variables.peg_color(literal)[1]
                if variables.is_at(literal)
                else variables.color_count(literal)[0]
            )
            constrained_colors.add(color)
    possible_pegs: list[list[int]] = [[] for _ in range(variables.colors)]
    for peg, colors in enumerate(residual.colors):
        for color in colors:
            possible_pegs[color].append(peg)
    classes_by_key: dict[tuple[int, ...], list[int]] = {}
    for color, pegs in enumerate(possible_pegs):
        if pegs:
            # A constrained color is alone in its class. Other colors share a class if they are
            # possible at the same pegs, and both or neither are in `single_use_colors`.
            is_constrained, is_single = color in constrained_colors, color in single_use_colors
            key = (color, -1) if is_constrained else (-1, int(is_single))
            classes_by_key.setdefault((*key, *pegs), []).append(color)
    color_classes = tuple(tuple(colors) for colors in classes_by_key.values())
    return color_classes, tuple(colors[0] in single_use_colors for colors in color_classes)
