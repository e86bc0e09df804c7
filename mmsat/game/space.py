"""Which sequences of colors are codes of a game."""

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any, ClassVar

from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code
from mmsat.registry import Kind


class Space(Kind):
    """The set of allowed codes; by default all sequences."""

    has_repeats: ClassVar[bool] = True
    """Whether a color may stand at several pegs of a code."""

    def flaw(self, pegs: int, colors: int) -> str | None:
        """The rule that a size breaks, or None."""
        return None

    @abstractmethod
    def size(self, pegs: int, colors: int) -> int:
        """The number of codes."""

    def iterate(self, pegs: int, colors: int) -> Iterator[Code]:
        """All codes in lexicographic order."""
        every = product(range(colors), repeat=pegs)
        return iter(self.table() or filter(self.contains, every))

    def draw(self, pegs: int, colors: int, source: Any) -> Code:
        """Any of the codes, each as likely as the others, by a random.Random."""
        if (table := self.table()) is not None:
            return tuple(source.choice(table))
        pick = source.choices if self.has_repeats else source.sample
        return tuple(pick(range(colors), k=pegs))

    def contains(self, code: Sequence[int]) -> bool:
        """Whether a sequence of the game's pegs and colors is a code."""
        return True

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        """What is true of every code, beyond that each peg has one color."""
        return iter(())

    def table(self) -> tuple[tuple[int, ...], ...] | None:
        """All codes in lexicographic order, where the space is a list of codes; else None."""
        return None

    def allows(self, guess: Sequence[int]) -> bool:
        """Whether a sequence of the game's pegs and colors may be a guess: most games take any."""
        return True

    def nearest(self, guess: Sequence[int], most: int) -> list[tuple[int, ...]]:
        """For a guess that is not allowed, up to so many codes that were perhaps meant."""
        return []


class Repeats(Space):
    """A color may stand at several pegs."""

    name = "repeats"
    suffix = ""
    summary = "a color may repeat"

    def size(self, pegs: int, colors: int) -> int:
        return int(colors**pegs)

    def iterate(self, pegs: int, colors: int) -> Iterator[Code]:
        return product(range(colors), repeat=pegs)


class Distinct(Space):
    """All pegs have different colors."""

    name = "distinct"
    suffix = "d"
    example = "4x10d"
    summary = "no color repeats in a code (distinct); 4x10! is the same"
    has_repeats = False

    def flaw(self, pegs: int, colors: int) -> str | None:
        if pegs > colors:
            return "a game without repeats has at least as many colors as pegs"
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
"""The kinds of code space, by name; a list of words is told by a game's definition instead."""
