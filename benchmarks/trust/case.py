"""One board of the campaign, made from its seed, and its codes by a definition of their own.

All codes of a game are written down in an array and scored peg by peg in numpy. No scorer, system,
engine or kernel of mmsat has a part in it; tests/benchmarks/test_trust.py holds it against the
twins of tests/twins.py.
"""

from __future__ import annotations

import random
from functools import cached_property, lru_cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from mmsat.game.words import Words
from tests.laws.random_boards import random_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat import Board, Game

    Array = np.ndarray
    Code = tuple[int, ...]

SIZES = (
    (70, 1, 300, 5, 5, 6),
    (26, 301, 10_000, 7, 9, 8),
    (3, 10_001, 100_000, 8, 12, 9),
    (0.5, 100_001, 1_000_000, 10, 12, 10),
    (0.5, 1_000_001, 10**12, 10, 16, 14),
)
"""Shares of boards: from so many codes, to so many; most pegs, colors and rows."""
LARGEST = 1_000_000
"""Codes that are written down; of larger games, engines are asked against each other."""


class Case:
    """A board and what is true of it."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        """`rng` is for what a question leaves open."""
        self.board = board
        self.game = board.game
        self.rng = rng

    @classmethod
    def of_seed(cls, seed: int) -> Case:
        """The same board for the same seed."""
        rng = random.Random(seed)
        _, least, most, *shape = rng.choices(SIZES, [size[0] for size in SIZES])[0]
        while True:
            board = random_board(rng, *shape)
            if least <= board.game.size <= most:
                return cls(board, rng)

    @property
    def is_large(self) -> bool:
        """Whether the codes are too many to be written down."""
        return self.game.size > LARGEST

    @cached_property
    def codes(self) -> Array:
        """All codes of the game in order, codes by pegs; raises ValueError where it is large."""
        if self.is_large:
            raise ValueError(self.game.size)
        space = self.game.space
        words = tuple(space.codes) if isinstance(space, Words) else None
        return all_codes(self.game.pegs, self.game.colors, space.name, words)

    @cached_property
    def missed(self) -> Array:
        """Whether a code does not get what was read of a row's score, codes by rows."""
        table = np.zeros((len(self.codes), len(self.board.rows)), dtype=bool)
        for row, (guess, read) in enumerate(self.board.rows):
            true = scores(self.game, self.codes, guess)
            for part, number in enumerate(read):
                if number is not None:
                    table[:, row] |= true[:, part] != number
        return table

    @cached_property
    def left(self) -> Array:
        """The consistent codes in order."""
        return self.codes[~self.missed.any(axis=1)]

    @cached_property
    def listed(self) -> list[Code]:
        """The same as tuples."""
        return list(map(tuple, self.left.tolist()))

    def before(self, row: int) -> Array:
        """The codes that the rows before one leave."""
        return self.codes[~self.missed[:, :row].any(axis=1)]


@lru_cache(maxsize=16)
def all_codes(pegs: int, colors: int, space: str, words: tuple[Code, ...] | None) -> Array:
    """The codes of a space in lexicographic order."""
    if words is not None:
        return np.array(sorted(set(words)), dtype=np.int16)
    if space == "distinct":
        return np.array(list(permutations(range(colors), pegs)), dtype=np.int16)
    numbers = np.arange(colors**pegs)
    return np.stack(np.unravel_index(numbers, (colors,) * pegs), axis=1).astype(np.int16)


def scores(game: Game, codes: Array, guess: Sequence[int]) -> Array:
    """The scores that codes give a guess, codes by parts; of the kind only its name is asked."""
    asked = np.array(guess, dtype=np.int16)
    same = codes == asked
    black = same.sum(axis=1)
    both = sum(np.minimum((codes == color).sum(axis=1), guess.count(color)) for color in set(guess))
    shapes = getattr(game.scoring, "shapes", 1)
    half = (codes // shapes == asked // shapes) | (codes % shapes == asked % shapes)
    kind = game.scoring.name
    if kind == "black":
        parts = [black]
    elif kind == "color":
        parts = [both]
    elif kind == "black-white":
        parts = [black, both - black]
    elif kind == "order":
        parts = list(np.where(same, 2, codes > asked).T)
    elif kind == "places":
        parts = list(marks(codes, asked).T)
    elif kind == "pairs":
        parts = [black, both - black, (half & ~same).sum(axis=1)]
    elif kind == "pairs-one-key":
        keys = marks(codes, asked)
        parts = [(keys == 2).sum(axis=1), (keys == 1).sum(axis=1), (half & (keys == 0)).sum(axis=1)]
    else:
        raise ValueError(kind)
    return np.stack(parts, axis=1)


def marks(codes: Array, asked: Array) -> Array:
    """2 in place, 1 elsewhere, 0 not at all: from left to right, each peg of the code once."""
    same = codes == asked
    found = np.where(same, 2, 0)
    for peg, color in enumerate(asked):
        open_pegs = ((codes == color) & ~same).sum(axis=1)
        taken = ((found[:, :peg] == 1) & (asked[:peg] == color)).sum(axis=1)
        found[(found[:, peg] == 0) & (open_pegs > taken), peg] = 1
    return found
