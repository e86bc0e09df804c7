"""The domains of pegs and counts with the rows that they follow from, and what refutes a board.

For each peg the colors that are left, for each color the bounds of its number of pegs. Rows are
bits of a number: bit r stands for row r, so that joining reasons is one operation. What follows
from the game alone has no rows.
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
    """A constraint, and the rows that it follows from together with the game, as bits."""

    constraint: CardinalityConstraint
    rows: int


@dataclass(slots=True, eq=False)
class Domains:
    """Domains with reasons: colors left, counts left, and why. Steps change copies only."""

    variables: VariableMap
    domain: list[int]
    """By peg: the colors that it may still have, as bits."""
    low: list[int]
    """By color: so many pegs at least."""
    high: list[int]
    """By color: so many pegs at most."""
    reason: dict[int, int]
    """By literal of a peg or its denial, as it was found: the rows that it follows from."""
    reason_low: list[int]
    reason_high: list[int]

    @classmethod
    def full(cls, variables: VariableMap) -> Domains:
        """Every peg may have every color."""
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
        """The same, to be changed."""
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
        """The one color that a peg has left, if it is one."""
        left = self.domain[peg]
        return None if left & (left - 1) else left.bit_length() - 1

    def value(self, literal: int) -> bool | None:
        """Whether a literal or its denial is true, if that is known."""
        variables, place = self.variables, abs(literal) - 1
        if place < variables.pegs * variables.colors:  # called for each literal that is read
            peg, color = divmod(place, variables.colors)
            bit, left = 1 << color, self.domain[peg]
            true = False if not left & bit else True if left == bit else None
        else:
            color, count = variables.color_count(literal)
            true = True if self.low[color] >= count else False if self.high[color] < count else None
        return true if true is None or literal > 0 else not true

    def rows(self, literal: int) -> int:
        """The rows that a known literal, or the known denial of it, follows from."""
        if not self.variables.is_at(literal):
            color, count = self.variables.color_count(literal)
            at_least = self.low[color] >= count
            return self.reason_low[color] if at_least else self.reason_high[color]
        peg, color = self.variables.peg_color(literal)
        if self.domain[peg] >> color & 1 or -abs(literal) not in self.reason:
            only = self.color(peg)
            return self.reason[self.variables.at(peg, color if only is None else only)]
        return self.reason[-abs(literal)]

    def literals(self) -> Iterator[int]:
        """The literals that are known: the color of some pegs, the colors that others have not."""
        variables = self.variables
        every = (1 << variables.colors) - 1
        for peg, left in enumerate(self.domain):
            if left == every and variables.colors > 1:
                continue
            only = self.color(peg)
            if only is not None:
                yield variables.at(peg, only)
            else:
                yield from (-variables.at(peg, color) for color in bits(every & ~left))

    def allows(self, code: Code) -> bool:
        """Whether nothing that is known speaks against a code."""
        if not all(left >> color & 1 for left, color in zip(self.domain, code, strict=True)):
            return False
        counts = [0] * self.variables.colors
        for color in code:
            counts[color] += 1
        return all(map(int.__le__, self.low, counts)) and all(map(int.__le__, counts, self.high))

    def tally(self) -> tuple[int, int, int]:
        """How much is known: pegs with one color, colors ruled out, and bounds of counts."""
        pegs = sum(not left & (left - 1) for left in self.domain)
        places = sum(self.variables.colors - left.bit_count() for left in self.domain)
        return pegs, places, sum(self.low) + sum(self.variables.pegs - high for high in self.high)


def bits(number: int) -> Iterator[int]:
    """The places of the bits that are set, in order."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


SHOWN = 12
"""How many rows are named in a sentence."""


@dataclass(frozen=True, slots=True)
class Infeasibility:
    """Rows that contradict each other, or the game; not always a minimal choice."""

    step: str
    """The step that found it."""
    rows: tuple[int, ...]
    """From 0, ascending; with none of them, the game itself has no code."""
    lines: tuple[str, ...]
    """The reason in sentences."""
    certificate: Certificate | None = None
    """Where equations were added up: their combination."""
    equations: Summable | None = None
    """And the equations, for `certificate.proves(equations)`."""

    def __str__(self) -> str:
        return "\n".join(self.lines)


def name_rows(rows: int) -> str:
    """Rows, as bits, in words and counted from 1: `rows 1 and 3`."""
    numbers = [str(row + 1) for row in bits(rows)]
    if not numbers:
        return "the rules of the game"
    if len(numbers) > SHOWN:
        numbers = [*numbers[:SHOWN], f"{len(numbers) - SHOWN} more"]
    return noun_phrase("row", numbers)


def explain_contradiction(step: str, rows: int, leaving: str) -> Infeasibility:
    """The refutation by rows, as bits, that do something impossible: `leave no color for peg 1`."""
    if rows.bit_count() == 1:
        verb, rest = leaving.split(" ", 1)
        leaving = f"{verb}s {rest}"
    sentence = f"{name_rows(rows)} {leaving}."
    return Infeasibility(step, tuple(bits(rows)), (sentence[0].upper() + sentence[1:],))
