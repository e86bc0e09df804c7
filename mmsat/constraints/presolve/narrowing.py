"""Colors and counts that are ruled out, and what follows among pegs and counts alone.

- A peg has the last color that is left.
- A color has at least as many pegs as have it and at most as many as may; where the two bounds
  meet, the pegs that have it are known.
- All counts add up to the pegs, so that what is needed elsewhere is not there for one color.

Who keeps literals about pegs and counts is told what becomes of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING

from mmsat.constraints.presolve.known import bits
from mmsat.english import plural

if TYPE_CHECKING:
    from mmsat.constraints.presolve.known import Known

SWEEPS = 2_000_000
"""Colors that are looked at for the sum of the counts, at most."""


class ContradictionError(Exception):
    """There is no code: the rows that say so, as bits, and what they leave."""

    def __init__(self, rows: int, leaving: str) -> None:
        """Keep both."""
        super().__init__(leaving)
        self.rows = rows
        self.leaving = leaving


class Narrowing(ABC):
    """What is known, made narrower; raises ContradictionError where nothing is left."""

    def __init__(self, known: Known) -> None:
        """Start from what is known, which will be changed."""
        self.known = known
        self.variables = known.variables
        pegs, colors = known.variables
        self.can = [0] * colors
        """By color: the pegs that may have it."""
        self.have = [0] * colors
        """By color: the pegs that have it."""
        self.why_can = [0] * colors
        self.why_have = [0] * colors
        for peg, left in enumerate(known.left):
            for color in bits(left):
                self.can[color] += 1
            only = known.color(peg)
            if only is not None:
                self.have[only] += 1
        if any(can < pegs for can in self.can):
            self._recall()
        self.colors: deque[int] = deque(range(colors))
        """Colors whose pegs or counts have changed."""
        self.is_waiting = [True] * colors
        self.sweeps = 0

    @abstractmethod
    def _told(self, literal: int, *, value: bool, why: int) -> None:
        """A literal of a peg is decided."""

    @abstractmethod
    def _narrowed(self, peg: int) -> None:
        """A peg has lost colors."""

    @abstractmethod
    def _bounded(self, color: int) -> None:
        """The bounds of a color's count may have changed."""

    def _settle_colors(self) -> bool:
        """Look at one color that has changed, or at the sum; whether there was anything to do."""
        if not self.colors:
            return self._look_at_sum()
        color = self.colors.popleft()
        self.is_waiting[color] = False
        self._look_at_color(color)
        return True

    def _recall(self) -> None:
        """Why pegs of colors are known that were known from the start."""
        variables, known = self.variables, self.known
        for literal, rows in known.why.items():
            _, color = variables.peg_color(literal)
            if literal < 0:
                self.why_can[color] |= rows
            else:
                self.why_have[color] |= rows
                for other in range(variables.colors):
                    if other != color:
                        self.why_can[other] |= rows

    def _say(self, literal: int, why: int) -> None:
        """Make a literal of a peg or a count, or the denial of one, true."""
        variables = self.variables
        if variables.is_at(literal):
            peg, color = variables.peg_color(literal)
            if literal > 0:
                self._settle(peg, color, why)
            else:
                self._exclude(peg, 1 << color, why)
        else:
            color, count = variables.color_count(literal)
            if literal > 0:
                self._raise(color, count, why)
            else:
                self._lower(color, count - 1, why)

    def _why_peg(self, peg: int, colors: int) -> int:
        """Why a peg has none of some colors."""
        why = 0
        for color in bits(colors):
            why |= self.known.rows(peg * self.variables.colors + color + 1)
        return why

    def _settle(self, peg: int, color: int, why: int) -> None:
        """Give a peg its color."""
        left, bit = self.known.left[peg], 1 << color
        if left == bit:
            return
        if not left & bit:
            rows = why | self.known.rows(self.variables.at(peg, color))
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        self.known.why[self.variables.at(peg, color)] = why
        self._drop(peg, left ^ bit, bit, why, is_settled=True)

    def _exclude(self, peg: int, colors: int, why: int) -> None:
        """Take colors from a peg."""
        left = self.known.left[peg]
        new = left & colors
        if not new:
            return
        rest = left ^ new
        if not rest:
            rows = why | self._why_peg(peg, ((1 << self.variables.colors) - 1) & ~colors)
            if self.known.color(peg) is not None:
                rows |= self.known.rows(peg * self.variables.colors + left.bit_length())
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        for color in bits(new):
            self.known.why[-self.variables.at(peg, color)] = why
        self._drop(peg, new, rest, why, is_settled=False)

    def _drop(self, peg: int, new: int, rest: int, why: int, *, is_settled: bool) -> None:
        """Bring everything up to date after a peg lost colors."""
        variables = self.variables
        before = peg * variables.colors + 1
        self.known.left[peg] = rest
        for color in bits(new):
            self.can[color] -= 1
            self.why_can[color] |= why
            self._wait(color)
            self._told(before + color, value=False, why=why)
        if not rest & (rest - 1):
            color = rest.bit_length() - 1
            if not is_settled:
                every = (1 << variables.colors) - 1
                why = self._why_peg(peg, every ^ rest)
                self.known.why[before + color] = why
            self.have[color] += 1
            self.why_have[color] |= why
            self._wait(color)
            self._told(before + color, value=True, why=why)
        self._narrowed(peg)

    def _wait(self, color: int) -> None:
        if not self.is_waiting[color]:
            self.is_waiting[color] = True
            self.colors.append(color)

    def _raise(self, color: int, low: int, why: int) -> None:
        """A color has so many pegs at least."""
        known = self.known
        if low <= known.low[color]:
            return
        if low > known.high[color]:
            raise ContradictionError(why | known.why_high[color], self._counts(color, low))
        known.low[color] = low
        known.why_low[color] |= why
        self._wait(color)

    def _lower(self, color: int, high: int, why: int) -> None:
        """A color has so many pegs at most."""
        known = self.known
        if high >= known.high[color]:
            return
        if high < known.low[color]:
            leaving = self._counts(color, known.low[color], high)
            raise ContradictionError(why | known.why_low[color], leaving)
        known.high[color] = high
        known.why_high[color] |= why
        self._wait(color)

    def _counts(self, color: int, low: int, high: int | None = None) -> str:
        high = self.known.high[color] if high is None else high
        return f"give color {color + 1} at least {low} {plural('peg', low or 1)} and at most {high}"

    def _look_at_color(self, color: int) -> None:
        """Pegs and counts of a color, both ways."""
        known = self.known
        self._raise(color, self.have[color], self.why_have[color])
        self._lower(color, self.can[color], self.why_can[color])
        low, high = known.low[color], known.high[color]
        self._bounded(color)
        if self.have[color] == self.can[color]:
            return
        if low == self.can[color]:
            why = known.why_low[color] | self.why_can[color]
            for peg in range(self.variables.pegs):
                if known.left[peg] >> color & 1:
                    self._settle(peg, color, why)
        elif high == self.have[color]:
            why = known.why_high[color] | self.why_have[color]
            bit = 1 << color
            for peg in range(self.variables.pegs):
                if known.left[peg] & bit and known.left[peg] != bit:
                    self._exclude(peg, bit, why)

    def _look_at_sum(self) -> bool:
        """All counts add up to the pegs; whether that says something new."""
        known, pegs = self.known, self.variables.pegs
        if self.sweeps > SWEEPS:
            return False
        self.sweeps += self.variables.colors
        below, above = pegs - sum(known.low), sum(known.high) - pegs
        why_low = why_high = 0
        changed = False
        for color, (low, high) in enumerate(zip(known.low, known.high, strict=True)):
            if high - low > below:
                why_low = why_low or joined(known.why_low)
                self._lower(color, low + below, why_low)
                changed = True
            if high - low > above:
                why_high = why_high or joined(known.why_high)
                self._raise(color, high - above, why_high)
                changed = True
        return changed


def joined(masks: list[int]) -> int:
    """The rows of any of these reasons."""
    rows = 0
    for mask in masks:
        rows |= mask
    return rows
