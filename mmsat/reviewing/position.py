"""What is left of a game before a guess: its codes, and how a guess parts them."""

from __future__ import annotations

from fractions import Fraction

from mmsat.errors import InconsistentError
from mmsat.game.row import Code, Row, Score
from mmsat.strategy.answers import MOST_IN_TABLE, split_codes
from mmsat.strategy.pool import Pool, draw_pool
from mmsat.strategy.selection import LARGE, choose_strategy
from mmsat.strategy.state import State
from mmsat.strategy.strategies.heuristics import find_chooser

Parts = dict[Score, int]
"""By score, how many of some codes get it; None stands in it for what was not read."""


class Position:
    """A state of a game with the codes that guesses are judged by."""

    def __init__(self, state: State, size: int, seed: int | None) -> None:
        """List the codes, or draw so many of them where there are more."""
        self.state = state
        self.game = state.game
        self.size = size
        self.seed = seed
        self.pool = _draw(state, size, seed)

    @property
    def count(self) -> int | None:
        """The codes that are left, where that is known."""
        return self.pool.count

    @property
    def scale(self) -> Fraction:
        """How many codes one of those stands for that guesses are judged by."""
        judged = len(self.pool.codes)
        return Fraction(judged if self.count is None else self.count, judged)

    def follow(self, row: Row) -> Position:
        """The position after a guess and its score."""
        return Position(self.state.after(*row), self.size, self.seed)

    def split(self, guess: Code, said: Score | None = None) -> Parts:
        """How the codes are parted by a guess, in the parts of a score that `said` has (all)."""
        parts: Parts = {}
        for score, codes in split_codes(self.game, self.pool.codes, guess).items():
            shown = score if said is None else hide(score, said)
            parts[shown] = parts.get(shown, 0) + len(codes)
        return parts

    def divide(self) -> Code:
        """The guess that leaves the fewest codes on average.

        The best of all codes of the game where these are up to 32,768, else the best of many.
        """
        if self.game.size <= MOST_IN_TABLE and self.game.colors <= 256:
            return find_chooser(self.game).choose(
                self.state, "EXPECTED_SIZE", consistent_only=False
            )
        return choose_strategy(self.game, LARGE, seed=self.seed or 0).guess(self.state)


def hide(score: Score, said: Score) -> Score:
    """A score without the parts that were not read of another."""
    return tuple(None if read is None else part for part, read in zip(score, said, strict=True))


def _draw(state: State, size: int, seed: int | None) -> Pool:
    """The codes of a state, or so many of them; none where its scores contradict each other."""
    import numpy as np  # noqa: PLC0415

    if state.is_listed and not len(state):
        return Pool(state.codes, 0)
    try:
        return draw_pool(state, size, seed)
    except InconsistentError:
        return Pool(np.zeros((0, state.game.pegs), dtype=np.uint8), 0)
