"""Guesses evaluated by how they partition some codes, and better ones by hill climbing."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from heapq import nsmallest
from itertools import combinations, islice
from math import comb, isqrt
from time import monotonic

from mmsat.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import count_scores
from mmsat.strategy.consistent_code import balanced_codes
from mmsat.strategy.costs import estimate_costs
from mmsat.strategy.endgame import TooLongError, solve_endgame
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


class GuessEvaluator:
    """Guesses and their keys, whole numbers of which the least is the best."""

    def __init__(self, game: Game, codes: Array, costs: Array) -> None:
        """The codes, shape (codes, pegs), and the cost of a part by its size."""
        self.game = game
        self.codes = codes
        self.costs = costs
        self.members: dict[Code, None] = dict.fromkeys(map(tuple, codes.tolist()))
        self.keys: dict[Code, int] = {}

    def evaluate(self, guesses: Iterable[Code]) -> None:
        """Add up the cost of all parts; a guess that is one of the codes saves a part of one.

        Costs a score for each new guess and code; each guess is evaluated once.
        """
        new = [guess for guess in dict.fromkeys(guesses) if guess not in self.keys]
        if not new:
            return
        sums = [self.costs[table].sum(axis=1) for table in count_scores(self.game, self.codes, new)]
        saved = [int(self.costs[1]) if guess in self.members else 0 for guess in new]
        self.keys.update(zip(new, (np.concatenate(sums) - saved).tolist(), strict=True))

    def best(self, many: int = 1) -> list[Code]:
        """The best so far, the lowest first among equals."""
        return nsmallest(many, self.keys, key=self._rank)

    def climb(self, starts: int, most: int, is_late: Callable[[], bool]) -> None:
        """From so many of the best go on to the best neighbor while that is better.

        Ends before more guesses are evaluated than `most`, or when it is late. Where not even one
        has room for its neighbors, every second of them is looked at, or third, and so on.
        """
        front, most = self.best(starts), most + len(self.keys)
        reach = 1 + self.game.pegs * (self.game.colors - 1) + comb(self.game.pegs, 2)
        while front and most > len(self.keys) and not is_late():
            room = most - len(self.keys)
            step = -(-reach // room)
            around = {
                guess: [*islice(neighbors(self.game, guess), 0, None, step)]
                for guess in front[: max(1, room // reach)]
            }
            self.evaluate(guess for near in around.values() for guess in near)
            best = {guess: min(near, key=self._rank) for guess, near in around.items() if near}
            better = {near for guess, near in best.items() if self.keys[near] < self.keys[guess]}
            front = sorted(better, key=self._rank)

    def _rank(self, guess: Code) -> tuple[int, Code]:
        return self.keys[guess], guess


def neighbors(game: Game, guess: Code) -> Iterator[Code]:
    """The codes of a game that differ from a guess in one peg, or by exchanging two."""
    is_code = game.space.contains
    for peg, own in enumerate(guess):
        for color in range(game.colors):
            near = (*guess[:peg], color, *guess[peg + 1 :])
            if color != own and is_code(near):
                yield near
    for one, other in combinations(range(game.pegs), 2):
        if guess[one] != guess[other]:
            swapped = list(guess)
            swapped[one], swapped[other] = guess[other], guess[one]
            if is_code(swapped):
                yield tuple(swapped)


@dataclass(eq=False, repr=False, kw_only=True)
class Sampled(SeededStrategy):
    """The fewest guesses to come, judged by a sample: for games of any size.

    Guesses are a pool of consistent codes (see strategy/pool.py), and what is found from the best
    of them by hill climbing: changing a peg or exchanging two as long as that is better. Each is
    judged by how it parts the pool, by the estimate of the guesses to come
    (strategy/costs.py), which is the entropy where the pool is a sample; taken is the
    lowest of the best. From 200 codes on the rest of the game is searched (strategy/endgame.py).
    The first guess is one of the balanced codes, AABBCC..., judged alike. Work, and so time, is
    bounded but for the search of a first consistent code.

    With a timeout, guesses are judged, in any order, until it is over; drawing the pool comes
    before that. What is guessed then depends on the machine, unless time was enough for all.
    """

    name = "sampled"
    summary = "the best of many guesses, judged by a sample of the codes: for games of any size"
    source = "after Neuwirth 1982, on samples as Temporel and Kovacs 2003, Berghman et al. 2009"

    size: int = SIZE
    timeout: float | None = None

    def choose(self, state: State) -> Code:
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
