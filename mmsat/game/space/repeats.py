"""Every sequence of colors is a code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.space.space import Space


class Repeats(Space):
    """A color may stand at several pegs."""

    name = "repeats"
    suffix = ""
    summary = "a color may repeat"

    def flaw(self, pegs: int, colors: int) -> str | None:  # noqa: ARG002
        """Nothing."""
        return None

    def size(self, pegs: int, colors: int) -> int:
        """Colors ** pegs."""
        return int(colors**pegs)

    def contains(self, code: Sequence[int]) -> bool:  # noqa: ARG002
        """Always."""
        return True

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:  # noqa: ARG002
        """None."""
        return iter(())
