"""Enumerate and score the codes of a game independently of mmsat.

All codes are listed in an array and scored peg by peg in numpy, without any scorer, system, engine
or kernel of mmsat. tests/benchmarks/test_trust.py compares the results with tests/support/twins.py.
"""

from __future__ import annotations

from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from mmsat.game.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat import Game

    Array = np.ndarray[Any, Any]
    Code = tuple[int, ...]
    Score = tuple[int | None, ...]

LARGEST = 1_000_000
"""Maximum number of codes of a game whose codes are listed."""
KEPT = 1 << 28
"""Maximum number of bytes of cached scores. If there are more, all are dropped."""


class Truth:
    """All codes of one game in order, shared by the boards of that game."""

    def __init__(self, game: Game) -> None:
        """Store the game; arrays are computed on demand."""
        self.game = game
        self._scores: dict[Code, Array] = {}

    @cached_property
    def codes(self) -> Array:
        """All codes in lexicographic order, codes by pegs; ValueError if there are too many."""
        if self.game.size > LARGEST:
            raise ValueError(self.game.size)
        return all_codes(self.game)

    @cached_property
    def pegs(self) -> Array:
        """The same, pegs by codes."""
        return np.ascontiguousarray(self.codes.T)

    @cached_property
    def _numbers(self) -> Array:
        return numbers(self.codes, self.game.colors)

    def find(self, code: Sequence[int]) -> int | None:
        """Return the index of a code, or None if it is not a code of the game."""
        wanted = 0
        for color in code:
            wanted = wanted * self.game.colors + color
        place = int(np.searchsorted(self._numbers, wanted))
        is_there = place < len(self.codes) and tuple(self.codes[place].tolist()) == tuple(code)
        return place if is_there else None

    def scores(self, guess: Sequence[int]) -> Array:
        """Return the score of each code for a guess, components by codes."""
        guess = tuple(guess)
        if guess not in self._scores:
            created = scores(self.game, self.pegs, guess)
            if (1 + len(self._scores)) * created.nbytes > KEPT:
                self._scores.clear()
            self._scores[guess] = created
        return self._scores[guess]

    def missed(self, guess: Sequence[int], read: Score) -> Array:
        """Return whether each code differs from the known parts of a score."""
        result = np.zeros(len(self.codes), dtype=bool)
        for true, number in zip(self.scores(guess), read, strict=True):
            if number is not None:
                result |= true != number
        return result


def all_codes(game: Game) -> Array:
    """Return the codes of a game in lexicographic order."""
    space, colors, pegs = game.space, game.colors, game.pegs
    if isinstance(space, Words):
        result = np.array(sorted(set(space.codes)))
    elif space.name == "distinct":
        result = np.array(list(permutations(range(colors), pegs)))
    else:
        every = np.arange(colors**pegs)
        result = np.stack(np.unravel_index(every, (colors,) * pegs), axis=1)
    return result.astype(np.int8)


def numbers(rows: Array, base: int) -> Array:
    """Each row as one number, its entries as digits."""
    result = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        result = result * base + column
    return result


def score_numbers(game: Game, parts: Array) -> Array:
    """Scores, parts by codes, each as one number."""
    return numbers(parts.T, max(game.pegs, 2) + 1)


def scores(game: Game, pegs: Array, guess: Sequence[int]) -> Array:
    """Return the scores of codes (pegs by codes) for a guess.

    Only the name of the scoring is used.
    """
    kind = game.scoring.name
    asked = np.array(guess, dtype=np.int8)[:, None]
    same = pegs == asked
    if kind == "order":
        return np.where(same, 2, pegs > asked).astype(np.int8)
    if kind == "places":
        return marks(pegs, same, guess)
    black = same.sum(axis=0, dtype=np.int8)
    if kind == "black":
        return black[None]
    if kind == "pairs-one-key":
        keys = marks(pegs, same, guess)
        parts = [keys == 2, keys == 1, halves(game, pegs, guess) & (keys == 0)]
        return np.stack([part.sum(axis=0, dtype=np.int8) for part in parts])
    both = np.zeros(pegs.shape[1], dtype=np.int8)
    for color in set(guess):
        both += np.minimum((pegs == color).sum(axis=0, dtype=np.int8), guess.count(color))
    if kind == "color":
        return both[None]
    if kind == "black-white":
        return np.stack([black, both - black])
    if kind == "pairs":
        return np.stack(
            [black, both - black, (halves(game, pegs, guess) & ~same).sum(axis=0, dtype=np.int8)]
        )
    raise ValueError(kind)


def halves(game: Game, pegs: Array, guess: Sequence[int]) -> Array:
    """Whether the color or the shape of a pair is right in place, or both."""
    shapes = getattr(game.scoring, "shapes", 1)
    every = np.arange(game.colors)
    tables = [(every // shapes == a // shapes) | (every % shapes == a % shapes) for a in guess]
    return np.stack([table[colors] for table, colors in zip(tables, pegs, strict=True)])


def marks(pegs: Array, same: Array, guess: Sequence[int]) -> Array:
    """2 in place, 1 elsewhere, 0 not at all: from left to right, each peg of the code once."""
    result = same.astype(np.int8) * np.int8(2)
    for color in set(guess):
        waiting = ((pegs == color) & ~same).sum(axis=0, dtype=np.int8)
        for peg in (peg for peg, asked in enumerate(guess) if asked == color):
            is_elsewhere = ~same[peg] & (waiting > 0)
            result[peg] += is_elsewhere
            waiting -= is_elsewhere
    return result
