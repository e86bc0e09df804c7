"""Code spaces: the sequences of colors that are codes of a game."""

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any, ClassVar

from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code
from mmsat.registry import Kind


class Space(Kind):
    """The set of codes of a game; by default all sequences of colors."""

    has_repeats: ClassVar[bool] = True
    """Whether several pegs of a code may have the same color."""

    def flaw(self, pegs: int, colors: int) -> str | None:
        """Return the rule that a size violates.

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
        """Return whether a sequence is a code.

        Parameters
        ----------
        code : sequence of int
            One color of the game, from 0, for each peg.

        Returns
        -------
        bool
            True if it is in the space.
        """
        return True

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        """Return the constraints that every code satisfies, beyond one color per peg.

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
        """Return all codes in lexicographic order if the space is a list of codes, else None."""
        return None

    def allows(self, guess: Sequence[int]) -> bool:
        """Return whether a sequence may be a guess; most games allow all sequences.

        Parameters
        ----------
        guess : sequence of int
            One color of the game, from 0, for each peg.

        Returns
        -------
        bool
            True if it may be a guess.
        """
        return True

    def nearest(self, guess: Sequence[int], most: int) -> list[tuple[int, ...]]:
        """Return codes that resemble a guess that is not allowed, for error messages.

        Parameters
        ----------
        guess : sequence of int
            One color from 0 for each peg.
        most : int
            Maximum number of codes.

        Returns
        -------
        list of tuple of int
            The codes, the closest first; by default, there are none.
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
    summary = "no color repeats in a code (distinct); 4x10! is the same"
    has_repeats = False

    def flaw(self, pegs: int, colors: int) -> str | None:
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
        low = 1 if variables.pegs == variables.colors else 0
        for color in range(variables.colors):
            yield CardinalityConstraint(
                tuple(variables.at(peg, color) for peg in range(variables.pegs)), low, 1
            )


SPACES: dict[str, Space] = {space.name: space for space in (Repeats(), Distinct())}
"""The kinds of code space by name. Word lists are not here: only a game definition has them."""
