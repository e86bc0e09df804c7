"""A mark for each place: right, or whether the code's letter is earlier or later in the alphabet.

These are the clues of Secret Search (1997). Each mark depends only on the letters at its place.
"""

from collections.abc import Iterator, Sequence

from mmsat.arrays import Array, np
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.scoring.scoring import Mark, Scoring

EARLIER, LATER, RIGHT = range(3)


class Order(Scoring):
    """One mark per place, as in `3x26o/CAT=RLE`."""

    name = "order"
    suffix = "o"
    example = "4x26o"
    summary = "for each place: R right, or the code's is E earlier, L later in the alphabet"
    are_pegs_alike = False
    are_colors_alike = False
    marks = (Mark("E", "earlier", "<↓"), Mark("L", "later", ">↑"), Mark("R", "right", "✓"))

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            RIGHT if secret == guessed else EARLIER if secret < guessed else LATER
            for secret, guessed in zip(code, guess, strict=True)
        )

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        guessed = np.asarray(guess)
        marks = np.where(codes < guessed, np.uint8(EARLIER), np.uint8(LATER))
        return np.where(codes == guessed, np.uint8(RIGHT), marks)

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain each place to the colors that its mark allows."""
        for place, (color, mark) in enumerate(zip(guess, score, strict=True)):
            if mark is not None:
                possible_colors = {
                    EARLIER: range(color),
                    RIGHT: range(color, color + 1),
                    LATER: range(color + 1, variables.colors),
                }[mark]
                yield CardinalityConstraint(
                    tuple(
                        variables.at(place, possible_color) for possible_color in possible_colors
                    ),
                    1,
                    1,
                )
