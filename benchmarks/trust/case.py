"""One board of the campaign, made from its seed, and its ground truth.

A hundred consecutive boards share a game, so that its codes are listed and scored once.
"""

from __future__ import annotations

import random
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

import mmsat
from benchmarks.trust.truth import LARGEST, Truth
from mmsat import Board
from mmsat.game import Row
from mmsat.game.names import PUBLISHED_GAMES
from tests.support import twins
from tests.support.random_boards import random_game, random_guess, random_secret

if TYPE_CHECKING:
    from benchmarks.trust.truth import Array, Code
    from mmsat import Game

SIZES = (
    (60, 1, 300, 5, 5, 6),
    (23, 301, 10_000, 7, 9, 8),
    (5, 10_001, 100_000, 8, 12, 9),
    (1, 100_001, LARGEST, 10, 12, 10),
    (0.25, LARGEST + 1, 10**12, 10, 16, 14),
)
"""Shares of games: minimum and maximum number of codes, then maximum pegs, colors and rows."""
PUBLISHED = 10.75, 8
"""The share of published games, as in SIZES, and the maximum number of rows."""
FAMILY = 100
"""Number of boards of one game."""
GUESSES = 20
"""Number of different guesses in games of more than 300 codes. In smaller games, all are used."""
TIMED = 0.05
"""Fraction of the boards whose questions have a time limit, which runs some in other processes."""
SECONDS = 3600.0
"""Time limit of questions with a limit in seconds; long, so that a busy machine causes no
failure.
"""


@lru_cache(maxsize=1)
def published_games() -> list[Game]:
    """Return the published games whose codes can be listed."""
    games = (PUBLISHED_GAMES[name].game for name in PUBLISHED_GAMES)
    return [game for game in games if game.size <= LARGEST]


class Family:
    """A game, and the guesses of its boards."""

    def __init__(self, number: int) -> None:
        """Draw a game and its guesses. Equal numbers give equal families."""
        rng = random.Random(f"family {number}")
        shapes = [size[1:] for size in SIZES]
        shape = rng.choices([*shapes, None], [*(size[0] for size in SIZES), PUBLISHED[0]])[0]
        if shape is None:
            self.game = rng.choice(published_games())
            self.rows = PUBLISHED[1]
        else:
            least, maximum, pegs, colors, self.rows = shape
            self.game = random_game(rng, pegs, colors)
            while not least <= self.game.size <= maximum:
                self.game = random_game(rng, pegs, colors)
        self.truth = Truth(self.game)
        self.guesses = [random_guess(rng, self.game) for _ in range(GUESSES)]

    @property
    def is_small(self) -> bool:
        """Whether all guesses are used, because scoring one takes little time."""
        return self.game.size <= SIZES[0][2]


@lru_cache(maxsize=2)
def family(number: int) -> Family:
    """Return the cached family with this number."""
    return Family(number)


class Case:
    """A board and its ground truth."""

    def __init__(self, board: Board, rng: random.Random, truth: Truth | None = None) -> None:
        """Use `rng` for the free choices of a question."""
        self.board = board
        self.game = board.game
        self.rng = rng
        self.truth = Truth(board.game) if truth is None else truth
        self.timeout = SECONDS if rng.random() < TIMED else None

    @classmethod
    def of_seed(cls, seed: int) -> Case:
        """Return the case of a seed. Equal seeds give equal boards."""
        rng = random.Random(seed)
        its = family(seed // FAMILY)
        return cls(random_board(rng, its), rng, its.truth)

    @property
    def is_large(self) -> bool:
        """Whether there are too many codes to list them."""
        return self.game.size > LARGEST

    @property
    def size_class(self) -> str:
        """The number of codes of the game, as the next power of ten, in text that sorts by size."""
        return f"up to 10^{len(str(self.game.size - 1)):02}"

    @property
    def codes(self) -> Array:
        """All codes of the game in order, codes by pegs."""
        return self.truth.codes

    @cached_property
    def answer(self) -> mmsat.Codes:
        """Return the codes according to mmsat; they are ranked once for all questions."""
        return mmsat.codes(self.board)

    @cached_property
    def missed(self) -> Array:
        """Return whether each code misses the known parts of each row's score, rows by codes."""
        rows = [self.truth.missed(guess, read) for guess, read in self.board.rows]
        return np.array(rows, dtype=bool).reshape(len(rows), len(self.codes))

    @cached_property
    def places(self) -> Array:
        """The indices of the consistent codes among all codes."""
        return np.flatnonzero(~self.missed.any(axis=0))

    @cached_property
    def left(self) -> Array:
        """The consistent codes in order, codes by pegs."""
        return self.codes[self.places]

    @cached_property
    def listed(self) -> list[Code]:
        """The consistent codes in order, as tuples."""
        return list(map(tuple, self.left.tolist()))

    def before(self, row: int) -> Array:
        """Return the indices of the codes that are consistent with the rows before `row`."""
        return np.flatnonzero(~self.missed[:row].any(axis=0))

    def has(self, code: Code) -> bool:
        """Return whether a code is consistent."""
        place = self.truth.find(code)
        return place is not None and not self.missed[:, place].any()


def random_board(rng: random.Random, its: Family) -> Board:
    """Return a board with redundant or contradictory rows, and some wrong and unread scores."""
    game = its.game
    if game.size > LARGEST:
        secret = random_secret(rng, game)
    else:
        place = rng.randrange(game.size)
    slips = rng.choice([0.0, 0.15, 0.5])
    rows: list[Row] = []
    for _ in range(rng.randint(0, its.rows)):
        guess = random_guess(rng, game) if its.is_small else rng.choice(its.guesses)
        if rows and rng.random() < 0.1:
            guess = rng.choice(rows).guess
        if game.size > LARGEST:
            true = twins.score(game.scoring, secret, guess)
        else:
            true = its.truth.scores(guess)[:, place].tolist()
        score: list[int | None] = list(true)
        for part in range(len(score)):
            if rng.random() < slips:  # any number, impossible ones included
                score[part] = rng.randint(0, min(game.pegs + 1, game.scoring.highest))
            if rng.random() < 0.1:
                score[part] = None
        rows.append(Row(guess, tuple(score)))
        if rng.random() < 0.05:
            rows.append(rng.choice(rows))
    return Board(game, tuple(rows[: its.rows]))
