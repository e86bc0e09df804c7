"""Facts: the yes-or-no statements about a code that every rule and every solver speaks in.

A game of n pegs and k colors has 2nk facts, numbered from 1:

    at(peg, color)      the peg has the color                       1 .. nk, the code variables
    least(color, count) at least `count` pegs have the color        nk + 1 .. 2nk

A negative number denies a fact. Several numbers in a tuple are one fact more, their conjunction:
all of them are true. Its members are distinct facts or denials, never conjunctions, and it is not
denied itself.

A rule is a list of claims, and a claim is "between low and high of these facts are true".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Fact: TypeAlias = int | tuple[int, ...]
"""A fact, its denial, or a conjunction of such."""


class Claim(NamedTuple):
    """Between `low` and `high` of these facts are true; the facts are distinct."""

    facts: tuple[Fact, ...]
    low: int
    high: int


class Facts(NamedTuple):
    """The numbering of a game's facts."""

    pegs: int
    colors: int

    def at(self, peg: int, color: int) -> int:
        """The fact that a peg (from 0) has a color (from 0)."""
        return peg * self.colors + color + 1

    def least(self, color: int, count: int) -> int:
        """The fact that at least `count` (1 to pegs) pegs have a color (from 0)."""
        return self.pegs * self.colors + color * self.pegs + count

    def is_at(self, fact: int) -> bool:
        """Whether a fact, or its denial, is about one peg rather than about a count."""
        return abs(fact) <= self.pegs * self.colors

    def peg_color(self, fact: int) -> tuple[int, int]:
        """The peg and the color of an `at` fact or its denial."""
        return divmod(abs(fact) - 1, self.colors)

    def color_count(self, fact: int) -> tuple[int, int]:
        """The color and the count of a `least` fact or its denial."""
        color, below = divmod(abs(fact) - self.pegs * self.colors - 1, self.pegs)
        return color, below + 1

    def name(self, fact: int) -> str:
        """A name for people and files, counting from 1: peg2color5, or color5least3."""
        if self.is_at(fact):
            peg, color = self.peg_color(fact)
            return f"peg{peg + 1}color{color + 1}"
        color, count = self.color_count(fact)
        return f"color{color + 1}least{count}"

    def holds(self, fact: Fact, code: Sequence[int]) -> bool:
        """Whether a fact, a denied one, or a conjunction is true of a code."""
        if isinstance(fact, tuple):
            return all(self.holds(member, code) for member in fact)
        if self.is_at(fact):
            peg, color = self.peg_color(fact)
            true = code[peg] == color
        else:
            color, count = self.color_count(fact)
            true = code.count(color) >= count
        return true == (fact > 0)

    def satisfies(self, code: Sequence[int], claim: Claim) -> bool:
        """Whether a claim is true of a code."""
        return claim.low <= sum(self.holds(fact, code) for fact in claim.facts) <= claim.high
