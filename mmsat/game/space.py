"""Code spaces, literals about codes, and cardinality constraints.

A code space (`Space`) is the set of sequences of colors that are codes of a game.

A literal is a Boolean statement about a code. A game of n pegs and k colors has 2nk literals,
numbered from 1:

    at(peg, color)      the peg has the color                       1 .. nk, the code variables
    least(color, count) at least `count` pegs have the color        nk + 1 .. 2nk

A negative number is the negation of a literal. A tuple of numbers is a conjunction: it is true if
all of its members are true. The members are distinct literals or negations, not conjunctions. A
conjunction is never negated.

A cardinality constraint states that between `low` and `high` of its literals are true.
"""

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any, ClassVar, NamedTuple, TypeAlias

from mmsat.game import Code, GameRule

Literal: TypeAlias = int | tuple[int, ...]
"""A literal, its negation, or a conjunction of literals and negations."""


class CardinalityConstraint(NamedTuple):
    """The constraint that between `low` and `high` of the distinct `literals` are true."""

    literals: tuple[Literal, ...]
    """Numbers of literals of a `VariableMap`, or tuples of numbers, which are conjunctions."""
    low: int
    """Minimum number of true literals."""
    high: int
    """Maximum number of true literals."""

    @property
    def is_trivial(self) -> bool:
        """Whether the bounds allow any number of true literals."""
        return self.low <= 0 and self.high >= len(self.literals)

    @property
    def is_impossible(self) -> bool:
        """Whether the bounds allow no number of true literals."""
        return self.low > len(self.literals) or self.high < max(self.low, 0)


class VariableMap(NamedTuple):
    """The numbering of the literals of a game, and their meaning.

    A literal is a statement about a code: "peg 1 has color 2" (`at`), or "at least 2 pegs have
    color 3" (`least`). Literals are numbered from 1. A negative number is a negation.

    Examples
    --------
    >>> variables = mmsat.Game.parse("4x6").variables
    >>> literal = variables.at(1, 4)
    >>> literal, variables.name(literal), variables.holds(-literal, (0, 4, 0, 0))
    (11, 'peg2color5', False)
    """

    pegs: int
    """Number of pegs."""
    colors: int
    """Number of colors."""

    def at(self, peg: int, color: int) -> int:
        """Return the literal "a peg has a color".

        Parameters
        ----------
        peg : int
            The peg, from 0.
        color : int
            The color, from 0.

        Returns
        -------
        int
            The literal: 1 + `color` + `colors` * `peg`.
        """
        return peg * self.colors + color + 1

    def least(self, color: int, count: int) -> int:
        """Return the literal "at least `count` pegs have a color".

        Parameters
        ----------
        color : int
            The color, from 0.
        count : int
            Number of pegs, from 1 to `pegs`.

        Returns
        -------
        int
            The literal.
        """
        return self.pegs * self.colors + color * self.pegs + count

    def is_at(self, literal: int) -> bool:
        """Return whether a literal or its negation is an `at` literal, not a `least` literal.

        Parameters
        ----------
        literal : int
            A literal, negative if negated.

        Returns
        -------
        bool
            True for an `at` literal.
        """
        return abs(literal) <= self.pegs * self.colors

    def peg_color(self, literal: int) -> tuple[int, int]:
        """Return the peg and the color of an `at` literal or its negation.

        Parameters
        ----------
        literal : int
            A literal, negative if negated.

        Returns
        -------
        peg : int
            The peg, from 0.
        color : int
            The color, from 0.
        """
        return divmod(abs(literal) - 1, self.colors)

    def color_count(self, literal: int) -> tuple[int, int]:
        """Return the color and the count of a `least` literal or its negation.

        Parameters
        ----------
        literal : int
            A literal, negative if negated.

        Returns
        -------
        color : int
            The color, from 0.
        count : int
            The number of pegs, from 1.
        """
        color, count_index = divmod(abs(literal) - self.pegs * self.colors - 1, self.pegs)
        return color, count_index + 1

    def name(self, literal: int) -> str:
        """Return the name of a literal for display and files.

        Parameters
        ----------
        literal : int
            A literal. The name of its negation is the same.

        Returns
        -------
        str
            The name, with peg and color from 1: "peg2color5" or "color5least3".
        """
        if self.is_at(literal):
            peg, color = self.peg_color(literal)
            return f"peg{peg + 1}color{color + 1}"
        color, count = self.color_count(literal)
        return f"color{color + 1}least{count}"

    def holds(self, literal: Literal, code: Sequence[int]) -> bool:
        """Return whether a literal, a negation or a conjunction is true of a code.

        Parameters
        ----------
        literal : int or tuple of int
            A literal, negative if negated, or a conjunction of these.
        code : sequence of int
            One color from 0 for each peg.

        Returns
        -------
        bool
            True if it holds.
        """
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
        """Return whether a code satisfies a constraint.

        Parameters
        ----------
        code : sequence of int
            One color from 0 for each peg.
        constraint : CardinalityConstraint
            The constraint.

        Returns
        -------
        bool
            True if the number of true literals is within the bounds.
        """
        return (
            constraint.low
            <= sum(self.holds(literal, code) for literal in constraint.literals)
            <= constraint.high
        )


