"""Sums of literals from one row or from the difference of two, and propagation of their bounds.

In a mask, literal f is bit f - 1. The bits of conjunctions follow those of all literals. A sum
counts the true literals of `positive` and the false literals of `negative`, and states that their
number is between `low` and `high`. Two sums are subtracted if the difference is a sum again; common
literals cancel.

Bounds are propagated over the contributions of pegs and colors. A peg contributes by the color that
it gets, a color by its number of pegs, and any other literal by itself. A contribution is at most
`high` minus the lower bounds of all other contributions, and at least `low` minus their upper
bounds.

The literals "at least 1, 2, ..." of a color form a run: their bits are neighbors, and if one of
them is true, so are all before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap


class Sum(NamedTuple):
    """A sum from `low` to `high`: true literals of `positive` and false literals of `negative`."""

    positive: int
    negative: int
    low: int
    high: int


def bit(literal: int) -> int:
    """Return the bit of a literal, which may be negated."""
    return 1 << (abs(literal) - 1)


def subtract(minuend: Sum, subtrahend: Sum) -> Sum | None:
    """Return the sum `minuend - subtrahend`; None if a literal would count twice.

    Common literals cancel. For each literal that only the subtrahend counts, the negation is
    counted instead, and 1 is added to both bounds.
    """
    if minuend.positive & subtrahend.negative or minuend.negative & subtrahend.positive:
        return None
    subtracted = subtrahend.positive & ~minuend.positive
    added = subtrahend.negative & ~minuend.negative
    shift = subtracted.bit_count() + added.bit_count()
    return Sum(
        (minuend.positive & ~subtrahend.positive) | added,
        (minuend.negative & ~subtrahend.negative) | subtracted,
        minuend.low - subtrahend.high + shift,
        minuend.high - subtrahend.low + shift,
    )


class Sums:
    """The sums of a board: those of the rules, of each row, and of each pair of rows."""

    def __init__(self, system: System) -> None:
        """Convert all constraints, except for a list of words, which `WordMasks` handles."""
        self.variables = variables = system.variables
        self.size = 2 * variables.pegs * variables.colors
        """The number of bits of literals. All further bits are conjunctions."""
        self._conjunction_bits: dict[tuple[int, ...], int] = {}
        peg_literals = (1 << self.size // 2) - 1
        self.totals = (
            Sum(peg_literals, 0, variables.pegs, variables.pegs),
            Sum(peg_literals << self.size // 2, 0, variables.pegs, variables.pegs),
        )
        """The sums of all literals of pegs, and of all counts of colors: the number of pegs."""
        peg_sums = [
            Sum(((1 << variables.colors) - 1) << (peg * variables.colors), 0, 1, 1)
            for peg in range(variables.pegs)
        ]
        # The literals of color 0 on all pegs.
        column = sum(bit(variables.at(peg, 0)) for peg in range(variables.pegs))
        self.columns = {
            column << color: variables.least(color, 1) - 1 for color in range(variables.colors)
        }
        """For each color, this maps the mask of its literals `at(peg, color)` on all pegs to the
        index of the bit of `least(color, 1)`, which is the first bit of the color's counts."""
        hard = () if system.table is not None else system.hard
        hard_sums = [sum_ for constraint in hard for sum_ in self.read(constraint)]
        self.game = (*peg_sums, self.totals[1], *hard_sums)
        """The sums of the rules of the game."""
        self.rows = [
            tuple(sum_ for constraint in constraints for sum_ in self.of_row(constraint))
            for constraints in system.row_constraints
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
        yield from self.bound_first_literals(constraint)
        # The literals of a color on all pegs have the same sum as the counts of the color.
        if positive in self.columns and not negative:
            counts = ((1 << self.variables.pegs) - 1) << self.columns[positive]
            yield Sum(counts, 0, constraint.low, constraint.high)

    def bit(self, literal: Literal) -> int:
        """Return the bit of a literal, which may be negated, or of a conjunction."""
        if not isinstance(literal, tuple):
            return bit(literal)
        next_bit = self.size + len(self._conjunction_bits)
        return 1 << self._conjunction_bits.setdefault(literal, next_bit)

    def bound_first_literals(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """Yield a lower bound on the number of true first literals of conjunctions.

        If conjunctions with the same first literal exclude each other, at least as many first
        literals are true as conjunctions.
        """
        conjunctions = [literal for literal in constraint.literals if isinstance(literal, tuple)]
        if len(conjunctions) == len(constraint.literals) and all(
            first[0] != second[0] or not set(first).isdisjoint(-literal for literal in second)
            for first, second in combinations(conjunctions, 2)
        ):
            first_literals = {conjunction[0] for conjunction in conjunctions}
            true_bits = sum(bit(literal) for literal in first_literals if literal > 0)
            false_bits = sum(bit(literal) for literal in first_literals if literal < 0)
            yield Sum(true_bits, false_bits, constraint.low, len(first_literals))

    def definition(self, members: tuple[int, ...]) -> Iterator[Sum]:
        """Yield sums stating that a conjunction is true if and only if all its members are."""
        conjunction = self.bit(members)
        true_bits = sum(bit(literal) for literal in members if literal > 0)
        false_bits = sum(bit(literal) for literal in members if literal < 0)
        for literal in members:
            # The conjunction is false, or the literal is true.
            true_bit, false_bit = (bit(literal), 0) if literal > 0 else (0, bit(literal))
            yield Sum(true_bit, conjunction | false_bit, 1, 2)
        # The conjunction is true, or at least one of the members is false.
        yield Sum(conjunction | false_bits, true_bits, 1, len(members) + 1)

    def of_row(self, constraint: CardinalityConstraint) -> Iterator[Sum]:
        """Yield the sums of a row's constraint.

        For a sum of counts of colors, the sum of all other counts is yielded as well.
        """
        total = self.totals[1]
        for sum_ in self.read(constraint):
            yield sum_
            if sum_.positive and not sum_.positive & ~total.positive and not sum_.negative:
                remaining_sum = subtract(total, sum_)
                # With one color, no other counts exist.
                if remaining_sum is not None and self.variables.colors > 1:
                    yield remaining_sum

    def of(self, rows: Iterable[int]) -> tuple[Sum, ...]:
        """Return the sums of some rows, and of each pair of them."""
        sorted_rows = sorted(rows)
        row_sums = tuple(sum_ for row in sorted_rows for sum_ in self.rows[row])
        return row_sums + tuple(
            sum_ for pair in combinations(sorted_rows, 2) for sum_ in self.pair(*pair)
        )

    def pair(self, first: int, second: int) -> tuple[Sum, ...]:
        """Return the sums that two rows imply together (cached)."""
        if (first, second) not in self._pairs:
            sums = (
                combined
                for left in self.rows[first]
                for right in self.rows[second]
                for combined in self.combine(left, right)
            )
            self._pairs[first, second] = tuple(dict.fromkeys(sums))
        return self._pairs[first, second]

    def combine(self, left: Sum, right: Sum) -> Iterator[Sum]:
        """Yield the difference of two sums, and the sums of all literals that neither counts."""
        if left.positive & right.positive or left.negative & right.negative:
            difference = subtract(left, right)
            if difference is not None:
                yield difference
        counted = left.positive | right.positive
        if left.negative or right.negative:
            return
        for total in self.totals:
            if not counted & ~total.positive:
                remaining_sum = subtract(total, left)
                remaining_sum = None if remaining_sum is None else subtract(remaining_sum, right)
                if remaining_sum is not None:
                    yield remaining_sum


Mask = int
"""A set of literals, or of colors if this is stated."""


class Run(NamedTuple):
    """Literals of a sum: at least k, k + 1, ... pegs have a color."""

    mask: Mask
    is_positive: bool
    """Whether the sum counts the true literals rather than the false ones."""


class Peg(NamedTuple):
    """A peg of which a sum counts several colors."""

    shift: int
    """The first bit of the literals of the peg."""
    plus: Mask
    """The colors whose literals are counted; color 0 is bit 0."""
    minus: Mask
    """The colors whose negated literals are counted; color 0 is bit 0."""


@dataclass(frozen=True, slots=True)
class BoundsPropagator:
    """Propagate the bounds of a sum, with its literals sorted by the kind of contribution."""

    positive: Mask
    """Literals that are counted if they are true, including those of `runs`, but not of `pegs`."""
    negative: Mask
    """Literals that are counted if they are false, including those of `runs`, but not of `pegs`."""
    low: int
    high: int
    runs: tuple[Run, ...]
    """The runs of two or more literals."""
    pegs: tuple[Peg, ...]
    """The pegs of which the sum counts several colors."""
    longest_run: int
    """The number of literals of the longest run."""
    colors: Mask
    """The mask of all colors; color 0 is bit 0."""
    support: Mask
    """The literals that the conclusions depend on; all literals if the sum counts none."""

    @classmethod
    def of(cls, sum_: Sum, variables: VariableMap) -> BoundsPropagator:
        """Create the propagator of a sum."""
        pegs = tuple(wide_pegs(sum_, variables))
        colors = (1 << variables.colors) - 1
        peg_literals = sum((peg.plus | peg.minus) << peg.shift for peg in pegs)
        # For a negated literal, -1 is counted if the peg has the color, instead of 1 if it has not.
        num_negated = sum(peg.minus.bit_count() for peg in pegs)
        runs = tuple(run for run in runs_of(sum_, variables) if run.mask.bit_count() > 1)
        return cls(
            sum_.positive & ~peg_literals,
            sum_.negative & ~peg_literals,
            sum_.low - num_negated,
            sum_.high - num_negated,
            runs,
            pegs,
            max((run.mask.bit_count() for run in runs), default=0),
            colors,
            reduce(or_, (colors << peg.shift for peg in pegs), sum_.positive | sum_.negative) or -1,
        )

    def propagate(self, true: Mask, false: Mask) -> tuple[Mask, Mask] | None:
        """Return both masks with all conclusions; None if no completion is within the bounds."""
        positive, negative = self.positive, self.negative
        satisfied = (true & positive).bit_count() + (false & negative).bit_count()
        assigned = true | false
        open_positive, open_negative = positive & ~assigned, negative & ~assigned
        open_count = open_positive.bit_count() + open_negative.bit_count()
        lower, upper = satisfied, satisfied + open_count
        # A peg contributes 1 with a color in `plus`, -1 with one in `minus`, and 0 with others.
        for shift, plus, minus in self.pegs:
            open_colors = ~false >> shift & self.colors
            lower += -1 if open_colors & minus else 0 if open_colors & ~plus else 1
            upper += 1 if open_colors & plus else 0 if open_colors & ~minus else -1
        # How far the sum may be above `lower`, and how far it may be below `upper`.
        max_excess, max_deficit = self.high - lower, upper - self.low
        if max_excess < 0 or max_deficit < 0:
            return None
        # The values of a peg differ by at most 2, so a limit of 2 or more excludes no color.
        for shift, plus, minus in self.pegs if min(max_excess, max_deficit) < 2 else ():
            open_colors = ~false >> shift & self.colors
            lowest = -1 if open_colors & minus else 0 if open_colors & ~plus else 1
            highest = 1 if open_colors & plus else 0 if open_colors & ~minus else -1
            excluded = 0
            for value, colors in ((1, plus), (-1, minus), (0, self.colors & ~(plus | minus))):
                if value - lowest > max_excess or highest - value > max_deficit:
                    excluded |= open_colors & colors
            false |= excluded << shift
        if open_count:
            if not max_excess:
                false |= open_positive
                true |= open_negative
            elif not max_deficit:
                true |= open_positive
                false |= open_negative
            elif self.longest_run > min(max_excess, max_deficit):
                return self.cut(true, false, max_excess, max_deficit)
        return true, false

    def cut(self, true: Mask, false: Mask, max_excess: int, max_deficit: int) -> tuple[Mask, Mask]:
        """Return both masks with the runs cut to the values that the bounds allow.

        The sum may exceed its lower bound by at most `max_excess`, and be below its upper bound by
        at most `max_deficit`. The true literals of a run precede its false ones.
        """
        for mask, is_positive in self.runs:
            open_run = mask & ~(true | false)
            open_count = open_run.bit_count()
            max_true, max_false = (
                (max_excess, max_deficit) if is_positive else (max_deficit, max_excess)
            )
            if open_count > max_true:
                false |= open_run & ~first_bits(open_run, max_true)
            if open_count > max_false:
                true |= first_bits(open_run, open_count - max_false)
        return true, false


def lowest_bit_index(mask: Mask) -> int:
    """Return the index of the lowest bit that is set."""
    return (mask & -mask).bit_length() - 1


def first_bits(mask: Mask, number: int) -> Mask:
    """Return the `number` lowest bits that are set; there may be gaps between them."""
    higher_bits = mask
    for _ in range(number):
        higher_bits &= higher_bits - 1
    return mask ^ higher_bits


def wide_pegs(sum_: Sum, variables: VariableMap) -> Iterator[Peg]:
    """Yield the pegs of which a sum counts several colors."""
    all_colors = (1 << variables.colors) - 1
    for peg in range(variables.pegs):
        shift = peg * variables.colors
        plus, minus = sum_.positive >> shift & all_colors, sum_.negative >> shift & all_colors
        if (plus | minus).bit_count() > 1:
            yield Peg(shift, plus, minus)


def runs_of(sum_: Sum, variables: VariableMap) -> Iterator[Run]:
    """Yield the runs of a sum, color by color."""
    all_counts = (1 << variables.pegs) - 1
    for color in range(variables.colors):
        shift = variables.least(color, 1) - 1
        for mask, is_positive in ((sum_.positive, True), (sum_.negative, False)):
            run = mask >> shift & all_counts
            while run:
                start = lowest_bit_index(run)
                length = lowest_bit_index(~(run >> start))
                run_bits = ((1 << length) - 1) << start
                yield Run(run_bits << shift, is_positive)
                run &= ~run_bits
