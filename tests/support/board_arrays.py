"""Boards as numpy arrays."""

from __future__ import annotations

import numpy as np


def as_arrays(boards):
    """Guesses, scores and starts of boards of one game."""
    rows = [row for board in boards for row in board.rows]
    game = boards[0].game
    guesses = np.array([row.guess for row in rows], dtype=np.int64).reshape(-1, game.pegs)
    scores = [[-1 if part is None else part for part in row.score] for row in rows]
    starts = np.cumsum([0, *(len(board.rows) for board in boards)])
    return guesses, np.array(scores, dtype=np.int64).reshape(-1, len(game.parts)), starts
