"""Random boards for measurements: a planted code and random guesses, from a seed."""

from __future__ import annotations

import random

from mmsat import Board, Game, Row


def planted(size: str, rows: int, seed: int) -> Board:
    """Return a consistent board of a game such as "30x30"."""
    rng = random.Random(seed)
    game = Game.parse(size)
    code = tuple(rng.randrange(game.colors) for _ in range(game.pegs))
    scored = []
    for _ in range(rows):
        guess = tuple(rng.randrange(game.colors) for _ in range(game.pegs))
        scored.append(Row(guess, game.score(code, guess)))
    return Board(game, tuple(scored))


def slipped(board: Board, seed: int) -> Board:
    """Return the board with one score changed by one key peg; it is inconsistent in most cases."""
    rng = random.Random(seed)
    row = rng.randrange(len(board.rows))
    black, white = board.rows[row].score
    other = (black + 1, white - 1) if white else (black, white + 1)
    return board.changed({row: other})
