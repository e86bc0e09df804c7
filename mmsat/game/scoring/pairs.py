"""Scorings of pegs with two attributes, a color and a shape, by three kinds of key peg.

In Grand and Royale Mastermind, black counts the pairs that are right in place, white counts the
pairs that are right elsewhere, and blue counts the places at which exactly one of color and shape
is right. The rules have two interpretations:

pairs            a place counts as blue even if its pair is right elsewhere
pairs-one-key    each peg of the guess has at most one key peg: black, else white, else blue

In `pairs-one-key`, if a guess has several copies of a pair, the whites belong to its leftmost
copies that are not in place.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from mmsat._util.arrays import Array, np
from mmsat.game.scoring.black_white import BlackWhite
from mmsat.game.scoring.marks import ABSENT, Places
from mmsat.game.scoring.scoring import (
    Scoring,
    count_in_place,
    count_shared_colors,
    shared_colors,
    too_many_keys,
)
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap


class Pairs(Scoring):
    """black.white.blue, as in `4x5x5/1A2B3C4D=1.0.2`.

    The number of a pair is color * shapes + shape, with color and shape from 0.
    """

    name = "pairs"
    suffix = ""
    example = "4x5x5"
    summary = "black and white for whole pairs, blue = one of color and shape right in place"
    are_colors_alike = False

    def __init__(self, shapes: int = 5) -> None:
        """Set the number of shapes, the values of the second attribute."""
        self.shapes = shapes

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("black", "white", "blue")

    def shares_one_attribute(self, one: int, other: int) -> bool:
        """Return whether two pairs share exactly one attribute."""
        shapes = self.shapes
        return (one // shapes == other // shapes) != (one % shapes == other % shapes)

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black = sum(map(int.__eq__, code, guess))
        blue = sum(map(self.shares_one_attribute, code, guess))
        return black, shared_colors(code, guess) - black, blue

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black = count_in_place(codes, guess)
        blue = self.share_one_attribute(codes, guess).sum(axis=1)
        return np.column_stack((black, count_shared_colors(codes, guess) - black, blue))

    def share_one_attribute(self, codes: Array, guess: Sequence[int]) -> Array:
        """Return for each peg of each code whether it shares exactly one attribute with the guess.

        The array has the dimensions of `codes`: (codes, pegs).
        """
        guess_array, shapes = np.asarray(guess), self.shapes
        is_half_right: Array = codes // shapes == guess_array // shapes
        is_half_right ^= codes % shapes == guess_array % shapes
        return is_half_right

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain black and white as BlackWhite does, and blue by the half-right places."""
        black, white, blue = score
        yield from BlackWhite().constraints(variables, guess, (black, white))
        if blue is not None:
            yield CardinalityConstraint(self.half_right_literals(variables, guess), blue, blue)

    def gauges(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Return constraints on the sum of each nonempty set of parts.

        The number of excess key pegs is the deviation of the sum of the parts that are too high.
        The number of missing key pegs is the deviation of the sum of the parts that are too low.
        """
        black, white, blue = score
        sums = [*BlackWhite().gauges(variables, guess, (black, white))]
        yield from sums
        if blue is not None:
            half_right = self.half_right_literals(variables, guess)
            for literals, low, high in (*sums, CardinalityConstraint((), 0, 0)):
                yield CardinalityConstraint(literals + half_right, low + blue, high + blue)

    def half_right_literals(
        self, variables: VariableMap, guess: Sequence[int]
    ) -> tuple[Literal, ...]:
        """Return literals; the number of true literals is the number of blue key pegs."""
        return tuple(
            variables.at(peg, color)
            for peg, guessed in enumerate(guess)
            for color in range(variables.colors)
            if self.shares_one_attribute(color, guessed)
        )

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more black and blue than places, and what BlackWhite rejects."""
        black, white, blue = score
        if (black or 0) + (blue or 0) > pegs:
            places = f"{pegs} places" if pegs > 1 else "1 place"
            return f"only {places} can be black or blue"
        return BlackWhite().flaw(pegs, (black, white))

    def factors(self, colors: int) -> tuple[int, ...]:
        return colors // self.shapes, self.shapes

    def unfit(self, pegs: int, colors: int) -> str | None:
        if self.shapes < 1 or colors % self.shapes:
            return f"{colors} pairs cannot be divided evenly into {self.shapes} shapes"
        return None


MAX_ONE_KEY_PEGS = 10
"""The maximum number of pegs of `pairs-one-key`. Each further copy of a pair in a guess doubles the
number of conjunctions in its constraints."""


class PairsOneKey(Pairs):
    """black.white.blue, as in `4x5x5k/1A2B3C4D=1.0.2`."""

    name = "pairs-one-key"
    suffix = "k"
    example = "4x5x5k"
    summary = "like pairs, with one key peg per peg: a pair with a white has no blue"
    are_pegs_alike = False

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black, white, _ = super().score(code, guess)
        blue = sum(
            mark == ABSENT and self.shares_one_attribute(secret, guessed)
            for secret, guessed, mark in zip(code, guess, Places().score(code, guess), strict=True)
        )
        return black, white, blue

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black_white = super().score_all(codes, guess)[:, :2]
        is_absent = Places().score_all(codes, guess) == ABSENT
        blue = (is_absent & self.share_one_attribute(codes, guess)).sum(axis=1)
        return np.column_stack((black_white, blue))

    def half_right_literals(
        self, variables: VariableMap, guess: Sequence[int]
    ) -> tuple[Literal, ...]:
        """Return literals; the number of true literals is the number of blue key pegs.

        Each literal is a conjunction: a place is half right, and its pair does not score white. The
        j-th copy of a pair from the left, if not in place, does not score white if and only if the
        code has fewer than j copies in addition to the copies further right that are in place; see
        marks.py. Each set of copies that can be in place is a separate case. The cases exclude each
        other, so at most one conjunction per place is true.
        """
        return tuple(
            (variables.at(peg, color), *case)
            for peg, guessed in enumerate(guess)
            for case in absence_cases(variables, guess, peg)
            for color in range(variables.colors)
            if self.shares_one_attribute(color, guessed)
        )

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more key pegs than pegs, and what Pairs rejects."""
        total = sum(part or 0 for part in score)
        if total > pegs:
            return too_many_keys(pegs, total)
        return super().flaw(pegs, score)

    def unfit(self, pegs: int, colors: int) -> str | None:
        if pegs > MAX_ONE_KEY_PEGS:
            return f"a game with one key peg per pair has at most {MAX_ONE_KEY_PEGS} pegs"
        return super().unfit(pegs, colors)


def absence_cases(
    variables: VariableMap, guess: Sequence[int], peg: int
) -> Iterator[tuple[int, ...]]:
    """Yield the conjunctions under which the pair at `peg`, if not in place, is not white."""
    color_at_peg = guess[peg]
    later_places = [place for place in range(peg + 1, len(guess)) if guess[place] == color_at_peg]
    rank = sum(color == color_at_peg for color in guess[: peg + 1])
    for num_in_place in range(len(later_places) + 1):
        for places_in_place in combinations(later_places, num_in_place):
            literals = tuple(
                variables.at(place, color_at_peg) * (1 if place in places_in_place else -1)
                for place in later_places
            )
            yield (*literals, -variables.least(color_at_peg, rank + num_in_place))
