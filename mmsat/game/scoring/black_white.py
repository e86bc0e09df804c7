"""Scorings with black and white key pegs, and with black key pegs only.

Black counts the pegs with the right color in the right place. White counts the other pegs whose
color is elsewhere in the code. No peg of the code or of the guess counts twice. `BlackWhite` is the
scoring of the game that was sold in 1972. `Black` reports only the black key pegs.
"""

from collections.abc import Iterator, Sequence

from mmsat._util.arrays import Array, np
from mmsat.game.scoring.scoring import (
    Scoring,
    common_literals,
    count_in_place,
    count_shared_colors,
    in_place_literals,
    shared_colors,
    too_many_keys,
)
from mmsat.game.space import CardinalityConstraint, VariableMap


class BlackWhite(Scoring):
    """black.white, as in `1122=1.1`."""

    name = "black-white"
    suffix = ""
    summary = "black = right color and place, white = right color elsewhere"

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("black", "white")

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black = sum(map(int.__eq__, code, guess))
        return black, shared_colors(code, guess) - black

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black = sum(map(int.__eq__, code, guess))
        return black, sum(color in code for color in guess) - black

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black = count_in_place(codes, guess)
        return np.column_stack((black, count_shared_colors(codes, guess) - black))

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the pegs right in place (black) and the common colors (black plus white).

        If black is unread, white is the number of common colors minus the number of pegs in place.
        To express the subtraction, the constraint counts the negated `in_place_literals` of all n
        pegs together with the common colors. If b pegs are in place, n - b negations and white + b
        common colors are true, so the sum is white + n.
        """
        black, white = score
        if black is not None:
            yield CardinalityConstraint(in_place_literals(variables, guess), black, black)
        if white is None:
            return
        common = common_literals(variables, guess)
        if black is not None:
            yield CardinalityConstraint(common, black + white, black + white)
        else:
            not_in_place = tuple(-literal for literal in in_place_literals(variables, guess))
            yield CardinalityConstraint(
                common + not_in_place, white + len(guess), white + len(guess)
            )

    def gauges(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Return constraints on black, on black plus white, and on white alone.

        Exchanging key pegs for the other kind changes black and white. Adding or removing key pegs
        changes the sum, too.
        """
        yield from self.constraints(variables, guess, score)
        if None not in score:
            yield from self.constraints(variables, guess, (None, score[1]))

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more key pegs than pegs, and a single white if all other pegs are in place."""
        black, white = score
        total = (black or 0) + (white or 0)
        if total > pegs:
            return too_many_keys(pegs, total)
        if white == 1 and (black or 0) == pegs - 1:
            if pegs == 1:
                return "a peg on its own has nowhere else to go"
            return f"with {pegs - 1} of {pegs} pegs right in place, the last has nowhere else to go"
        return None


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
        return count_in_place(codes, guess)[:, None]

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the number of pegs that are right in place."""
        (black,) = score
        if black is not None:
            yield CardinalityConstraint(in_place_literals(variables, guess), black, black)

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more black key pegs than pegs."""
        (black,) = score
        if black is not None and black > pegs:
            return too_many_keys(pegs, black)
        return None
