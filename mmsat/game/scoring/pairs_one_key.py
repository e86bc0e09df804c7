"""Pairs again, where a peg of the guess gets one key peg at most: black, else white, else blue.

The other reading of Grand and Royale Mastermind: a pair that is right elsewhere has its white, and
no blue beside it. Where a pair stands several times in a guess, its copies take the whites from
the left.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from mmsat.arrays import Array, np
from mmsat.game.literals import Literal, VariableMap
from mmsat.game.scoring.pairs import Pairs
from mmsat.game.scoring.places import ABSENT, Places
from mmsat.game.scoring.scoring import too_many

MOST_PEGS = 10
"""The formula has a term for each set of copies of a pair, so long guesses are out of reach."""


class PairsOneKey(Pairs):
    """black.white.blue, as in `4x5x5k/1A2B3C4D=1.0.2`."""

    name = "pairs-one-key"
    suffix = "k"
    example = "4x5x5k"
    summary = "as pairs, with one key peg a peg: a pair with a white has no blue"
    are_pegs_alike = False

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black, white, _ = super().score(code, guess)
        blue = sum(
            mark == ABSENT and self.is_half(secret, asked)
            for secret, asked, mark in zip(code, guess, Places().score(code, guess), strict=True)
        )
        return black, white, blue

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black_white = super().score_all(codes, guess)[:, :2]
        is_absent = Places().score_all(codes, guess) == ABSENT
        blue = (is_absent & self.are_half(codes, guess)).sum(axis=1)
        return np.column_stack((black_white, blue))

    def half_right(self, variables: VariableMap, guess: Sequence[int]) -> tuple[Literal, ...]:
        """Half-right pairs at places that took no white.

        A copy of rank j is not elsewhere just when the code has fewer than j copies besides those
        that are hit later (see `places`). Each set of later hits is a case of its own; the cases
        exclude each other, so that their number is still the number of places.
        """
        return tuple(
            (variables.at(peg, color), *case)
            for peg, asked in enumerate(guess)
            for case in absences(variables, guess, peg)
            for color in range(variables.colors)
            if self.is_half(color, asked)
        )

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """More key pegs than pegs."""
        total = sum(part or 0 for part in score)
        if total > pegs:
            return too_many(pegs, total)
        return super().flaw(pegs, score)

    def unfit(self, pegs: int, colors: int) -> str | None:
        if pegs > MOST_PEGS:
            return f"a game with one key peg a pair has at most {MOST_PEGS} pegs"
        return super().unfit(pegs, colors)


def absences(variables: VariableMap, guess: Sequence[int], peg: int) -> Iterator[tuple[int, ...]]:
    """The cases, as conjunctions, in which a copy that is not hit is not elsewhere."""
    asked = guess[peg]
    later = [q for q in range(peg + 1, len(guess)) if guess[q] == asked]
    rank = sum(color == asked for color in guess[: peg + 1])
    for hits in range(len(later) + 1):
        for hit in combinations(later, hits):
            places = tuple(
                variables.at(q, asked) if q in hit else -variables.at(q, asked) for q in later
            )
            yield (*places, -variables.least(asked, rank + hits))