class Space(GameRule):
    """The set of codes of a game. By default, all sequences of colors are codes."""

    has_repeats: ClassVar[bool] = True
    """Whether several pegs of a code may have the same color."""

    def unfit(self, pegs: int, colors: int) -> str | None:
        """Return the rule that excludes games of this size with this space.

        Parameters
        ----------
        pegs : int
            Number of pegs.
        colors : int
            Number of colors.

        Returns
        -------
        str or None
            The rule; None if the size is possible.
        """
        return None

    @abstractmethod
    def size(self, pegs: int, colors: int) -> int:
        """Return the number of codes.

        Parameters
        ----------
        pegs : int
            Number of pegs.
        colors : int
            Number of colors.

        Returns
        -------
        int
            The exact number, of any size.
        """

    def iterate(self, pegs: int, colors: int) -> Iterator[Code]:
        """Return an iterator over all codes in lexicographic order.

        Parameters
        ----------
        pegs : int
            Number of pegs.
        colors : int
            Number of colors.

        Returns
        -------
        iterator of tuple of int
            The codes, with colors from 0.
        """
        sequences = product(range(colors), repeat=pegs)
        return iter(self.table() or filter(self.contains, sequences))

    def draw(self, pegs: int, colors: int, source: Any) -> Code:
        """Return a code drawn uniformly at random.

        Parameters
        ----------
        pegs : int
            Number of pegs.
        colors : int
            Number of colors.
        source : random.Random
            The source of random numbers.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """
        if (table := self.table()) is not None:
            return tuple(source.choice(table))
        pick = source.choices if self.has_repeats else source.sample
        return tuple(pick(range(colors), k=pegs))

    def contains(self, code: Sequence[int]) -> bool:
        """Return whether a sequence of colors is a code.

        Parameters
        ----------
        code : sequence of int
            One color of the game, from 0, for each peg.

        Returns
        -------
        bool
            True if the sequence is in the space.
        """
        return True

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        """Return constraints that, given one color per peg, exactly the codes satisfy.

        Parameters
        ----------
        variables : VariableMap
            The numbering of the literals of the game.

        Returns
        -------
        iterator of CardinalityConstraint
            The constraints.
        """
        return iter(())

    def table(self) -> tuple[tuple[int, ...], ...] | None:
        """Return the codes in lexicographic order if the space is a list of codes, else None."""
        return None

    def allows(self, guess: Sequence[int]) -> bool:
        """Return whether a sequence of colors may be a guess. Most games allow all sequences.

        Parameters
        ----------
        guess : sequence of int
            One color of the game, from 0, for each peg.

        Returns
        -------
        bool
            True if the sequence may be a guess.
        """
        return True

    def listed_guesses(self) -> tuple[tuple[int, ...], ...] | None:
        """Return the allowed guesses if they are a list, else None: all sequences are allowed."""
        return None

    def nearest(self, guess: Sequence[int], max_codes: int) -> list[tuple[int, ...]]:
        """Return codes that resemble a guess that is not allowed, for error messages.

        Parameters
        ----------
        guess : sequence of int
            One color from 0 for each peg.
        max_codes : int
            Maximum number of codes.

        Returns
        -------
        list of tuple of int
            The codes, the closest first. By default, the list is empty.
        """
        return []


class Repeats(Space):
    """The space of all sequences: several pegs may have the same color."""

    name = "repeats"
    suffix = ""
    summary = "a color may repeat"

    def size(self, pegs: int, colors: int) -> int:
        return int(colors**pegs)

    def iterate(self, pegs: int, colors: int) -> Iterator[Code]:
        return product(range(colors), repeat=pegs)


class Distinct(Space):
    """The space of sequences in which all pegs have different colors."""

    name = "distinct"
    suffix = "d"
    example = "4x10d"
    summary = "no color repeats in a code"
    # In the list of games: "no color repeats in a code (distinct); 4x10! is the same".
    remark = " (distinct); 4x10! is the same"
    has_repeats = False

    def unfit(self, pegs: int, colors: int) -> str | None:
        if pegs > colors:
            return "a game without repeats needs at least as many colors as pegs"
        return None

    def size(self, pegs: int, colors: int) -> int:
        return math.perm(colors, pegs)

    def iterate(self, pegs: int, colors: int) -> Iterator[Code]:
        return permutations(range(colors), pegs)

    def contains(self, code: Sequence[int]) -> bool:
        return len(set(code)) == len(code)

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        # With as many colors as pegs, every color occurs.
        low = 1 if variables.pegs == variables.colors else 0
        for color in range(variables.colors):
            yield CardinalityConstraint(
                tuple(variables.at(peg, color) for peg in range(variables.pegs)), low, 1
            )


SPACES: dict[str, Space] = {space.name: space for space in (Repeats(), Distinct())}
"""The kinds of code space by name, without `Words`: a size cannot specify a word list."""
