"""Bounds propagation of a sum: what each peg and each color can still add to it.

A peg adds by the color that it gets, a color by its number of pegs, any other literal by itself.
The least that all others add bounds what each one may add, and so does the most. Literals "at least
1, 2, ..." of a color stand side by side, the earlier ones true whenever a later one is: a run.
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
    """Neighboring counts of a color."""

    mask: Mask
    is_positive: bool


class Peg(NamedTuple):
    """A peg of which a sum counts several colors."""

    shift: int
    plus: Mask
    """Its colors that are counted, from bit 0 ..."""
    minus: Mask
    """... and those whose denials are."""


@dataclass(frozen=True, slots=True)
class BoundsPropagator:
    """Propagates the bounds of a sum, sorted by what adds to it."""

    positive: Mask
    """Literals that add by themselves; those of the runs are among them ..."""
    negative: Mask
    low: int
    high: int
    runs: tuple[Run, ...]
    pegs: tuple[Peg, ...]
    """... those of these pegs are not."""
    longest: int
    """Literals of the longest run."""
    colors: Mask
    """The colors of a peg, from bit 0."""
    support: Mask
    """What it rules out depends on these literals alone; all, where it counts none."""

    @classmethod
    def of(cls, one: Sum, variables: VariableMap) -> BoundsPropagator:
        """Make a sum ready."""
        pegs = tuple(wide_pegs(one, variables))
        colors = (1 << variables.colors) - 1
        taken = sum((each.plus | each.minus) << each.shift for each in pegs)
        denied = sum(each.minus.bit_count() for each in pegs)
        runs = tuple(each for each in runs_of(one, variables) if each.mask.bit_count() > 1)
        return cls(
            one.positive & ~taken,
            one.negative & ~taken,
            one.low - denied,
            one.high - denied,
            runs,
            pegs,
            max((each.mask.bit_count() for each in runs), default=0),
            colors,
            reduce(or_, (colors << each.shift for each in pegs), one.positive | one.negative) or -1,
        )

    def propagate(self, true: Mask, false: Mask) -> tuple[Mask, Mask] | None:
        """With what the sum rules out; None where it is out of its bounds whatever happens."""
        positive, negative = self.positive, self.negative
        made = (true & positive).bit_count() + (false & negative).bit_count()
        known = true | false
        open_positive, open_negative = positive & ~known, negative & ~known
        many = open_positive.bit_count() + open_negative.bit_count()
        least, most = made, made + many
        for shift, plus, minus in self.pegs:
            left = ~false >> shift & self.colors
            least += -1 if left & minus else 0 if left & ~plus else 1
            most += 1 if left & plus else 0 if left & ~minus else -1
        more, less = self.high - least, most - self.low  # above the least, below the most
        if more < 0 or less < 0:
            return None
        for shift, plus, minus in self.pegs if min(more, less) < 2 else ():
            left = ~false >> shift & self.colors
            lowest = -1 if left & minus else 0 if left & ~plus else 1
            highest = 1 if left & plus else 0 if left & ~minus else -1
            out = 0
            for value, those in ((1, plus), (-1, minus), (0, self.colors & ~(plus | minus))):
                if value - lowest > more or highest - value > less:
                    out |= left & those
            false |= out << shift
        if many:
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
        """With runs as long as they may be, so much above their least and below their most."""
        for mask, is_positive in self.runs:
            open_run = mask & ~(true | false)
            many = open_run.bit_count()
            up, down = (more, less) if is_positive else (less, more)
            if many > up:  # the first open ones of the run may be true, no more than so many
                false |= open_run & ~first_bits(open_run, up)
            if many > down:
                true |= first_bits(open_run, many - down)
        return true, false


def lowest(mask: Mask) -> int:
    """The place of the lowest bit."""
    return (mask & -mask).bit_length() - 1


def first_bits(mask: Mask, many: int) -> Mask:
    """The lowest so many bits that are set, wherever they are: a run may have gaps."""
    rest = mask
    for _ in range(many):
        rest &= rest - 1
    return mask ^ rest


def wide_pegs(one: Sum, variables: VariableMap) -> Iterator[Peg]:
    """The pegs of which a sum counts several colors."""
    every = (1 << variables.colors) - 1
    for peg in range(variables.pegs):
        shift = peg * variables.colors
        plus, minus = one.positive >> shift & every, one.negative >> shift & every
        if (plus | minus).bit_count() > 1:
            yield Peg(shift, plus, minus)


def runs_of(one: Sum, variables: VariableMap) -> Iterator[Run]:
    """The runs of a sum, color by color."""
    every = (1 << variables.pegs) - 1
    for color in range(variables.colors):
        shift = variables.least(color, 1) - 1
        for mask, is_positive in ((one.positive, True), (one.negative, False)):
            run = mask >> shift & every
            while run:
                start = lowest(run)
                length = lowest(~(run >> start))
                part = ((1 << length) - 1) << start
                yield Run(part << shift, is_positive)
                run &= ~part
