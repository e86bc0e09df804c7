"""Boards with one wrong score, chosen by a seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmsat.game import Score
    from mmsat.game.board import Board

BY_ONE = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Changes of black and white by one."""


def slipped(board: Board, seed: str) -> Board:
    """Return the board with black or white of one row changed by one."""
    return _changed(board, BY_ONE, seed)


def parity_kept(board: Board, seed: str) -> Board:
    """Return the board with one row in which pegs moved between black and white.

    Black plus white stays the same, and so does all information about the counts of colors. With
    two colors, the counts also determine the parity of black, so two pegs move.
    """
    step = 2 if board.game.colors == 2 else 1
    return _changed(board, ((step, -step), (-step, step)), seed)


def _changed(board: Board, changes: tuple[tuple[int, int], ...], seed: str) -> Board:
    """Return the board with one of the changes in one row, drawn from all possible ones."""
    game = board.game
    options: list[dict[int, Score]] = []
    for number, row in enumerate(board.rows):
        black, white = (part or 0 for part in row.score)
        for more_black, more_white in changes:
            score = (black + more_black, white + more_white)
            if min(score) >= 0 and not game.scoring.flaw(game.pegs, score):
                options.append({number: score})
    return board.changed(random.Random(seed).choice(options))
