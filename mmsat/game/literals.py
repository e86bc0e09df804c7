"""Literals: the yes-or-no statements about a code that every rule and every solver speaks in.

A game of n pegs and k colors has 2nk literals, numbered from 1:

    at(peg, color)      the peg has the color                       1 .. nk, the code variables
    least(color, count) at least `count` pegs have the color        nk + 1 .. 2nk

A negative number denies a literal. Several numbers in a tuple are one literal more, their
conjunction: all of them are true. Its members are distinct literals or denials, never conjunctions,
and it is not denied itself.

A rule is a list of constraints, and a constraint is "between low and high of these literals are
true".
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Literal: TypeAlias = int | tuple[int, ...]
"""A literal, its denial, or a conjunction of such."""


class CardinalityConstraint(NamedTuple):
    """Between `low` and `high` of these literals are true; the literals are distinct."""

    literals: tuple[Literal, ...]
    low: int
    high: int


class VariableMap(NamedTuple):
    """The numbering of a game's literals, and what they mean."""

    pegs: int
    colors: int

    def at(self, peg: int, color: int) -> int:
        """The literal that a peg (from 0) has a color (from 0)."""
        return peg * self.colors + color + 1

    def least(self, color: int, count: int) -> int:
        """The literal that at least `count` (1 to pegs) pegs have a color (from 0)."""
        return self.pegs * self.colors + color * self.pegs + count

    def is_at(self, literal: int) -> bool:
        """Whether a literal, or its denial, is about one peg rather than about a count."""
        return abs(literal) <= self.pegs * self.colors

    def peg_color(self, literal: int) -> tuple[int, int]:
        """The peg and the color of an `at` literal or its denial."""
        return divmod(abs(literal) - 1, self.colors)

    def color_count(self, literal: int) -> tuple[int, int]:
        """The color and the count of a `least` literal or its denial."""
        color, below = divmod(abs(literal) - self.pegs * self.colors - 1, self.pegs)
        return color, below + 1

    def name(self, literal: int) -> str:
        """A name for people and files, counting from 1: peg2color5, or color5least3."""
        if self.is_at(literal):
            peg, color = self.peg_color(literal)
            return f"peg{peg + 1}color{color + 1}"
        color, count = self.color_count(literal)
        return f"color{color + 1}least{count}"

    def holds(self, literal: Literal, code: Sequence[int]) -> bool:
        """Whether a literal, a denied one, or a conjunction is true of a code."""
        if isinstance(literal, tuple):
            return all(self.holds(member, code) for member in literal)
        if self.is_at(literal):
            peg, color = self.peg_color(literal)
            true = code[peg] == color
        else:
            color, count = self.color_count(literal)
            true = code.count(color) >= count
        return true == (literal > 0)

    def satisfies(self, code: Sequence[int], constraint: CardinalityConstraint) -> bool:
        """Whether a constraint is true of a code."""
        return (
            constraint.low
            <= sum(self.holds(literal, code) for literal in constraint.literals)
            <= constraint.high
        )
