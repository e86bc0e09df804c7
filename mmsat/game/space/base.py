"""What a code space must provide: which sequences of colors are codes of a game.

One kind of space is one module beside this one.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from mmsat.game.kind import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.game.facts import Claim, Facts


class Space(Kind):
    """A set of codes."""

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
    def claims(self, facts: Facts) -> Iterator[Claim]:
        """What is true of every code, beyond that each peg has one color."""
