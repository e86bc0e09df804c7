"""Color only: the number of pegs that a code and a guess have in common in any order.

This is an easier game for children. Places do not count, so there is one kind of key peg.
"""

from collections.abc import Iterator, Sequence

from mmsat.arrays import Array
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.scoring.scoring import (
    Scoring,
    all_shared_colors,
    in_common,
    shared_colors,
    too_many,
)


class Color(Scoring):
    """color, as in `4x6w/1122=3`."""

    name = "color"
    suffix = "w"
    example = "4x6w"
    summary = "color = right color, in any place"

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("color",)

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return (shared_colors(code, guess),)

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return (sum(color in code for color in guess),)

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        return all_shared_colors(codes, guess)[:, None]

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the number of common colors."""
        (color,) = score
        if color is not None:
            yield CardinalityConstraint(in_common(variables, guess), color, color)

    def describe(self, score: Sequence[int | None]) -> str:
        return f"{super().describe(score)}{'s' * (score[0] not in (1, None))}"

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more common colors than pegs."""
        (color,) = score
        if color is not None and color > pegs:
            return too_many(pegs, color)
        return None
