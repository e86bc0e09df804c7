"""Boards scored from a secret code."""

from __future__ import annotations

import random

from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game


def secret_board(size, rows, seed):
    """Return a board of random guesses that are scored against a random code."""
    game = Game.parse(size)
    rng = random.Random(seed)
    secret, *guesses = [
        tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
    ]
    return Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
