"""Guesses judged by how they part some codes, and better ones found by small changes."""

from __future__ import annotations

from heapq import nsmallest
from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, Any

from mmsat.strategy.parts import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from mmsat.game.game import Game
    from mmsat.game.row import Code


class Judge:
    """Guesses and their keys, whole numbers of which the least is the best; each judged once."""

    def __init__(self, game: Game, codes: NDArray[Any], costs: NDArray[Any]) -> None:
        """The codes, shape (codes, pegs), and the cost of a part by its size."""
        self.game = game
        self.codes = codes
        self.costs = costs
        self.members: dict[Code, None] = dict.fromkeys(map(tuple, codes.tolist()))
        self.keys: dict[Code, int] = {}

    def judge(self, guesses: Iterable[Code]) -> None:
        """The cost of all parts; a guess that is one of the codes saves a part of one.

        Costs a score for each guess and code.
        """
        import numpy as np  # noqa: PLC0415  (loads when needed)

        new = [guess for guess in dict.fromkeys(guesses) if guess not in self.keys]
        if not new:
            return
        found = [self.costs[table].sum(axis=1) for table in tables(self.game, self.codes, new)]
        saved = [int(self.costs[1]) if guess in self.members else 0 for guess in new]
        self.keys.update(zip(new, (np.concatenate(found) - saved).tolist(), strict=True))

    def best(self, many: int = 1) -> list[Code]:
        """The best so far, the lowest first among equals."""
        return nsmallest(many, self.keys, key=self._rank)

    def climb(self, starts: int, most: int, is_late: Callable[[], bool]) -> None:
        """From so many of the best go on to the best neighbor while that is better.

        Ends before more guesses are judged than `most`, or when it is late. Where not even one has
        room for its neighbors, every second of them is looked at, or third, and so on.
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
            self.judge(guess for near in around.values() for guess in near)
            found = {guess: min(near, key=self._rank) for guess, near in around.items() if near}
            better = {near for guess, near in found.items() if self.keys[near] < self.keys[guess]}
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
