"""Guesses evaluated by how they partition some codes, and better ones by hill climbing."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from heapq import nsmallest
from itertools import combinations, islice
from math import comb

from mmsat.arrays import Array
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.partition import count_scores

UNIT = 256
"""Of a guess: costs are whole numbers of its 256th parts."""
START = 333
"""What a code takes where there are others, in such parts: 1.3 guesses ..."""
BITS = 4
"""... and one more for so many bits of doubt. Both as measured on games of 8 pegs and 12 colors."""


def estimate_costs(most: int, *, is_all: bool) -> Array:
    """By the size of a part, from 0 to the most, the guesses that its codes take in all.

    A code takes 1.3 guesses, and one more for each four bits of doubt; n codes never take less than
    2n - 1, and one or two take just that. A part of a sample stands for so many codes that only the
    doubt counts, and its costs compare as entropies do.
    """
    return _estimate(1 << most.bit_length(), is_all)[: most + 1]


@cache
def _estimate(end: int, is_all: bool) -> Array:
    import numpy as np  # noqa: PLC0415  (loads when needed)

    costs = [0]
    for size in range(1, end):
        doubt = size * ((size**UNIT).bit_length() - 1)
        if not is_all:
            costs.append(doubt)
            continue
        least = (2 * size - 1) * UNIT
        costs.append(least if size <= 2 else max(least, size * START + doubt // BITS))
    return np.array(costs, dtype=np.int64)


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
        import numpy as np  # noqa: PLC0415

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
