"""Black key pegs only: how many pegs have the right color in the right place."""

from collections.abc import Iterator, Sequence

from mmsat.arrays import Array
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.scoring.scoring import Scoring, blacks, in_place, too_many


class Black(Scoring):
    """black, as in `4x6b/1122=1`."""

    name = "black"
    suffix = "b"
    example = "4x6b"
    summary = "black = right color and place; nothing else is reported"

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("black",)

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return (sum(map(int.__eq__, code, guess)),)

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        return blacks(codes, guess)[:, None]

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the number of pegs that are right in place."""
        (black,) = score
        if black is not None:
            yield CardinalityConstraint(in_place(variables, guess), black, black)

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more black key pegs than pegs."""
        (black,) = score
        if black is not None and black > pegs:
            return too_many(pegs, black)
        return None
