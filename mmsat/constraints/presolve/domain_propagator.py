"""Colors and counts that are ruled out, and what follows among pegs and counts alone.

- A peg has the last color that is left.
- A color has at least as many pegs as have it and at most as many as may; where the two bounds
  meet, the pegs that have it are known.
- All counts add up to the pegs, so that what is needed elsewhere is not there for one color.

Who keeps literals about pegs and counts is told what becomes of them.
"""

from abc import ABC, abstractmethod
from collections import deque
from functools import reduce
from operator import or_

from mmsat.constraints.presolve.domains import Domains, bits
from mmsat.english import plural

SWEEPS = 2_000_000
"""Colors that are looked at for the sum of the counts, at most."""


class ContradictionError(Exception):
    """There is no code: the rows that say so, as bits, and what they leave."""

    def __init__(self, rows: int, leaving: str) -> None:
        super().__init__(leaving)
        self.rows = rows
        self.leaving = leaving


class DomainPropagator(ABC):
    """What is known, made narrower; raises ContradictionError where nothing is left."""

    def __init__(self, domains: Domains) -> None:
        """Start from what is known, which will be changed."""
        self.domains = domains
        self.variables = domains.variables
        pegs, colors = domains.variables
        self.can = [0] * colors
        """By color: the pegs that may have it."""
        self.have = [0] * colors
        """By color: the pegs that have it."""
        self.reason_can = [0] * colors
        self.reason_have = [0] * colors
        for peg, left in enumerate(domains.domain):
            for color in bits(left):
                self.can[color] += 1
            only = domains.color(peg)
            if only is not None:
                self.have[only] += 1
        if any(can < pegs for can in self.can):
            self._restore_reasons()
        self.colors: deque[int] = deque(range(colors))
        """Colors whose pegs or counts have changed."""
        self.is_waiting = [True] * colors
        self.sweeps = 0

    @abstractmethod
    def _on_assign(self, literal: int, *, value: bool, why: int) -> None:
        """A literal of a peg is decided."""

    @abstractmethod
    def _on_reduce(self, peg: int) -> None:
        """A peg has lost colors."""

    @abstractmethod
    def _on_bound(self, color: int) -> None:
        """The bounds of a color's count may have changed."""

    def _propagate_color(self) -> bool:
        """Look at one color that has changed, or at the sum; whether there was anything to do."""
        if not self.colors:
            return self._propagate_sum()
        color = self.colors.popleft()
        self.is_waiting[color] = False
        self._propagate_counts(color)
        return True

    def _restore_reasons(self) -> None:
        """Why pegs of colors are known that were known from the start."""
        variables, domains = self.variables, self.domains
        for literal, rows in domains.reason.items():
            _, color = variables.peg_color(literal)
            if literal < 0:
                self.reason_can[color] |= rows
            else:
                self.reason_have[color] |= rows
                for other in range(variables.colors):
                    if other != color:
                        self.reason_can[other] |= rows

    def _enforce(self, literal: int, why: int) -> None:
        """Make a literal of a peg or a count, or the denial of one, true."""
        variables = self.variables
        if variables.is_at(literal):
            peg, color = variables.peg_color(literal)
            if literal > 0:
                self._assign(peg, color, why)
            else:
                self._remove(peg, 1 << color, why)
        else:
            color, count = variables.color_count(literal)
            if literal > 0:
                self._raise(color, count, why)
            else:
                self._lower(color, count - 1, why)

    def _reason_of_peg(self, peg: int, colors: int) -> int:
        """Why a peg has none of some colors."""
        why = 0
        for color in bits(colors):
            why |= self.domains.rows(peg * self.variables.colors + color + 1)
        return why

    def _assign(self, peg: int, color: int, why: int) -> None:
        """Give a peg its color."""
        left, bit = self.domains.domain[peg], 1 << color
        if left == bit:
            return
        if not left & bit:
            rows = why | self.domains.rows(self.variables.at(peg, color))
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        self.domains.reason[self.variables.at(peg, color)] = why
        self._update(peg, left ^ bit, bit, why, is_settled=True)

    def _remove(self, peg: int, colors: int, why: int) -> None:
        """Take colors from a peg."""
        left = self.domains.domain[peg]
        new = left & colors
        if not new:
            return
        rest = left ^ new
        if not rest:
            rows = why | self._reason_of_peg(peg, ((1 << self.variables.colors) - 1) & ~colors)
            if self.domains.color(peg) is not None:
                rows |= self.domains.rows(peg * self.variables.colors + left.bit_length())
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        for color in bits(new):
            self.domains.reason[-self.variables.at(peg, color)] = why
        self._update(peg, new, rest, why, is_settled=False)

    def _update(self, peg: int, new: int, rest: int, why: int, *, is_settled: bool) -> None:
        """Bring everything up to date after a peg lost colors."""
        variables = self.variables
        before = peg * variables.colors + 1
        self.domains.domain[peg] = rest
        for color in bits(new):
            self.can[color] -= 1
            self.reason_can[color] |= why
            self._schedule(color)
            self._on_assign(before + color, value=False, why=why)
        if not rest & (rest - 1):
            color = rest.bit_length() - 1
            if not is_settled:
                every = (1 << variables.colors) - 1
                why = self._reason_of_peg(peg, every ^ rest)
                self.domains.reason[before + color] = why
            self.have[color] += 1
            self.reason_have[color] |= why
            self._schedule(color)
            self._on_assign(before + color, value=True, why=why)
        self._on_reduce(peg)

    def _schedule(self, color: int) -> None:
        if not self.is_waiting[color]:
            self.is_waiting[color] = True
            self.colors.append(color)

    def _raise(self, color: int, low: int, why: int) -> None:
        """A color has so many pegs at least."""
        domains = self.domains
        if low <= domains.low[color]:
            return
        if low > domains.high[color]:
            raise ContradictionError(why | domains.reason_high[color], self._counts(color, low))
        domains.low[color] = low
        domains.reason_low[color] |= why
        self._schedule(color)

    def _lower(self, color: int, high: int, why: int) -> None:
        """A color has so many pegs at most."""
        domains = self.domains
        if high >= domains.high[color]:
            return
        if high < domains.low[color]:
            leaving = self._counts(color, domains.low[color], high)
            raise ContradictionError(why | domains.reason_low[color], leaving)
        domains.high[color] = high
        domains.reason_high[color] |= why
        self._schedule(color)

    def _counts(self, color: int, low: int, high: int | None = None) -> str:
        high = self.domains.high[color] if high is None else high
        return f"give color {color + 1} at least {low} {plural('peg', low or 1)} and at most {high}"

    def _propagate_counts(self, color: int) -> None:
        """Pegs and counts of a color, both ways."""
        domains = self.domains
        self._raise(color, self.have[color], self.reason_have[color])
        self._lower(color, self.can[color], self.reason_can[color])
        low, high = domains.low[color], domains.high[color]
        self._on_bound(color)
        if self.have[color] == self.can[color]:
            return
        if low == self.can[color]:
            why = domains.reason_low[color] | self.reason_can[color]
            for peg in range(self.variables.pegs):
                if domains.domain[peg] >> color & 1:
                    self._assign(peg, color, why)
        elif high == self.have[color]:
            why = domains.reason_high[color] | self.reason_have[color]
            bit = 1 << color
            for peg in range(self.variables.pegs):
                if domains.domain[peg] & bit and domains.domain[peg] != bit:
                    self._remove(peg, bit, why)

    def _propagate_sum(self) -> bool:
        """All counts add up to the pegs; whether that says something new."""
        domains, pegs = self.domains, self.variables.pegs
        if self.sweeps > SWEEPS:
            return False
        self.sweeps += self.variables.colors
        below, above = pegs - sum(domains.low), sum(domains.high) - pegs
        reason_low = reason_high = 0
        changed = False
        for color, (low, high) in enumerate(zip(domains.low, domains.high, strict=True)):
            if high - low > below:
                reason_low = reason_low or reduce(or_, domains.reason_low)
                self._lower(color, low + below, reason_low)
                changed = True
            if high - low > above:
                reason_high = reason_high or reduce(or_, domains.reason_high)
                self._raise(color, high - above, reason_high)
                changed = True
        return changed
