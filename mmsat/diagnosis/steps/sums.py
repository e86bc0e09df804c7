"""Constraints as sums over bits, and the sums that follow from two rows together.

A literal f is bit f - 1 of a mask; conjunctions get bits of their own behind those of all facts. A
sum says that the true literals of `positive` and the false ones of `negative` are `low` to `high`
many. Two sums are subtracted where the difference is such a sum again: literals that both count
cancel.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from mmsat.constraints.system import System
from mmsat.game.literals import CardinalityConstraint, Literal


class Sum(NamedTuple):
    """Between low and high of these literals are true, or denied and false."""

    positive: int
    negative: int
    low: int
    high: int


def bit(literal: int) -> int:
    """The bit of a literal or its denial."""
    return 1 << (abs(literal) - 1)


def minus(one: Sum, other: Sum) -> Sum | None:
    """One sum less another; None where a literal would count twice.

    What both count cancels. What only the other counts is counted by its denial, which is one more
    than taking it away.
    """
    if one.positive & other.negative or one.negative & other.positive:
        return None
    taken, given = other.positive & ~one.positive, other.negative & ~one.negative
    more = taken.bit_count() + given.bit_count()
    return Sum(
        (one.positive & ~other.positive) | given,
        (one.negative & ~other.negative) | taken,
        one.low - other.high + more,
        one.high - other.low + more,
    )


class Sums:
    """The sums of a board: those of the rules, of each row, and of two rows together."""

    def __init__(self, system: System) -> None:
        """Read all constraints; those of a list of words are left to whoever looks the list up."""
        self.variables = variables = system.variables
        self.size = 2 * variables.pegs * variables.colors
        """Bits of literals; beyond are conjunctions."""
        self._together: dict[tuple[int, ...], int] = {}
        every_place = (1 << self.size // 2) - 1
        self.totals = (
            Sum(every_place, 0, variables.pegs, variables.pegs),
            Sum(every_place << self.size // 2, 0, variables.pegs, variables.pegs),
        )
        """All pegs, counted place by place, and color by color."""
        pegs = [
            Sum(((1 << variables.colors) - 1) << (peg * variables.colors), 0, 1, 1)
            for peg in range(variables.pegs)
        ]
        column = sum(bit(variables.at(peg, 0)) for peg in range(variables.pegs))
        self.columns = {
            column << color: variables.least(color, 1) - 1 for color in range(variables.colors)
        }
        """By all places of a color, where its counts start: the same, counted in another way."""
        hard = () if system.table is not None else system.hard
        sums = [each for constraint in hard for each in self.read(constraint)]
        self.game = (*pegs, self.totals[1], *sums)
        self.rows = [
            tuple(each for constraint in constraints for each in self.of_row(constraint))
            for constraints in system.rows
        ]
        self._pairs: dict[tuple[int, int], tuple[Sum, ...]] = {}

    def read(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """A constraint, and what defines its conjunctions."""
        positive = negative = 0
        for literal in constraint.literals:
            if isinstance(literal, tuple) or literal > 0:
                positive |= self.bit(literal)
            else:
                negative |= self.bit(literal)
            if isinstance(literal, tuple):
                yield from self.definition(literal)
        yield Sum(positive, negative, constraint.low, constraint.high)
        yield from self.places_of(constraint)
        if positive in self.columns and not negative:
            counts = ((1 << self.variables.pegs) - 1) << self.columns[positive]
            yield Sum(counts, 0, constraint.low, constraint.high)

    def bit(self, literal: Literal) -> int:
        """The bit of a literal, its denial, or a conjunction."""
        if not isinstance(literal, tuple):
            return bit(literal)
        return 1 << self._together.setdefault(literal, self.size + len(self._together))

    def places_of(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """What conjunctions say of pegs: as many of their first literals are true, at least.

        Only where those that share a first literal exclude each other.
        """
        cases = [each for each in constraint.literals if isinstance(each, tuple)]
        if len(cases) == len(constraint.literals) and all(
            one[0] != other[0] or not set(one).isdisjoint(-each for each in other)
            for one, other in combinations(cases, 2)
        ):
            first = {case[0] for case in cases}
            true = sum(bit(each) for each in first if each > 0)
            false = sum(bit(each) for each in first if each < 0)
            yield Sum(true, false, constraint.low, len(first))

    def definition(self, members: tuple[int, ...]) -> Iterator[Sum]:
        """A conjunction is true just when its members are."""
        whole = self.bit(members)
        true = sum(bit(each) for each in members if each > 0)
        false = sum(bit(each) for each in members if each < 0)
        for each in members:
            yield Sum(bit(each) * (each > 0), whole | bit(each) * (each < 0), 1, 2)
        yield Sum(whole | false, true, 1, len(members) + 1)

    def of_row(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """A constraint of a row, and what it leaves for colors that it does not count."""
        total = self.totals[1]
        for one in self.read(constraint):
            yield one
            if one.positive and not one.positive & ~total.positive and not one.negative:
                rest = minus(total, one)
                if rest is not None and self.variables.colors > 1:
                    yield rest

    def of(self, rows: Iterable[int]) -> tuple[Sum, ...]:
        """What some rows say, each by itself and two by two."""
        chosen = sorted(rows)
        alone = tuple(each for row in chosen for each in self.rows[row])
        return alone + tuple(each for pair in combinations(chosen, 2) for each in self.pair(*pair))

    def pair(self, first: int, second: int) -> tuple[Sum, ...]:
        """The sums that two rows make together: their differences, and what both leave."""
        if (first, second) not in self._pairs:
            made = (
                each
                for one in self.rows[first]
                for other in self.rows[second]
                for each in self.combine(one, other)
            )
            self._pairs[first, second] = tuple(dict.fromkeys(made))
        return self._pairs[first, second]

    def combine(self, one: Sum, other: Sum) -> Iterator[Sum]:
        """The sums of a pair of sums that can say more than both."""
        if one.positive & other.positive or one.negative & other.negative:
            difference = minus(one, other)
            if difference is not None:
                yield difference
        counted = one.positive | other.positive
        if one.negative or other.negative:
            return
        for total in self.totals:
            if not counted & ~total.positive:
                left = minus(total, one)
                left = None if left is None else minus(left, other)
                if left is not None:
                    yield left
