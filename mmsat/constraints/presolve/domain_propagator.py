"""Propagation between the domains of pegs and the bounds of counts, without constraints.

- A peg has its last possible color.
- The count of a color is at least the number of pegs that have it, and at most the number of pegs
  that can have it. If a bound of the count is reached, all undecided pegs have the color, or none.
- All counts add up to the number of pegs, so the bounds of the other counts bound each count.

Subclasses are notified of changes by the methods `_on_assign`, `_on_reduce` and `_on_bound`.
"""

from abc import ABC, abstractmethod
from collections import deque
from functools import reduce
from operator import or_

from mmsat.constraints.presolve.domains import Domains, bits
from mmsat.english import plural

MAX_VISITED_COLORS = 2_000_000
"""The maximum number of colors visited by the rule that all counts add up to the pegs."""


class ContradictionError(Exception):
    """Raised if no code is possible.

    `rows` are contradictory rows, as bits. `leaving` completes a sentence about them: `leave no
    color for peg 1`.
    """

    def __init__(self, rows: int, leaving: str) -> None:
        super().__init__(leaving)
        self.rows = rows
        self.leaving = leaving


class DomainPropagator(ABC):
    """Reduces domains in place; raises ContradictionError if a domain becomes empty.

    In the methods, `why` is the rows that a conclusion follows from, as bits.
    """

    def __init__(self, domains: Domains) -> None:
        """Start from `domains`, which are changed in place."""
        self.domains = domains
        self.variables = domains.variables
        pegs, colors = domains.variables
        self.can = [0] * colors
        """The number of pegs that can have each color."""
        self.have = [0] * colors
        """The number of pegs that are known to have each color."""
        self.reason_can = [0] * colors
        self.reason_have = [0] * colors
        for peg, domain in enumerate(domains.domain):
            for color in bits(domain):
                self.can[color] += 1
            single_color = domains.color(peg)
            if single_color is not None:
                self.have[single_color] += 1
        if any(can < pegs for can in self.can):
            self._restore_reasons()
        self.colors: deque[int] = deque(range(colors))
        """The queue of colors whose pegs or counts have changed."""
        self.is_waiting = [True] * colors
        self.visited_colors = 0

    @abstractmethod
    def _on_assign(self, literal: int, *, value: bool, why: int) -> None:
        """React to an `at` literal that has become true or false."""

    @abstractmethod
    def _on_reduce(self, peg: int) -> None:
        """React to a smaller domain of a peg."""

    @abstractmethod
    def _on_bound(self, color: int) -> None:
        """React to bounds of a color's count that may have changed."""

    def _propagate_color(self) -> bool:
        """Propagate one color of the queue, or the sum of all counts if the queue is empty.

        Return whether the propagation has to continue.
        """
        if not self.colors:
            return self._propagate_sum()
        color = self.colors.popleft()
        self.is_waiting[color] = False
        self._propagate_counts(color)
        return True

    def _restore_reasons(self) -> None:
        """Initialize the reasons of the numbers of pegs from the reasons of the domains."""
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
        """Make a literal or its negation true."""
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
        """Return the rows that imply that a peg has none of the colors, which are bits."""
        why = 0
        for color in bits(colors):
            why |= self.domains.rows(peg * self.variables.colors + color + 1)
        return why

    def _assign(self, peg: int, color: int, why: int) -> None:
        """Set the color of a peg."""
        domain, bit = self.domains.domain[peg], 1 << color
        if domain == bit:
            return
        if not domain & bit:
            rows = why | self.domains.rows(self.variables.at(peg, color))
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        self.domains.reason[self.variables.at(peg, color)] = why
        self._update(peg, domain ^ bit, bit, why, is_settled=True)

    def _remove(self, peg: int, colors: int, why: int) -> None:
        """Remove colors, as bits, from the domain of a peg."""
        domain = self.domains.domain[peg]
        removed = domain & colors
        if not removed:
            return
        remaining = domain ^ removed
        if not remaining:
            rows = why | self._reason_of_peg(peg, ((1 << self.variables.colors) - 1) & ~colors)
            if self.domains.color(peg) is not None:
                rows |= self.domains.rows(peg * self.variables.colors + domain.bit_length())
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        for color in bits(removed):
            self.domains.reason[-self.variables.at(peg, color)] = why
        self._update(peg, removed, remaining, why, is_settled=False)

    def _update(self, peg: int, new: int, rest: int, why: int, *, is_settled: bool) -> None:
        """Update all data after the colors `new` are removed from a peg, which keeps `rest`.

        `is_settled` means that the color of the peg is given by a rule with the reason `why`.
        Otherwise the reason of a last remaining color is that all others are excluded.
        """
        variables = self.variables
        first_literal = peg * variables.colors + 1
        self.domains.domain[peg] = rest
        for color in bits(new):
            self.can[color] -= 1
            self.reason_can[color] |= why
            self._schedule(color)
            self._on_assign(first_literal + color, value=False, why=why)
        if not rest & (rest - 1):
            color = rest.bit_length() - 1
            if not is_settled:
                every = (1 << variables.colors) - 1
                why = self._reason_of_peg(peg, every ^ rest)
                self.domains.reason[first_literal + color] = why
            self.have[color] += 1
            self.reason_have[color] |= why
            self._schedule(color)
            self._on_assign(first_literal + color, value=True, why=why)
        self._on_reduce(peg)

    def _schedule(self, color: int) -> None:
        if not self.is_waiting[color]:
            self.is_waiting[color] = True
            self.colors.append(color)

    def _raise(self, color: int, low: int, why: int) -> None:
        """Raise the lower bound of the count of a color to `low`."""
        domains = self.domains
        if low <= domains.low[color]:
            return
        if low > domains.high[color]:
            raise ContradictionError(why | domains.reason_high[color], self._counts(color, low))
        domains.low[color] = low
        domains.reason_low[color] |= why
        self._schedule(color)

    def _lower(self, color: int, high: int, why: int) -> None:
        """Reduce the upper bound of the count of a color to `high`."""
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
        """Propagate between the pegs and the count of a color, in both directions."""
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
        """Propagate that all counts add up to the pegs, and return whether a bound changed."""
        domains, pegs = self.domains, self.variables.pegs
        if self.visited_colors > MAX_VISITED_COLORS:
            return False
        self.visited_colors += self.variables.colors
        max_above_low, max_below_high = pegs - sum(domains.low), sum(domains.high) - pegs
        reason_low = reason_high = 0
        changed = False
        for color, (low, high) in enumerate(zip(domains.low, domains.high, strict=True)):
            if high - low > max_above_low:
                reason_low = reason_low or reduce(or_, domains.reason_low)
                self._lower(color, low + max_above_low, reason_low)
                changed = True
            if high - low > max_below_high:
                reason_high = reason_high or reduce(or_, domains.reason_high)
                self._raise(color, high - max_below_high, reason_high)
                changed = True
        return changed
