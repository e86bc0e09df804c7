"""Scorings of pegs with two attributes, a color and a shape, by three kinds of key peg.

In Grand and Royale Mastermind, black counts pairs that are right in place, white pairs that are
right elsewhere, and blue places at which exactly one of color and shape is right. The rules have
two interpretations:

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
from mmsat.game.scoring.scoring import Scoring, all_shared_colors, blacks, shared_colors, too_many
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
        """Set the number of values of the second attribute, the shape."""
        self.shapes = shapes

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("black", "white", "blue")

    def is_half(self, one: int, other: int) -> bool:
        """Return whether two pairs share exactly one attribute."""
        shapes = self.shapes
        return (one // shapes == other // shapes) != (one % shapes == other % shapes)

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black = sum(map(int.__eq__, code, guess))
        blue = sum(map(self.is_half, code, guess))
        return black, shared_colors(code, guess) - black, blue

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black = blacks(codes, guess)
        blue = self.are_half(codes, guess).sum(axis=1)
        return np.column_stack((black, all_shared_colors(codes, guess) - black, blue))

    def are_half(self, codes: Array, guess: Sequence[int]) -> Array:
        """Return the places at which codes and a guess share exactly one attribute, as booleans.

        The shape is that of `codes`: (codes, pegs).
        """
        guessed, shapes = np.asarray(guess), self.shapes
        half: Array = codes // shapes == guessed // shapes
        half ^= codes % shapes == guessed % shapes
        return half

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain black and white as BlackWhite does, and blue as the half-right places."""
        black, white, blue = score
        yield from BlackWhite().constraints(variables, guess, (black, white))
        if blue is not None:
            yield CardinalityConstraint(self.half_right(variables, guess), blue, blue)

    def gauges(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Return constraints on the sum of each nonempty set of parts.

        The excess key pegs of a score are the deviation of one such sum (of the parts that are too
        high), and so are the missing key pegs.
        """
        black, white, blue = score
        sums = [*BlackWhite().gauges(variables, guess, (black, white))]
        yield from sums
        if blue is not None:
            half = self.half_right(variables, guess)
            for counted, low, high in (*sums, CardinalityConstraint((), 0, 0)):
                yield CardinalityConstraint(counted + half, low + blue, high + blue)

    def half_right(self, variables: VariableMap, guess: Sequence[int]) -> tuple[Literal, ...]:
        """Return literals whose number of true ones is the number of blue key pegs."""
        return tuple(
            variables.at(peg, color)
            for peg, guessed in enumerate(guess)
            for color in range(variables.colors)
            if self.is_half(color, guessed)
        )

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more black and blue than places, and what BlackWhite rejects."""
        black, white, blue = score
        if (black or 0) + (blue or 0) > pegs:
            are = f"are only {pegs} places" if pegs > 1 else "is only 1 place"
            return f"there {are} to be black or blue"
        return BlackWhite().flaw(pegs, (black, white))

    def factors(self, colors: int) -> tuple[int, ...]:
        return colors // self.shapes, self.shapes

    def unfit(self, pegs: int, colors: int) -> str | None:
        if self.shapes < 1 or colors % self.shapes:
            return f"{colors} pairs cannot be divided evenly into {self.shapes} shapes"
        return None


MAX_PEGS = 10
"""The maximum number of pegs of `pairs-one-key`, because its formula has a term for each set of
copies of a pair."""


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
            mark == ABSENT and self.is_half(secret, guessed)
            for secret, guessed, mark in zip(code, guess, Places().score(code, guess), strict=True)
        )
        return black, white, blue

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black_white = super().score_all(codes, guess)[:, :2]
        is_absent = Places().score_all(codes, guess) == ABSENT
        blue = (is_absent & self.are_half(codes, guess)).sum(axis=1)
        return np.column_stack((black_white, blue))

    def half_right(self, variables: VariableMap, guess: Sequence[int]) -> tuple[Literal, ...]:
        """Return literals whose number of true ones is the number of blue key pegs.

        They are conjunctions: a place is half right, and its pair does not score white. The copy of
        rank j of a pair does not score white if and only if the code has fewer than j copies in
        addition to the later hits (see `Places`). Each set of later hits is a separate case. The
        cases exclude each other, so each place makes at most one conjunction true.
        """
        return tuple(
            (variables.at(peg, color), *case)
            for peg, guessed in enumerate(guess)
            for case in absences(variables, guess, peg)
            for color in range(variables.colors)
            if self.is_half(color, guessed)
        )

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more key pegs than pegs, and what Pairs rejects."""
        total = sum(part or 0 for part in score)
        if total > pegs:
            return too_many(pegs, total)
        return super().flaw(pegs, score)

    def unfit(self, pegs: int, colors: int) -> str | None:
        if pegs > MAX_PEGS:
            return f"a game with one key peg a pair has at most {MAX_PEGS} pegs"
        return super().unfit(pegs, colors)


def absences(variables: VariableMap, guess: Sequence[int], peg: int) -> Iterator[tuple[int, ...]]:
    """Yield the cases in which a copy that is not in place is absent, as conjunctions."""
    color_at_peg = guess[peg]
    later = [q for q in range(peg + 1, len(guess)) if guess[q] == color_at_peg]
    rank = sum(color == color_at_peg for color in guess[: peg + 1])
    for hit_count in range(len(later) + 1):
        for hit in combinations(later, hit_count):
            places = tuple(
                variables.at(q, color_at_peg) if q in hit else -variables.at(q, color_at_peg)
                for q in later
            )
            yield (*places, -variables.least(color_at_peg, rank + hit_count))
