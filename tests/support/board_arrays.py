"""Boards as numpy arrays."""

from __future__ import annotations

import numpy as np


def as_arrays(boards):
    """Return boards of one game as the three arrays of `mmsat.check_arrays`.

    These are all guesses, all scores (-1 for an unread part), and the index of the first row of
    each board, followed by the number of rows.
    """
    rows = [row for board in boards for row in board.rows]
    game = boards[0].game
    guesses = np.array([row.guess for row in rows], dtype=np.int64).reshape(-1, game.pegs)
    scores = [[-1 if part is None else part for part in row.score] for row in rows]
    starts = np.cumsum([0, *(len(board.rows) for board in boards)])
    return guesses, np.array(scores, dtype=np.int64).reshape(-1, len(game.parts)), starts
