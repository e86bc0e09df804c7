"""Literals: yes-or-no statements about a code, the common language of rules and solvers.

A game of n pegs and k colors has 2nk literals, numbered from 1:

    at(peg, color)      the peg has the color                       1 .. nk, the code variables
    least(color, count) at least `count` pegs have the color        nk + 1 .. 2nk

A negative number is the negation of a literal. A tuple of numbers is another kind of literal, a
conjunction: it is true if all of its members are. The members are distinct literals or negations,
never conjunctions, and a conjunction is never negated.

A rule is a list of constraints, and a constraint is "between low and high of these literals are
true".
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Literal: TypeAlias = int | tuple[int, ...]
"""A literal, its negation, or a conjunction of literals and negations."""


class CardinalityConstraint(NamedTuple):
    """The constraint that between `low` and `high` of the distinct `literals` are true."""

    literals: tuple[Literal, ...]
    low: int
    high: int


class VariableMap(NamedTuple):
    """The numbering of a game's literals, and their meaning."""

    pegs: int
    colors: int

    def at(self, peg: int, color: int) -> int:
        """Return the literal "a peg (from 0) has a color (from 0)"."""
        return peg * self.colors + color + 1

    def least(self, color: int, count: int) -> int:
        """Return the literal "at least `count` (1 to `pegs`) pegs have a color (from 0)"."""
        return self.pegs * self.colors + color * self.pegs + count

    def is_at(self, literal: int) -> bool:
        """Return whether a literal, or its negation, is an `at` literal, not a `least` literal."""
        return abs(literal) <= self.pegs * self.colors

    def peg_color(self, literal: int) -> tuple[int, int]:
        """Return the peg and the color (from 0) of an `at` literal or its negation."""
        return divmod(abs(literal) - 1, self.colors)

    def color_count(self, literal: int) -> tuple[int, int]:
        """Return the color (from 0) and the count of a `least` literal or its negation."""
        color, count_index = divmod(abs(literal) - self.pegs * self.colors - 1, self.pegs)
        return color, count_index + 1

    def name(self, literal: int) -> str:
        """Return a name for display and files, counting from 1: peg2color5, or color5least3."""
        if self.is_at(literal):
            peg, color = self.peg_color(literal)
            return f"peg{peg + 1}color{color + 1}"
        color, count = self.color_count(literal)
        return f"color{color + 1}least{count}"

    def holds(self, literal: Literal, code: Sequence[int]) -> bool:
        """Return whether a literal, a negation or a conjunction is true of a code."""
        if isinstance(literal, tuple):
            return all(self.holds(member, code) for member in literal)
        if self.is_at(literal):
            peg, color = self.peg_color(literal)
            is_true = code[peg] == color
        else:
            color, count = self.color_count(literal)
            is_true = code.count(color) >= count
        return is_true == (literal > 0)

    def satisfies(self, code: Sequence[int], constraint: CardinalityConstraint) -> bool:
        """Return whether a code satisfies a constraint."""
        return (
            constraint.low
            <= sum(self.holds(literal, code) for literal in constraint.literals)
            <= constraint.high
        )
