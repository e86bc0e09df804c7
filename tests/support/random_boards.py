"""Small random boards. Equal seeds give equal boards."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS, Pairs
from mmsat.game.space import SPACES
from mmsat.game.symbols import Symbols
from mmsat.game.words import Words
from tests.support import twins

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmsat.game import Code, Score
    from mmsat.game.scoring import Scoring

LETTERS = "RGBYPOACDEFHIJKLMNQSTUVWXZ"
EVERY_SPACE = {*SPACES, Words.name}
"""The names of the spaces, with the one that has no suffix."""


def random_game(rng: random.Random, pegs: int = 4, colors: int = 4) -> Game:
    """Return a game of any space and scoring, with at most `pegs` pegs and `colors` colors."""
    scoring = rng.choice(list(SCORINGS.values()))
    if isinstance(scoring, Pairs):
        shapes = rng.randint(1, max(1, colors // 2))
        scoring = type(scoring)(shapes)
        size = rng.randint(1, pegs), shapes * rng.randint(1, max(1, colors // shapes))
    else:
        size = rng.randint(1, pegs), rng.randint(1, colors)
    space = rng.choice([*SPACES.values(), None])
    if space is None:
        return of_words(rng, *size, scoring)
    if space.unfit(*size):
        size = min(size), size[1]
    return Game(*size, space, scoring)


def of_words(rng: random.Random, pegs: int, colors: int, scoring: Scoring) -> Game:
    """Return a game of up to 20 words, with or without other guesses."""
    words = {tuple(rng.choices(range(colors), k=pegs)) for _ in range(rng.randint(1, 20))}
    return Game(
        pegs,
        colors,
        Words(words, allows_any_guess=rng.random() < 0.5),
        scoring,
        None if isinstance(scoring, Pairs) else Symbols(tuple(LETTERS[:colors]), "letter"),
        "game:words.toml",
    )


def random_guess(rng: random.Random, game: Game) -> Code:
    """Return a random guess of the game."""
    if isinstance(game.space, Words) and not game.space.allows_any_guess:
        return rng.choice(game.space.codes)
    return tuple(rng.randrange(game.colors) for _ in range(game.pegs))


def random_secret(rng: random.Random, game: Game) -> Code:
    """Return a random code of the game."""
    if isinstance(game.space, Words):
        return rng.choice(game.space.codes)
    if game.space.name == "distinct":
        return tuple(rng.sample(range(game.colors), game.pegs))
    return random_guess(rng, game)


def random_score(rng: random.Random, game: Game, secret: Code, guess: Code, slips: float) -> Score:
    """Return the true score with random changes.

    With the probability `slips`, a part is replaced by any number, which may be impossible. With
    the probability 0.1, it is unread.
    """
    score: list[int | None] = list(game.score(secret, guess))
    for part in range(len(score)):
        if rng.random() < slips:
            score[part] = rng.randint(0, min(game.pegs + 1, game.scoring.highest))
        if rng.random() < 0.1:
            score[part] = None
    return tuple(score)


def random_board(
    rng: random.Random, pegs: int = 4, colors: int = 4, rows: int = 5, slips: float | None = None
) -> Board:
    """Return a board with a random number of rows, which may be redundant or contradictory."""
    game = random_game(rng, pegs, colors)
    secret = random_secret(rng, game)
    rate = rng.choice([0.0, 0.15, 0.5]) if slips is None else slips
    scored: list[Row] = []
    for _ in range(rng.randint(0, rows)):
        guess = random_guess(rng, game)
        if scored and rng.random() < 0.1:
            guess = rng.choice(scored).guess
        scored.append(Row(guess, random_score(rng, game, secret, guess, rate)))
        if rng.random() < 0.05:
            scored.append(rng.choice(scored))
    return Board(game, tuple(scored[:rows]))


def spaces_of(boards: Iterable[Board]) -> set[str]:
    """Return the names of the code spaces of boards."""
    return {board.game.space.name for board in boards}


def scorings_of(boards: Iterable[Board]) -> set[str]:
    """Return the names of the kinds of scoring of boards."""
    return {board.game.scoring.name for board in boards}


@lru_cache(maxsize=8)
def known_boards(
    number: int, seed: int = 1, pegs: int = 4, colors: int = 4, rows: int = 5
) -> tuple[tuple[Board, tuple[Code, ...]], ...]:
    """Return `number` boards, each with its consistent codes in order, found by the twin."""
    rng = random.Random(seed)
    boards = [random_board(rng, pegs, colors, rows) for _ in range(number)]
    return tuple((board, tuple(twins.consistent(board))) for board in boards)


@lru_cache(maxsize=8)
def inconsistent_boards(
    number: int, seed: int = 1, pegs: int = 4, colors: int = 4, rows: int = 6
) -> tuple[Board, ...]:
    """Return `number` boards without a consistent code."""
    rng = random.Random(seed)
    results: list[Board] = []
    while len(results) < number:
        board = random_board(rng, pegs, colors, rows, slips=rng.choice([0.15, 0.4, 0.8]))
        if not twins.consistent(board):
            results.append(board)
    return tuple(results)
