"""Pairs with at most one key peg for each peg of the guess: black, else white, else blue.

This is the other interpretation of the rules of Grand and Royale Mastermind: a pair that is right
elsewhere scores white and not blue. If a guess has several copies of a pair, the whites belong to
its leftmost copies that are not in place.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from mmsat.arrays import Array, np
from mmsat.game.literals import Literal, VariableMap
from mmsat.game.scoring.pairs import Pairs
from mmsat.game.scoring.places import ABSENT, Places
from mmsat.game.scoring.scoring import too_many

MAX_PEGS = 10
"""The maximum number of pegs: the formula has a term for each set of copies of a pair."""


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
        addition to the later hits (see `places`). Each set of later hits is a separate case. The
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
