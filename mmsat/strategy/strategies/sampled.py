"""The strategy `sampled`: guesses evaluated on a sample of codes, and improved by hill climbing."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from heapq import nsmallest
from itertools import combinations, islice
from math import comb, isqrt
from time import monotonic

from mmsat._util import Array, np
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.strategy.answers import count_scores
from mmsat.strategy.candidates import Pool, balanced_codes, draw_pool
from mmsat.strategy.optimal.answer_table import TooLongError, estimate_costs, solve_endgame
from mmsat.strategy.strategy import SeededStrategy, State

MAX_CODES = 5000
"""Maximum number of codes that guesses are evaluated against. Also the maximum number of guesses
evaluated before climbing, and while climbing."""
MAX_FIRST_CODES = 20_000
"""Maximum number of codes that first guesses are evaluated against; these are drawn with seed 0."""
MAX_SCORED_PEGS = 400_000_000
"""Maximum number of pegs scored to choose a guess; in large games, the pool is smaller."""
CLIMB_STARTS = 10
"""Number of guesses at which climbing starts."""
MAX_ENDGAME_CODES = 200
"""Maximum number of remaining codes for searching the rest of the game."""
MAX_ENDGAME_OTHERS = 500
"""Maximum number of guesses, in addition to the remaining codes, for searching the rest of the
game."""
GUESSES_PER_CHECK = 100
"""Number of guesses evaluated between checks of the timeout."""


class GuessEvaluator:
    """Guesses and their keys. A key is a whole number, and the smallest key is the best."""

    def __init__(self, game: Game, codes: Array, costs: Array) -> None:
        """Create an evaluator from codes, shape (codes, pegs), and the costs of parts by size."""
        self.game = game
        self.codes = codes
        self.costs = costs
        self.members: dict[Code, None] = dict.fromkeys(map(tuple, codes.tolist()))
        self.keys: dict[Code, int] = {}

    def evaluate(self, guesses: Iterable[Code]) -> None:
        """Compute the keys of guesses without a key: the sum of the costs of all parts.

        If a guess is one of the codes, the cost of a part with one code is subtracted, as that code
        needs no further guess. Computes one score for each pair of a new guess and a code.
        """
        new_guesses = [guess for guess in dict.fromkeys(guesses) if guess not in self.keys]
        if not new_guesses:
            return
        sums = [
            self.costs[table].sum(axis=1)
            for table in count_scores(self.game, self.codes, new_guesses)
        ]
        discounts = [int(self.costs[1]) if guess in self.members else 0 for guess in new_guesses]
        self.keys.update(zip(new_guesses, (np.concatenate(sums) - discounts).tolist(), strict=True))

    def best(self, max_guesses: int = 1) -> list[Code]:
        """Return the best guesses so far; among equals, the first in lexicographic order."""
        return nsmallest(max_guesses, self.keys, key=self._rank)

    def climb(self, num_starts: int, max_evaluations: int, is_time_up: Callable[[], bool]) -> None:
        """Move from each of the `num_starts` best guesses to better neighbors while there are any.

        Stops before more than `max_evaluations` guesses are evaluated, or when `is_time_up` returns
        true. If the limit is smaller than the number of neighbors of one guess, only every n-th
        neighbor is evaluated.
        """
        frontier, max_keys = self.best(num_starts), max_evaluations + len(self.keys)
        max_neighbors = 1 + self.game.pegs * (self.game.colors - 1) + comb(self.game.pegs, 2)
        while frontier and max_keys > len(self.keys) and not is_time_up():
            remaining_evaluations = max_keys - len(self.keys)
            step = -(-max_neighbors // remaining_evaluations)
            neighborhoods = {
                guess: [*islice(neighbors(self.game, guess), 0, None, step)]
                for guess in frontier[: max(1, remaining_evaluations // max_neighbors)]
            }
            self.evaluate(
                guess for neighborhood in neighborhoods.values() for guess in neighborhood
            )
            best = {
                guess: min(neighborhood, key=self._rank)
                for guess, neighborhood in neighborhoods.items()
                if neighborhood
            }
            better = {
                neighbor
                for guess, neighbor in best.items()
                if self.keys[neighbor] < self.keys[guess]
            }
            frontier = sorted(better, key=self._rank)

    def _rank(self, guess: Code) -> tuple[int, Code]:
        return self.keys[guess], guess


def neighbors(game: Game, guess: Code) -> Iterator[Code]:
    """Yield the codes of a game that differ from a guess in one peg, or by exchanging two pegs."""
    is_code = game.space.contains
    for peg, guess_color in enumerate(guess):
        for color in range(game.colors):
            neighbor = (*guess[:peg], color, *guess[peg + 1 :])
            if color != guess_color and is_code(neighbor):
                yield neighbor
    for first_peg, second_peg in combinations(range(game.pegs), 2):
        if guess[first_peg] != guess[second_peg]:
            swapped = list(guess)
            swapped[first_peg], swapped[second_peg] = guess[second_peg], guess[first_peg]
            if is_code(swapped):
                yield tuple(swapped)


@dataclass(eq=False, repr=False, kw_only=True)
class Sampled(SeededStrategy):
    """Minimizes an estimated number of further guesses, on a sample; for games of any size.

    Guesses are taken from a pool of consistent codes (see strategy/candidates.py). The best guesses
    are improved by hill climbing: one peg is changed, or two pegs are exchanged, as long as this
    improves the guess. Each guess is evaluated by how it partitions the pool, with an estimate of
    the number of further guesses, or by entropy if the pool is a sample. Among equally good
    guesses, the first in lexicographic order is chosen. If at most 200 codes remain, the rest of
    the game is searched (`solve_endgame`). The first guess is one of the balanced codes, AABBCC...,
    evaluated in the same way. The work is bounded, except for the search for the first
    consistent code.

    With a timeout, the pool is drawn, and then guesses are evaluated in random order until the time
    is up. The guess then depends on the machine, unless there is enough time for all guesses.
    """

    name = "sampled"
    summary = "the best of many guesses, evaluated on a sample of the codes; for games of any size"
    source = "after Neuwirth 1982, on samples as Temporel and Kovacs 2003, Berghman et al. 2009"

    size: int = MAX_CODES
    """Maximum number of codes in the pool."""
    timeout: float | None = None
    """Time limit for evaluating guesses, in seconds; None for no limit."""

    def choose(self, state: State) -> Code:
        started, game, rng = monotonic(), state.game, self.random(state)
        if not state.rows and (first := best_balanced(game)):
            return first

        def is_time_up() -> bool:
            return self.timeout is not None and monotonic() - started > self.timeout

        size = max(1, min(self.size, isqrt(MAX_SCORED_PEGS // game.pegs)))
        pool = draw_pool(state, size, rng.getrandbits(31))
        evaluator = make_evaluator(game, pool)
        guesses = [*evaluator.members]
        if self.timeout is not None:
            rng.shuffle(guesses)
        chunk_size = len(guesses) if self.timeout is None else GUESSES_PER_CHECK
        for start in range(0, len(guesses), chunk_size):
            evaluator.evaluate(guesses[start : start + chunk_size])
            if is_time_up():
                break
        if not self.consistent_only:
            evaluator.climb(CLIMB_STARTS, size, is_time_up)
        if pool.is_all and len(guesses) <= MAX_ENDGAME_CODES:
            ranked = evaluator.best(len(evaluator.keys))
            others = [guess for guess in ranked if guess not in evaluator.members][
                :MAX_ENDGAME_OTHERS
            ]
            with suppress(TooLongError):
                _, guess = solve_endgame(
                    game, pool.codes, others, consistent_only=self.consistent_only
                )
                return guess
        return evaluator.best()[0]


@cache
def best_balanced(game: Game) -> Code | None:
    """Return the best balanced code, or None if no balanced code is in the game."""
    guesses = list(balanced_codes(game))
    if not guesses:
        return None
    size = max(1, min(MAX_FIRST_CODES, MAX_SCORED_PEGS // (game.pegs * len(guesses))))
    evaluator = make_evaluator(game, draw_pool(State.start(game), size, 0))
    evaluator.evaluate(guesses)
    return evaluator.best()[0]


def make_evaluator(game: Game, pool: Pool) -> GuessEvaluator:
    """Return an evaluator of guesses against the codes of a pool."""
    return GuessEvaluator(game, pool.codes, estimate_costs(len(pool.codes), is_all=pool.is_all))
