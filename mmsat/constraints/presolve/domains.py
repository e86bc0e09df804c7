"""The domains of pegs and counts with their reasons, and the explanation of a contradiction.

Each peg has a set of possible colors, and each color has bounds of its count, the number of pegs
that have it. A reason is a set of rows, as an integer with bit r for row r, so that the union of
reasons is one operation. The reason is empty for conclusions from the game alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mmsat.constraints.algebra.certificate import Certificate, Summable
from mmsat.english import noun_phrase
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code


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
