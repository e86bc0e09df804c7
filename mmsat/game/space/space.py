"""What a code space must provide: which sequences of colors are codes of a game.

One kind of space is one module beside this one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from mmsat.game.kind import Kind
from mmsat.game.literals import CardinalityConstraint, VariableMap


class Space(Kind):
    """A set of codes."""

    has_repeats: ClassVar[bool] = True
    """Whether a color may stand at several pegs of a code."""

    @abstractmethod
    def flaw(self, pegs: int, colors: int) -> str | None:
        """The rule that a size breaks, or None."""

    @abstractmethod
    def size(self, pegs: int, colors: int) -> int:
        """The number of codes."""

    @abstractmethod
    def contains(self, code: Sequence[int]) -> bool:
        """Whether a sequence of the game's pegs and colors is a code."""

    @abstractmethod
    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        """What is true of every code, beyond that each peg has one color."""

    def table(self) -> tuple[tuple[int, ...], ...] | None:
        """All codes in lexicographic order, where the space is a list of codes; else None."""
        return None

    def allows(self, guess: Sequence[int]) -> bool:  # noqa: ARG002
        """Whether a sequence of the game's pegs and colors may be a guess: most games take any."""
        return True

    def nearest(self, guess: Sequence[int], most: int) -> list[tuple[int, ...]]:  # noqa: ARG002
        """For a guess that is not allowed, up to so many codes that were perhaps meant."""
        return []
