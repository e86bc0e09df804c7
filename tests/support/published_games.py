"""A simulated position of each published game, with and without a scoring error."""

from __future__ import annotations

import random
from functools import cache

import pytest

from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.names import PUBLISHED_GAMES
from tests.support import twins
from tests.support.random_boards import random_guess, random_secret

each_game = pytest.mark.parametrize("name", PUBLISHED_GAMES)
"""Decorator of a test that runs once for each published game."""


@cache
def played(name):
    """Return a board of three rows of a game, and the code with which they were scored.

    One part of the first score is unread.
    """
    game = PUBLISHED_GAMES[name].game
    rng = random.Random(name)
    secret = random_secret(rng, game)
    rows = []
    for number in range(3):
        guess = random_guess(rng, game)
        score = list(twins.score(game.scoring, secret, guess))
        if number == 0 and len(score) > 1:
            score[rng.randrange(len(score))] = None
        rows.append(Row(guess, tuple(score)))
    return Board(game, tuple(rows)), secret


@cache
def slipped(name):
    """Return the same board with its last guess repeated with a wrong score, and this score."""
    board, secret = played(name)
    guess = board.rows[-1].guess
    true = twins.score(board.game.scoring, secret, guess)
    wrong_score = (true[0] + 1 if true[0] == 0 else true[0] - 1, *true[1:])
    return Board(board.game, (*board.rows, Row(guess, wrong_score))), wrong_score
