"""Domains of pegs and counts: the possible colors and bounds, with reasons, and their propagation.

Each peg has a set of possible colors, and each color has bounds of its count, the number of pegs
that have it. A reason is the set of rows that imply a conclusion. It is an integer with bit r for
row r, so that the union of reasons is one operation. Conclusions from the game alone have reason 0.

`DomainPropagator` propagates between the domains of pegs and the bounds of counts, without
constraints, by these rules:

- If one color of a peg remains, the peg has this color.
- The count of a color is at least the number of pegs that have it, and at most the number of pegs
  that can have it. If all possible pegs are needed, all of them have the color. If no further peg
  is allowed, no undecided peg has it.
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
from mmsat.game import Code
from mmsat.game.space import CardinalityConstraint, VariableMap


class ReasonedConstraint(NamedTuple):
    """A constraint with its reason."""

    constraint: CardinalityConstraint
    rows: int
    """The rows, as bits, that imply the constraint together with the rules of the game."""


@dataclass(slots=True, eq=False)
class Domains:
    """The possible colors of pegs and the bounds of counts, with reasons.

    Presolve steps never change the domains of a problem. They change a copy.
    """

    variables: VariableMap
    possible_colors: list[int]
    """The possible colors of each peg, as bits."""
    low: list[int]
    """The lower bound of the count of each color."""
    high: list[int]
    """The upper bound of the count of each color."""
    reason: dict[int, int]
    """The reason of each concluded `at` literal or negated `at` literal."""
    reason_low: list[int]
    """The reason of each lower bound."""
    reason_high: list[int]
    """The reason of each upper bound."""

    @classmethod
    def full(cls, variables: VariableMap) -> Domains:
        """Return domains in which every peg can have every color."""
        pegs, colors = variables
        # If there is only one color, the game alone implies the color of each peg.
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
            self.possible_colors[:],
            self.low[:],
            self.high[:],
            dict(self.reason),
            self.reason_low[:],
            self.reason_high[:],
        )

    def color(self, peg: int) -> int | None:
        """Return the color of a peg if only one is possible, otherwise None."""
        domain = self.possible_colors[peg]
        return None if domain & (domain - 1) else domain.bit_length() - 1

    def value(self, literal: int) -> bool | None:
        """Return the truth value of a literal, which may be negated, or None if it is undecided."""
        variables, literal_index = self.variables, abs(literal) - 1
        # The case of `at` literals is inlined: this method is called for each literal that is read.
        if literal_index < variables.pegs * variables.colors:
            peg, color = divmod(literal_index, variables.colors)
            bit, domain = 1 << color, self.possible_colors[peg]
            is_true = False if not domain & bit else True if domain == bit else None
        else:
            color, count = variables.color_count(literal)
            is_true = (
                True if self.low[color] >= count else False if self.high[color] < count else None
            )
        return is_true if is_true is None or literal > 0 else not is_true

    def reason_of(self, literal: int) -> int:
        """Return the reason for the value of a decided literal."""
        if not self.variables.is_at(literal):
            color, count = self.variables.color_count(literal)
            is_true = self.low[color] >= count
            return self.reason_low[color] if is_true else self.reason_high[color]
        peg, color = self.variables.peg_color(literal)
        # If the literal is true, or false without its own reason, the color of the peg implies it.
        if self.possible_colors[peg] >> color & 1 or -abs(literal) not in self.reason:
            single_color = self.color(peg)
            return self.reason[
                self.variables.at(peg, color if single_color is None else single_color)
            ]
        return self.reason[-abs(literal)]

    def literals(self) -> Iterator[int]:
        """Yield the known literals: colors of decided pegs, and excluded colors of other pegs."""
        variables = self.variables
        all_colors = (1 << variables.colors) - 1
        for peg, domain in enumerate(self.possible_colors):
            if domain == all_colors and variables.colors > 1:
                continue
            single_color = self.color(peg)
            if single_color is not None:
                yield variables.at(peg, single_color)
            else:
                yield from (-variables.at(peg, color) for color in bits(all_colors & ~domain))

    def allows(self, code: Code) -> bool:
        """Return whether the colors and counts of a code are in the domains."""
        if not all(
            domain >> color & 1 for domain, color in zip(self.possible_colors, code, strict=True)
        ):
            return False
        counts = [0] * self.variables.colors
        for color in code:
            counts[color] += 1
        return all(map(int.__le__, self.low, counts)) and all(map(int.__le__, counts, self.high))

    def tally(self) -> tuple[int, int, int]:
        """Return the numbers of decided pegs, of excluded colors, and of excluded counts.

        `propagate` describes what it has changed by the differences of these numbers.
        """
        pegs = sum(not domain & (domain - 1) for domain in self.possible_colors)
        excluded_colors = sum(
            self.variables.colors - domain.bit_count() for domain in self.possible_colors
        )
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
"""Maximum number of rows that a sentence lists."""


@dataclass(frozen=True, slots=True)
class Infeasibility:
    """A refutation: rows that contradict each other or the game. They need not be minimal."""

    step: str
    """The presolve step that found the refutation."""
    rows: tuple[int, ...]
    """The contradictory rows, from 0, ascending; empty if the game itself has no code."""
    lines: tuple[str, ...]
    """Sentences that explain the refutation."""
    certificate: Certificate | None = None
    """The contradictory combination of `equations`; None if propagation refuted the problem."""
    equations: Summable | None = None
    """The equations that the certificate combines: `certificate.proves(equations)` is True."""

    def __str__(self) -> str:
        return "\n".join(self.lines)


def name_rows(rows: int) -> str:
    """Return a phrase for rows, given as bits, with numbers from 1: `rows 1 and 3`."""
    numbers = [str(row + 1) for row in bits(rows)]
    if not numbers:
        return "the rules of the game"
    if len(numbers) > MAX_LISTED_ROWS:
        numbers = [*numbers[:MAX_LISTED_ROWS], f"{len(numbers) - MAX_LISTED_ROWS} more"]
    return noun_phrase("row", numbers)


def explain_contradiction(step: str, rows: int, predicate: str) -> Infeasibility:
    """Return the refutation by rows, given as bits.

    `predicate` completes a sentence whose subject is several rows: `leave no color for peg 1`.
    """
    if rows.bit_count() == 1:
        verb, remainder = predicate.split(" ", 1)
        predicate = f"{verb}s {remainder}"
    sentence = f"{name_rows(rows)} {predicate}."
    return Infeasibility(step, tuple(bits(rows)), (sentence[0].upper() + sentence[1:],))


MAX_VISITED_COLORS = 2_000_000
"""The rule about the sum of all counts is no longer applied after it has visited this many colors:
each application visits all colors, and there can be many applications."""


class ContradictionError(Exception):
    """Raised if no code is possible.

    `rows` are contradictory rows, as bits. `predicate` completes a sentence about them: `leave no
    color for peg 1`.
    """

    def __init__(self, rows: int, predicate: str) -> None:
        super().__init__(predicate)
        self.rows = rows
        self.predicate = predicate


class DomainPropagator(ABC):
    """Reduces domains in place; raises ContradictionError if a domain becomes empty.

    The parameter `reason` of methods is the reason of a conclusion, a set of rows as bits.
    """

    def __init__(self, domains: Domains) -> None:
        """Set the domains, which are changed in place."""
        self.domains = domains
        self.variables = domains.variables
        pegs, colors = domains.variables
        self.num_possible = [0] * colors
        """The number of pegs that can have each color."""
        self.num_certain = [0] * colors
        """The number of pegs that are known to have each color."""
        self.reason_possible = [0] * colors
        """For each color, the reasons why the pegs that cannot have it are excluded."""
        self.reason_certain = [0] * colors
        """For each color, the reasons why the pegs that are known to have it do so."""
        for peg, domain in enumerate(domains.possible_colors):
            for color in bits(domain):
                self.num_possible[color] += 1
            single_color = domains.color(peg)
            if single_color is not None:
                self.num_certain[single_color] += 1
        if any(count < pegs for count in self.num_possible):
            self._restore_reasons()
        self.color_queue: deque[int] = deque(range(colors))
        """The colors whose pegs or counts have changed."""
        self.is_queued = [True] * colors
        self.visited_colors = 0
        """The number of colors that the rule of the sum of all counts has visited."""

    @abstractmethod
    def _on_assign(self, literal: int, *, value: bool, reason: int) -> None:
        """React to an `at` literal that has become true or false."""

    @abstractmethod
    def _on_reduce(self, peg: int) -> None:
        """React to a smaller domain of a peg."""

    @abstractmethod
    def _on_bound(self, color: int) -> None:
        """React to the bounds of the count of a color, which may have changed."""

    def _propagate_color(self) -> bool:
        """Propagate one color of the queue, or the sum of all counts if the queue is empty.

        Return whether the propagation has to continue.
        """
        if not self.color_queue:
            return self._propagate_sum()
        color = self.color_queue.popleft()
        self.is_queued[color] = False
        self._propagate_counts(color)
        return True

    def _restore_reasons(self) -> None:
        """Initialize the reasons of `num_possible` and `num_certain` from those of the domains."""
        variables, domains = self.variables, self.domains
        for literal, rows in domains.reason.items():
            _, color = variables.peg_color(literal)
            if literal < 0:
                self.reason_possible[color] |= rows
            else:
                self.reason_certain[color] |= rows
                for other_color in range(variables.colors):
                    if other_color != color:
                        self.reason_possible[other_color] |= rows

    def _enforce(self, literal: int, reason: int) -> None:
        """Make a literal, which may be negated, true."""
        variables = self.variables
        if variables.is_at(literal):
            peg, color = variables.peg_color(literal)
            if literal > 0:
                self._assign(peg, color, reason)
            else:
                self._remove(peg, 1 << color, reason)
        else:
            color, count = variables.color_count(literal)
            if literal > 0:
                self._raise_low(color, count, reason)
            else:
                self._lower_high(color, count - 1, reason)

    def _reason_of_peg(self, peg: int, colors: int) -> int:
        """Return the reason why a peg has none of some colors, given as bits."""
        reason = 0
        for color in bits(colors):
            reason |= self.domains.reason_of(self.variables.at(peg, color))
        return reason

    def _assign(self, peg: int, color: int, reason: int) -> None:
        """Set the color of a peg."""
        domain, bit = self.domains.possible_colors[peg], 1 << color
        if domain == bit:
            return
        if not domain & bit:
            rows = reason | self.domains.reason_of(self.variables.at(peg, color))
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        self.domains.reason[self.variables.at(peg, color)] = reason
        self._update(peg, domain ^ bit, bit, reason, is_assigned=True)

    def _remove(self, peg: int, colors: int, reason: int) -> None:
        """Remove colors, as bits, from the domain of a peg."""
        domain = self.domains.possible_colors[peg]
        removed = domain & colors
        if not removed:
            return
        remaining = domain ^ removed
        if not remaining:
            rows = reason | self._reason_of_peg(peg, ((1 << self.variables.colors) - 1) & ~colors)
            single_color = self.domains.color(peg)
            if single_color is not None:  # the reason for the only color of the peg counts, too
                rows |= self.domains.reason_of(self.variables.at(peg, single_color))
            raise ContradictionError(rows, f"leave no color for peg {peg + 1}")
        for color in bits(removed):
            self.domains.reason[-self.variables.at(peg, color)] = reason
        self._update(peg, removed, remaining, reason, is_assigned=False)

    def _update(
        self, peg: int, removed: int, remaining: int, reason: int, *, is_assigned: bool
    ) -> None:
        """Update all data after colors are removed from the domain of a peg.

        If `is_assigned`, a rule has assigned the remaining color for the given reason. Otherwise,
        the reason of a single remaining color is that all other colors are excluded.
        """
        variables = self.variables
        first_literal = variables.at(peg, 0)  # the literal of color c is this number plus c
        self.domains.possible_colors[peg] = remaining
        for color in bits(removed):
            self.num_possible[color] -= 1
            self.reason_possible[color] |= reason
            self._enqueue(color)
            self._on_assign(first_literal + color, value=False, reason=reason)
        if not remaining & (remaining - 1):
            color = remaining.bit_length() - 1
            if not is_assigned:
                all_colors = (1 << variables.colors) - 1
                reason = self._reason_of_peg(peg, all_colors ^ remaining)
                self.domains.reason[first_literal + color] = reason
            self.num_certain[color] += 1
            self.reason_certain[color] |= reason
            self._enqueue(color)
            self._on_assign(first_literal + color, value=True, reason=reason)
        self._on_reduce(peg)

    def _enqueue(self, color: int) -> None:
        """Add a color to the queue."""
        if not self.is_queued[color]:
            self.is_queued[color] = True
            self.color_queue.append(color)

    def _raise_low(self, color: int, low: int, reason: int) -> None:
        """Raise the lower bound of the count of a color to `low`."""
        domains = self.domains
        if low <= domains.low[color]:
            return
        if low > domains.high[color]:
            raise ContradictionError(
                reason | domains.reason_high[color], self._describe_bounds(color, low)
            )
        domains.low[color] = low
        domains.reason_low[color] |= reason
        self._enqueue(color)

    def _lower_high(self, color: int, high: int, reason: int) -> None:
        """Reduce the upper bound of the count of a color to `high`."""
        domains = self.domains
        if high >= domains.high[color]:
            return
        if high < domains.low[color]:
            predicate = self._describe_bounds(color, domains.low[color], high)
            raise ContradictionError(reason | domains.reason_low[color], predicate)
        domains.high[color] = high
        domains.reason_high[color] |= reason
        self._enqueue(color)

    def _describe_bounds(self, color: int, low: int, high: int | None = None) -> str:
        """Return the predicate of a contradiction between bounds of the count of a color."""
        high = self.domains.high[color] if high is None else high
        return f"give color {color + 1} at least {low} {plural('peg', low or 1)} and at most {high}"

    def _propagate_counts(self, color: int) -> None:
        """Propagate from the pegs of a color to its count, and back."""
        domains = self.domains
        self._raise_low(color, self.num_certain[color], self.reason_certain[color])
        self._lower_high(color, self.num_possible[color], self.reason_possible[color])
        low, high = domains.low[color], domains.high[color]
        self._on_bound(color)
        if self.num_certain[color] == self.num_possible[color]:
            return
        if low == self.num_possible[color]:
            reason = domains.reason_low[color] | self.reason_possible[color]
            for peg in range(self.variables.pegs):
                if domains.possible_colors[peg] >> color & 1:
                    self._assign(peg, color, reason)
        elif high == self.num_certain[color]:
            reason = domains.reason_high[color] | self.reason_certain[color]
            bit = 1 << color
            for peg in range(self.variables.pegs):
                if domains.possible_colors[peg] & bit and domains.possible_colors[peg] != bit:
                    self._remove(peg, bit, reason)

    def _propagate_sum(self) -> bool:
        """Propagate the sum of all counts, the number of pegs; return whether a bound changed."""
        domains, pegs = self.domains, self.variables.pegs
        if self.visited_colors > MAX_VISITED_COLORS:
            return False
        self.visited_colors += self.variables.colors
        # No count can be further above its lower bound, or below its upper bound, than this.
        max_above_low, max_below_high = pegs - sum(domains.low), sum(domains.high) - pegs
        reason_low = reason_high = 0
        is_changed = False
        for color, (low, high) in enumerate(zip(domains.low, domains.high, strict=True)):
            if high - low > max_above_low:
                reason_low = reason_low or reduce(or_, domains.reason_low)
                self._lower_high(color, low + max_above_low, reason_low)
                is_changed = True
            if high - low > max_below_high:
                reason_high = reason_high or reduce(or_, domains.reason_high)
                self._raise_low(color, high - max_below_high, reason_high)
                is_changed = True
        return is_changed
