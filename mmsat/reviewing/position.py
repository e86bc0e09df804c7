"""A position of a game before a guess: its remaining codes, and how a guess partitions them."""

from __future__ import annotations

from fractions import Fraction

from mmsat.arrays import Array
from mmsat.enumeration.weighing import WeighedCodes, weigh_codes
from mmsat.errors import InconsistentError
from mmsat.game.game import Game
from mmsat.game.row import Code, Row, Score, hide
from mmsat.strategy.allowed import allowed_guesses
from mmsat.strategy.answers import MAX_TABLE_CODES, split_codes
from mmsat.strategy.by_weight import rank_guesses
from mmsat.strategy.code_list import as_array
from mmsat.strategy.pool import Pool, draw_pool
from mmsat.strategy.selection import LARGE_GAME_STRATEGY, choose_strategy
from mmsat.strategy.state import State
from mmsat.strategy.strategies.heuristics import find_chooser
from mmsat.weights import Weights

Parts = dict[Score, int]
"""By score, the number of codes with this score, or their weight. A component of None was not
read."""


class Position:
    """A state of a game, with the codes that guesses are judged by."""

    def __init__(
        self,
        state: State,
        size: int,
        seed: int | None,
        weights: Weights | None = None,
        *,
        is_hard: bool = False,
    ) -> None:
        """List the codes, or draw `size` of them if there are more; with weights, list all.

        In hard mode, each guess has to use the information of earlier scores; see
        game/hard_mode.py.
        """
        self.state = state
        self.game = state.game
        self.size = size
        self.seed = seed
        self.weights = weights
        self.is_hard = is_hard
        self.weighed: WeighedCodes | None = None
        if weights is None:
            self.pool = _draw(state, size, seed)
            return
        self.weighed = weigh_codes(state.board, weights)
        codes = as_array(self.game, self.weighed.codes)
        self.pool = Pool(codes, len(codes))
        self.units = dict(zip(self.weighed.codes, self.weighed.units, strict=True))

    @property
    def count(self) -> int | None:
        """The number of remaining codes; None if it is unknown."""
        return self.pool.count

    @property
    def scale(self) -> Fraction:
        """The number of remaining codes per code judged by, or per unit of weight."""
        return Fraction(self.weight if self.count is None else self.count, self.weight)

    def follow(self, row: Row) -> Position:
        """Return the position after a guess and its score."""
        after = self.state.after(*row)
        return Position(after, self.size, self.seed, self.weights, is_hard=self.is_hard)

    @property
    def weight(self) -> int:
        """The total weight of the codes judged by; without weights, their number."""
        return len(self.pool.codes) if self.weighed is None else sum(self.weighed.units)

    def allows(self, guess: Code) -> bool:
        """Return whether a guess can be the code."""
        return self.state.allows(guess) if self.weighed is None else guess in self.units

    def split(self, guess: Code, said: Score | None = None) -> Parts:
        """Return the weights of the codes by their score for a guess.

        Scores are restricted to the components that were read in `said`; None means all.
        """
        parts: Parts = {}
        for score, codes in split_codes(self.game, self.pool.codes, guess).items():
            visible_score = score if said is None else hide(score, said)
            weight = len(codes)
            if self.weighed is not None:
                weight = sum(self.units[code] for code in map(tuple, codes.tolist()))
            parts[visible_score] = parts.get(visible_score, 0) + weight
        return parts

    def divide(self) -> Code:
        """Return the guess that leaves the fewest codes, or the least weight, on average.

        It is the best of all codes of the game if these are up to 32,768, otherwise the best of a
        sample. In hard mode, it is the best of the allowed guesses.
        """
        if self.is_hard and self.state.rows:
            return self._divide_by(allowed_guesses(self.state, self.pool.codes))
        if self.weighed is not None:
            return rank_guesses(self.game, self.weighed)[0].guess
        if fits_table(self.game):
            return find_chooser(self.game).choose(
                self.state, "EXPECTED_SIZE", consistent_only=False
            )
        return choose_strategy(self.game, LARGE_GAME_STRATEGY, seed=self.seed or 0).guess(
            self.state
        )

    def _divide_by(self, guesses: Array) -> Code:
        """Return the guess that leaves the least, preferring guesses that can be the code."""
        costs = {
            code: sum(weight * weight for weight in self.split(code).values())
            for code in map(tuple, guesses.tolist())
        }
        lowest = min(costs.values())
        best = [code for code, cost in costs.items() if cost == lowest]
        return next(filter(self.allows, best), best[0])


def fits_table(game: Game) -> bool:
    """Return whether all codes of a game can be tried as the next guess."""
    return game.size <= MAX_TABLE_CODES and game.colors <= 256


def _draw(state: State, size: int, seed: int | None) -> Pool:
    """Return up to `size` codes of a state; none if its scores contradict each other."""
    if state.is_listed and not len(state):
        return Pool(state.codes, 0)
    try:
        return draw_pool(state, size, seed)
    except InconsistentError:
        return Pool(as_array(state.game, ()), 0)
