"""Domains of pegs and of counts of colors: their reasons, their propagation, and refutations.

Each peg has a set of possible colors, and each color has bounds of its count, the number of pegs
that have it. A reason is the set of rows that imply a conclusion, as an integer with bit r for row
r, so that the union of reasons is one operation. The reason is empty for conclusions from the game
alone.

`DomainPropagator` propagates between the domains of pegs and the bounds of counts, without
constraints, by these rules:

- A peg has its last possible color.
- The count of a color is at least the number of pegs that have it, and at most the number of pegs
  that can have it. If a bound of the count is reached, all undecided pegs have the color, or none.
- All counts add up to the number of pegs, so the bounds of the other counts bound each count.

Subclasses are notified of changes by the methods `_on_assign`, `_on_reduce` and `_on_bound`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

from mmsat._util.text import noun_phrase, plural
from mmsat.constraints.parities import Certificate, Summable
from mmsat.game.row import Code
from mmsat.game.space import CardinalityConstraint, VariableMap


class ReasonedConstraint(NamedTuple):
    """A constraint, and the rows (as bits) that imply it together with the rules of the game."""

    constraint: CardinalityConstraint
    rows: int


@dataclass(slots=True, eq=False)
class Domains:
    """The possible colors of pegs and bounds of counts, with reasons. Steps change copies only."""

    variables: VariableMap
    domain: list[int]
    """The possible colors of each peg, as bits."""
    low: list[int]
    """The lower bound of the count of each color."""
    high: list[int]
    """The upper bound of the count of each color."""
    reason: dict[int, int]
    """The reasons of `at` literals and negations that were concluded, by literal."""
    reason_low: list[int]
    reason_high: list[int]

    @classmethod
    def full(cls, variables: VariableMap) -> Domains:
        """Return domains in which every peg can have every color."""
        pegs, colors = variables
        reason = {variables.at(peg, 0): 0 for peg in range(pegs)} if colors == 1 else {}
        return cls(
            variables,
            [(1 << colors) - 1] * pegs,
            [0] * colors,
            [pegs] * colors,
            reason,
            [0] * colors,
            [0] * colors,
        )

    def copy(self) -> Domains:
        """Return a copy that can be changed."""
        return Domains(
            self.variables,
            self.domain[:],
            self.low[:],
            self.high[:],
            dict(self.reason),
            self.reason_low[:],
            self.reason_high[:],
        )

    def color(self, peg: int) -> int | None:
        """Return the color of a peg if only one is possible, else None."""
        domain = self.domain[peg]
        return None if domain & (domain - 1) else domain.bit_length() - 1

    def value(self, literal: int) -> bool | None:
        """Return whether a literal or its negation is true, or None if it is undecided."""
        variables, literal_index = self.variables, abs(literal) - 1
        if (
            literal_index < variables.pegs * variables.colors
        ):  # called for each literal that is read
            peg, color = divmod(literal_index, variables.colors)
            bit, domain = 1 << color, self.domain[peg]
            is_true = False if not domain & bit else True if domain == bit else None
        else:
            color, count = variables.color_count(literal)
            is_true = (
                True if self.low[color] >= count else False if self.high[color] < count else None
            )
        return is_true if is_true is None or literal > 0 else not is_true

    def rows(self, literal: int) -> int:
        """Return the reason, as bits, of a decided literal, whether it is true or false."""
        if not self.variables.is_at(literal):
            color, count = self.variables.color_count(literal)
            at_least = self.low[color] >= count
            return self.reason_low[color] if at_least else self.reason_high[color]
        peg, color = self.variables.peg_color(literal)
        if self.domain[peg] >> color & 1 or -abs(literal) not in self.reason:
            single_color = self.color(peg)
            return self.reason[
                self.variables.at(peg, color if single_color is None else single_color)
            ]
        return self.reason[-abs(literal)]

    def literals(self) -> Iterator[int]:
        """Yield the known literals: the colors of decided pegs, and excluded colors of others."""
        variables = self.variables
        all_colors = (1 << variables.colors) - 1
        for peg, domain in enumerate(self.domain):
            if domain == all_colors and variables.colors > 1:
                continue
            single_color = self.color(peg)
            if single_color is not None:
                yield variables.at(peg, single_color)
            else:
                yield from (-variables.at(peg, color) for color in bits(all_colors & ~domain))

    def allows(self, code: Code) -> bool:
        """Return whether the colors and counts of a code are in the domains."""
        if not all(domain >> color & 1 for domain, color in zip(self.domain, code, strict=True)):
            return False
        counts = [0] * self.variables.colors
        for color in code:
            counts[color] += 1
        return all(map(int.__le__, self.low, counts)) and all(map(int.__le__, counts, self.high))

    def tally(self) -> tuple[int, int, int]:
        """Return the numbers of decided pegs, excluded colors of pegs, and excluded counts."""
        pegs = sum(not domain & (domain - 1) for domain in self.domain)
        excluded_colors = sum(self.variables.colors - domain.bit_count() for domain in self.domain)
        return (
            pegs,
            excluded_colors,
            sum(self.low) + sum(self.variables.pegs - high for high in self.high),
        )


def bits(number: int) -> Iterator[int]:
    """Yield the indices of the bits that are set, in ascending order."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


MAX_LISTED_ROWS = 12
"""The maximum number of rows that a sentence lists."""


@dataclass(frozen=True, slots=True)
class Infeasibility:
    """A refutation: rows that contradict each other or the game; they need not be minimal."""

    step: str
    """The presolve step that found it."""
    rows: tuple[int, ...]
    """The contradictory rows, from 0, ascending; empty if the game itself has no code."""
    lines: tuple[str, ...]
    """The reason in sentences."""
    certificate: Certificate | None = None
    """The contradictory combination of `equations`, if the refutation is one."""
    equations: Summable | None = None
    """The equations that the certificate combines: `certificate.proves(equations)` is True."""

    def __str__(self) -> str:
        return "\n".join(self.lines)


def name_rows(rows: int) -> str:
    """Return a phrase for rows given as bits; numbers start at 1: `rows 1 and 3`."""
    numbers = [str(row + 1) for row in bits(rows)]
    if not numbers:
        return "the rules of the game"
    if len(numbers) > MAX_LISTED_ROWS:
        numbers = [*numbers[:MAX_LISTED_ROWS], f"{len(numbers) - MAX_LISTED_ROWS} more"]
    return noun_phrase("row", numbers)


def explain_contradiction(step: str, rows: int, leaving: str) -> Infeasibility:
    """Return the refutation by rows, given as bits.

    `leaving` completes a sentence with several rows as its subject: `leave no color for peg 1`.
    """
    if rows.bit_count() == 1:
        verb, remainder = leaving.split(" ", 1)
        leaving = f"{verb}s {remainder}"
    sentence = f"{name_rows(rows)} {leaving}."
    return Infeasibility(step, tuple(bits(rows)), (sentence[0].upper() + sentence[1:],))


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
