"""The best of many guesses, judged by a sample of the codes that are left."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from math import isqrt
from time import monotonic

from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.endgame import TooLongError, solve_endgame
from mmsat.strategy.guess_evaluator import GuessEvaluator, estimate_costs
from mmsat.strategy.openings import balanced_codes
from mmsat.strategy.pool import Pool, draw_pool
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy

SIZE = 5000
"""Codes that guesses are judged by, and guesses that are judged before and while climbing."""
FIRST = 20_000
"""Codes that first guesses are judged by: the same ones in every game."""
WORK = 400_000_000
"""Pegs scored at most for a guess; large games are judged by fewer codes."""
STARTS = 10
"""Guesses from which it is climbed."""
FEW = 200
"""Codes from which the rest of the game is searched ..."""
OTHERS = 500
"""... with so many guesses that can't be the code."""
BATCH = 100
"""Guesses that are judged between two looks at the clock."""


class Sampled(SeededStrategy):
    """The fewest guesses to come, judged by a sample: for games of any size.

    Guesses are a pool of consistent codes (see strategy/pool.py), and what is found from the best
    of them by hill climbing: changing a peg or exchanging two as long as that is better. Each is
    judged by how it parts the pool, by the estimate of the guesses to come
    (strategy/guess_evaluator.py), which is the entropy where the pool is a sample; taken is the
    lowest of the best. From 200 codes on the rest of the game is searched (strategy/endgame.py).
    The first guess is one of the balanced codes, AABBCC..., judged alike. Work, and so time, is
    bounded but for the search of a first consistent code.

    With a timeout, guesses are judged, in any order, until it is over; drawing the pool comes
    before that. What is guessed then depends on the machine, unless time was enough for all.
    """

    name = "sampled"
    summary = "the best of many guesses, judged by a sample of the codes: for games of any size"
    source = "after Neuwirth 1982, on samples as Temporel and Kovacs 2003, Berghman et al. 2009"

    def __init__(
        self,
        opening: Sequence[Code] = (),
        *,
        consistent_only: bool = False,
        seed: int | None = None,
        size: int = SIZE,
        timeout: float | None = None,
    ) -> None:
        """Judge so many guesses by so many codes at most, and start none after the timeout."""
        super().__init__(opening, consistent_only=consistent_only, seed=seed)
        self.size = size
        self.timeout = timeout

    def choose(self, state: State) -> Code:
        """The guess that leaves the fewest guesses to come."""
        started, game, source = monotonic(), state.game, self.random(state)
        if not state.rows and (first := best_balanced(game)):
            return first

        def is_late() -> bool:
            return self.timeout is not None and monotonic() - started > self.timeout

        size = max(1, min(self.size, isqrt(WORK // game.pegs)))
        pool = draw_pool(state, size, source.getrandbits(31))
        evaluator = evaluator_of(game, pool)
        guesses = [*evaluator.members]
        if self.timeout is not None:
            source.shuffle(guesses)
        batch = len(guesses) if self.timeout is None else BATCH
        for start in range(0, len(guesses), batch):
            evaluator.evaluate(guesses[start : start + batch])
            if is_late():
                break
        if not self.consistent_only:
            evaluator.climb(STARTS, size, is_late)
        if pool.is_all and len(guesses) <= FEW:
            ranked = evaluator.best(len(evaluator.keys))
            others = [guess for guess in ranked if guess not in evaluator.members][:OTHERS]
            with suppress(TooLongError):
                _, guess = solve_endgame(
                    game, pool.codes, others, consistent_only=self.consistent_only
                )
                return guess
        return evaluator.best()[0]


@cache
def best_balanced(game: Game) -> Code | None:
    """The best balanced code; None where there is none."""
    guesses = list(balanced_codes(game))
    if not guesses:
        return None
    size = max(1, min(FIRST, WORK // (game.pegs * len(guesses))))
    evaluator = evaluator_of(game, draw_pool(State.start(game), size, 0))
    evaluator.evaluate(guesses)
    return evaluator.best()[0]


def evaluator_of(game: Game, pool: Pool) -> GuessEvaluator:
    """The evaluator of guesses by a pool of codes."""
    return GuessEvaluator(game, pool.codes, estimate_costs(len(pool.codes), is_all=pool.is_all))
