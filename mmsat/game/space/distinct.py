"""No color repeats in a code, as in bulls and cows and the permutation game.

Guesses may still repeat a color: some players ask so on purpose, and the score is well defined.
"""

import math
from collections.abc import Iterator, Sequence

from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.space.space import Space


class Distinct(Space):
    """All pegs have different colors."""

    name = "distinct"
    suffix = "!"
    example = "4x10!"
    summary = "no color repeats in a code"
    has_repeats = False

    def flaw(self, pegs: int, colors: int) -> str | None:
        """More pegs than colors."""
        if pegs > colors:
            return "a game without repeats has at least as many colors as pegs"
        return None

    def size(self, pegs: int, colors: int) -> int:
        """The falling factorial of colors."""
        return math.perm(colors, pegs)

    def contains(self, code: Sequence[int]) -> bool:
        """Whether no color repeats."""
        return len(set(code)) == len(code)

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        """Each color at most once; exactly once where the pegs need them all."""
        low = 1 if variables.pegs == variables.colors else 0
        for color in range(variables.colors):
            yield CardinalityConstraint(
                tuple(variables.at(peg, color) for peg in range(variables.pegs)), low, 1
            )
