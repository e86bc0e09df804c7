"""The best of many guesses, judged by a sample of the codes that are left."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from math import isqrt
from time import monotonic
from typing import TYPE_CHECKING

from mmsat.strategy import endgame
from mmsat.strategy.cost import costs
from mmsat.strategy.judge import Judge
from mmsat.strategy.openings import balanced
from mmsat.strategy.pool import pool
from mmsat.strategy.state import State
from mmsat.strategy.strategies.base import Seeded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.game import Game
    from mmsat.game.row import Code

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


class Sampled(Seeded):
    """The fewest guesses to come, judged by a sample: for games of any size.

    Guesses are a pool of consistent codes (see strategy/pool.py), and what is found from the best
    of them by changing a peg or exchanging two as long as that is better. Each is judged by how it
    parts the pool: by the estimate of the guesses to come (strategy/cost.py), which is the entropy
    where the pool is a sample; taken is the lowest of the best. From 200 codes on the rest of the
    game is searched (strategy/endgame.py). The first guess is one of the balanced codes, AABBCC...,
    judged alike. Work, and so time, is bounded but for the search of a first consistent code.

    With a budget of seconds, guesses are judged, in any order, until it is spent; drawing the pool
    comes before that. What is guessed then depends on the machine, unless time was enough for all.
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
        budget: float | None = None,
    ) -> None:
        """Judge so many guesses by so many codes at most, and start none after the budget."""
        super().__init__(opening, consistent_only=consistent_only, seed=seed)
        self.size = size
        self.budget = budget

    def choose(self, state: State) -> Code:
        """The guess that leaves the fewest guesses to come."""
        started, game, source = monotonic(), state.game, self.random(state)
        if not state.rows and (first := opening(game)):
            return first

        def is_late() -> bool:
            return self.budget is not None and monotonic() - started > self.budget

        size = max(1, min(self.size, isqrt(WORK // game.pegs)))
        known = pool(state, size, source.getrandbits(31))
        judge = Judge(game, known.codes, costs(len(known.codes), is_all=known.is_all))
        tried = [*judge.members]
        if self.budget is not None:
            source.shuffle(tried)
        batch = len(tried) if self.budget is None else BATCH
        for start in range(0, len(tried), batch):
            judge.judge(tried[start : start + batch])
            if is_late():
                break
        if not self.consistent_only:
            judge.climb(STARTS, size, is_late)
        if known.is_all and len(tried) <= FEW:
            others = [guess for guess in judge.best(len(judge.keys)) if guess not in judge.members]
            with suppress(endgame.TooLongError):
                return endgame.best(
                    game, known.codes, others[:OTHERS], consistent_only=self.consistent_only
                )[1]
        return judge.best()[0]


@cache
def opening(game: Game) -> Code | None:
    """The best balanced code; None where there is none."""
    tried = list(balanced(game))
    if not tried:
        return None
    size = max(1, min(FIRST, WORK // (game.pegs * len(tried))))
    known = pool(State.start(game), size, 0)
    judge = Judge(game, known.codes, costs(len(known.codes), is_all=known.is_all))
    judge.judge(tried)
    return judge.best()[0]
