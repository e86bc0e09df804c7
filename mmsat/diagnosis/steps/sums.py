"""Constraints as sums over bits, and the sums that two rows imply together.

A literal f is bit f - 1 of a mask. Conjunctions have bits after those of all literals. A sum states
that `low` to `high` of its literals hold: the true ones of `positive` and the false ones of
`negative`. Two sums are subtracted if the difference is a sum again; common literals cancel.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from mmsat.constraints.system import System
from mmsat.game.literals import CardinalityConstraint, Literal


class Sum(NamedTuple):
    """The true literals of `positive` plus the false ones of `negative` number `low` to `high`."""

    positive: int
    negative: int
    low: int
    high: int


def bit(literal: int) -> int:
    """Return the bit of a literal or its negation."""
    return 1 << (abs(literal) - 1)


def minus(one: Sum, other: Sum) -> Sum | None:
    """Return the difference of two sums; None if a literal would count twice.

    Common literals cancel. A literal that only `other` counts is counted by its negation, which
    adds one to both bounds.
    """
    if one.positive & other.negative or one.negative & other.positive:
        return None
    subtracted, added = other.positive & ~one.positive, other.negative & ~one.negative
    shift = subtracted.bit_count() + added.bit_count()
    return Sum(
        (one.positive & ~other.positive) | added,
        (one.negative & ~other.negative) | subtracted,
        one.low - other.high + shift,
        one.high - other.low + shift,
    )


class Sums:
    """The sums of a board: those of the rules, of each row, and of each pair of rows."""

    def __init__(self, system: System) -> None:
        """Convert all constraints, except for a list of words, which `WordList` handles."""
        self.variables = variables = system.variables
        self.size = 2 * variables.pegs * variables.colors
        """The number of bits of literals; bits from here on are conjunctions."""
        self._together: dict[tuple[int, ...], int] = {}
        every_place = (1 << self.size // 2) - 1
        self.totals = (
            Sum(every_place, 0, variables.pegs, variables.pegs),
            Sum(every_place << self.size // 2, 0, variables.pegs, variables.pegs),
        )
        """All pegs, counted by pegs and by the counts of colors."""
        pegs = [
            Sum(((1 << variables.colors) - 1) << (peg * variables.colors), 0, 1, 1)
            for peg in range(variables.pegs)
        ]
        column = sum(bit(variables.at(peg, 0)) for peg in range(variables.pegs))
        self.columns = {
            column << color: variables.least(color, 1) - 1 for color in range(variables.colors)
        }
        """By the mask of all pegs of a color: the first bit of the counts of the color."""
        hard = () if system.table is not None else system.hard
        sums = [each for constraint in hard for each in self.read(constraint)]
        self.game = (*pegs, self.totals[1], *sums)
        self.rows = [
            tuple(each for constraint in constraints for each in self.of_row(constraint))
            for constraints in system.rows
        ]
        self._pairs: dict[tuple[int, int], tuple[Sum, ...]] = {}

    def read(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """Yield the sums of a constraint, and the definitions of its conjunctions."""
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
        """Return the bit of a literal, its negation, or a conjunction."""
        if not isinstance(literal, tuple):
            return bit(literal)
        return 1 << self._together.setdefault(literal, self.size + len(self._together))

    def places_of(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """Yield a lower bound on the first literals of conjunctions.

        It holds if conjunctions with the same first literal exclude each other: then at least as
        many first literals are true as conjunctions.
        """
        conjunctions = [literal for literal in constraint.literals if isinstance(literal, tuple)]
        if len(conjunctions) == len(constraint.literals) and all(
            one[0] != other[0] or not set(one).isdisjoint(-literal for literal in other)
            for one, other in combinations(conjunctions, 2)
        ):
            first_literals = {case[0] for case in conjunctions}
            true_bits = sum(bit(literal) for literal in first_literals if literal > 0)
            false_bits = sum(bit(literal) for literal in first_literals if literal < 0)
            yield Sum(true_bits, false_bits, constraint.low, len(first_literals))

    def definition(self, members: tuple[int, ...]) -> Iterator[Sum]:
        """Yield sums stating that a conjunction is true if and only if all its members are."""
        conjunction = self.bit(members)
        true_bits = sum(bit(each) for each in members if each > 0)
        false_bits = sum(bit(each) for each in members if each < 0)
        for each in members:
            yield Sum(bit(each) * (each > 0), conjunction | bit(each) * (each < 0), 1, 2)
        yield Sum(conjunction | false_bits, true_bits, 1, len(members) + 1)

    def of_row(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """Yield the sums of a constraint of a row, and its complement among all color counts."""
        total = self.totals[1]
        for one in self.read(constraint):
            yield one
            if one.positive and not one.positive & ~total.positive and not one.negative:
                remaining_sum = minus(total, one)
                if remaining_sum is not None and self.variables.colors > 1:
                    yield remaining_sum

    def of(self, rows: Iterable[int]) -> tuple[Sum, ...]:
        """Return the sums of some rows, and of each pair of them."""
        chosen = sorted(rows)
        single_sums = tuple(each for row in chosen for each in self.rows[row])
        return single_sums + tuple(
            each for pair in combinations(chosen, 2) for each in self.pair(*pair)
        )

    def pair(self, first: int, second: int) -> tuple[Sum, ...]:
        """Return the sums that two rows imply together (cached)."""
        if (first, second) not in self._pairs:
            sums = (
                each
                for one in self.rows[first]
                for other in self.rows[second]
                for each in self.combine(one, other)
            )
            self._pairs[first, second] = tuple(dict.fromkeys(sums))
        return self._pairs[first, second]

    def combine(self, one: Sum, other: Sum) -> Iterator[Sum]:
        """Yield the sums implied by two sums that may be stronger: difference and complement."""
        if one.positive & other.positive or one.negative & other.negative:
            difference = minus(one, other)
            if difference is not None:
                yield difference
        counted = one.positive | other.positive
        if one.negative or other.negative:
            return
        for total in self.totals:
            if not counted & ~total.positive:
                remaining_sum = minus(total, one)
                remaining_sum = None if remaining_sum is None else minus(remaining_sum, other)
                if remaining_sum is not None:
                    yield remaining_sum
