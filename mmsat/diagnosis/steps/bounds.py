"""Bounds propagation of a sum over the contributions of pegs and colors.

A peg contributes by the color that it gets, a color by its number of pegs, and any other literal by
itself. The lower bounds of all other contributions limit each contribution from above, and their
upper bounds limit it from below. Literals "at least 1, 2, ..." of a color are neighbors, and the
earlier ones are true whenever a later one is: a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

from mmsat.diagnosis.steps.sums import Sum
from mmsat.game.literals import VariableMap

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
    """Literals that contribute by themselves, including those of `runs` and excluding those of
    `pegs`."""
    negative: Mask
    low: int
    high: int
    runs: tuple[Run, ...]
    pegs: tuple[Peg, ...]
    """... those of these pegs are not."""
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
