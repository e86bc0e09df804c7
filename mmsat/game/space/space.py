"""What a code space must provide: which sequences of colors are codes of a game."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from mmsat.game.kind import Kind
from mmsat.game.literals import CardinalityConstraint, VariableMap


class Space(Kind):
    """A set of codes; without more words, every sequence of colors is one."""

    has_repeats: ClassVar[bool] = True
    """Whether a color may stand at several pegs of a code."""

    def flaw(self, pegs: int, colors: int) -> str | None:  # noqa: ARG002
        """The rule that a size breaks, or None."""
        return None

    @abstractmethod
    def size(self, pegs: int, colors: int) -> int:
        """The number of codes."""

    def contains(self, code: Sequence[int]) -> bool:  # noqa: ARG002
        """Whether a sequence of the game's pegs and colors is a code."""
        return True

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:  # noqa: ARG002
        """What is true of every code, beyond that each peg has one color."""
        return iter(())

    def table(self) -> tuple[tuple[int, ...], ...] | None:
        """All codes in lexicographic order, where the space is a list of codes; else None."""
        return None

    def allows(self, guess: Sequence[int]) -> bool:  # noqa: ARG002
        """Whether a sequence of the game's pegs and colors may be a guess: most games take any."""
        return True

    def nearest(self, guess: Sequence[int], most: int) -> list[tuple[int, ...]]:  # noqa: ARG002
        """For a guess that is not allowed, up to so many codes that were perhaps meant."""
        return []
