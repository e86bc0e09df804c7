"""Sums of literals from one row or from the difference of two, and propagation of their bounds.

In a mask, literal f is bit f - 1. Conjunctions have bits after those of all literals. A sum states
that `low` to `high` of its literals hold: the true ones of `positive` and the false ones of
`negative`. Two sums are subtracted if the difference is a sum again; common literals cancel.

Bounds are propagated over the contributions of pegs and colors. A peg contributes by the color that
it gets, a color by its number of pegs, and any other literal by itself. The lower bounds of all
other contributions limit each contribution from above, and their upper bounds limit it from below.
Literals "at least 1, 2, ..." of a color are neighbors, and the earlier ones are true whenever a
later one is: a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from mmsat.constraints.system import System
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap


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


Mask = int


class Run(NamedTuple):
    """Literals for neighboring counts of a color."""

    mask: Mask
    is_positive: bool


class Peg(NamedTuple):
    """A peg of which a sum counts several colors."""

    shift: int
    plus: Mask
    """Its colors whose literals are counted, from bit 0."""
    minus: Mask
    """Its colors whose negated literals are counted, from bit 0."""


@dataclass(frozen=True, slots=True)
class BoundsPropagator:
    """Propagates the bounds of a sum, with its literals sorted by the kind of contribution."""

    positive: Mask
    """Literals that are counted if they are true, except those of `pegs`; those of `runs` are
    included."""
    negative: Mask
    low: int
    high: int
    runs: tuple[Run, ...]
    pegs: tuple[Peg, ...]
    """The pegs of which the sum counts several colors. `positive` excludes their literals."""
    longest: int
    """The number of literals of the longest run."""
    colors: Mask
    """The mask of all colors of a peg, from bit 0."""
    support: Mask
    """The literals that the conclusions depend on; all literals if the sum counts none."""

    @classmethod
    def of(cls, one: Sum, variables: VariableMap) -> BoundsPropagator:
        """Create the propagator of a sum."""
        pegs = tuple(wide_pegs(one, variables))
        colors = (1 << variables.colors) - 1
        peg_literals = sum((item.plus | item.minus) << item.shift for item in pegs)
        negated = sum(item.minus.bit_count() for item in pegs)
        runs = tuple(item for item in runs_of(one, variables) if item.mask.bit_count() > 1)
        return cls(
            one.positive & ~peg_literals,
            one.negative & ~peg_literals,
            one.low - negated,
            one.high - negated,
            runs,
            pegs,
            max((item.mask.bit_count() for item in runs), default=0),
            colors,
            reduce(or_, (colors << item.shift for item in pegs), one.positive | one.negative) or -1,
        )

    def propagate(self, true: Mask, false: Mask) -> tuple[Mask, Mask] | None:
        """Return both masks with all conclusions; None if no completion is within the bounds."""
        positive, negative = self.positive, self.negative
        satisfied = (true & positive).bit_count() + (false & negative).bit_count()
        known = true | false
        open_positive, open_negative = positive & ~known, negative & ~known
        open_count = open_positive.bit_count() + open_negative.bit_count()
        lower, upper = satisfied, satisfied + open_count
        for shift, plus, minus in self.pegs:
            open_colors = ~false >> shift & self.colors
            lower += -1 if open_colors & minus else 0 if open_colors & ~plus else 1
            upper += 1 if open_colors & plus else 0 if open_colors & ~minus else -1
        # The slack above the lower bound, and below the upper bound.
        more, less = self.high - lower, upper - self.low
        if more < 0 or less < 0:
            return None
        for shift, plus, minus in self.pegs if min(more, less) < 2 else ():
            open_colors = ~false >> shift & self.colors
            lowest = -1 if open_colors & minus else 0 if open_colors & ~plus else 1
            highest = 1 if open_colors & plus else 0 if open_colors & ~minus else -1
            excluded = 0
            for value, colors in ((1, plus), (-1, minus), (0, self.colors & ~(plus | minus))):
                if value - lowest > more or highest - value > less:
                    excluded |= open_colors & colors
            false |= excluded << shift
        if open_count:
            if not more:
                false |= open_positive
                true |= open_negative
            elif not less:
                true |= open_positive
                false |= open_negative
            elif self.longest > min(more, less):
                return self.cut(true, false, more, less)
        return true, false

    def cut(self, true: Mask, false: Mask, more: int, less: int) -> tuple[Mask, Mask]:
        """Return both masks with the runs cut to the values that the bounds allow.

        The sum may be at most `more` above its lower bound and at most `less` below its upper
        bound.
        """
        for mask, is_positive in self.runs:
            open_run = mask & ~(true | false)
            open_count = open_run.bit_count()
            up, down = (more, less) if is_positive else (less, more)
            if open_count > up:  # only the first `up` open literals may be true
                false |= open_run & ~first_bits(open_run, up)
            if open_count > down:
                true |= first_bits(open_run, open_count - down)
        return true, false


def lowest(mask: Mask) -> int:
    """Return the index of the lowest bit that is set."""
    return (mask & -mask).bit_length() - 1


def first_bits(mask: Mask, number: int) -> Mask:
    """Return the `number` lowest bits that are set. A run may have gaps."""
    higher_bits = mask
    for _ in range(number):
        higher_bits &= higher_bits - 1
    return mask ^ higher_bits


def wide_pegs(one: Sum, variables: VariableMap) -> Iterator[Peg]:
    """Yield the pegs of which a sum counts several colors."""
    every = (1 << variables.colors) - 1
    for peg in range(variables.pegs):
        shift = peg * variables.colors
        plus, minus = one.positive >> shift & every, one.negative >> shift & every
        if (plus | minus).bit_count() > 1:
            yield Peg(shift, plus, minus)


def runs_of(one: Sum, variables: VariableMap) -> Iterator[Run]:
    """Yield the runs of a sum, color by color."""
    every = (1 << variables.pegs) - 1
    for color in range(variables.colors):
        shift = variables.least(color, 1) - 1
        for mask, is_positive in ((one.positive, True), (one.negative, False)):
            run = mask >> shift & every
            while run:
                start = lowest(run)
                length = lowest(~(run >> start))
                run_bits = ((1 << length) - 1) << start
                yield Run(run_bits << shift, is_positive)
                run &= ~run_bits
