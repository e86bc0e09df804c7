"""One wrong score, chosen from a seed: by a peg, or so that no count gives it away."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmsat.game import Score
    from mmsat.game.board import Board

BY_ONE = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Changes of black and white by one."""


def slipped(board: Board, seed: str) -> Board:
    """The board with black or white of one row off by one."""
    return _changed(board, BY_ONE, seed)


def parity_kept(board: Board, seed: str) -> Board:
    """Return the board with pegs of one row moved between black and white.

    The sum stays the same, and so does all information about color counts. In two colors they also
    determine the parity of black, so two pegs move there.
    """
    step = 2 if board.game.colors == 2 else 1
    return _changed(board, ((step, -step), (-step, step)), seed)


def _changed(board: Board, changes: tuple[tuple[int, int], ...], seed: str) -> Board:
    """One of the changes in one row, of all that give a score that there is; each as likely."""
    game = board.game
    options: list[dict[int, Score]] = []
    for number, row in enumerate(board.rows):
        black, white = (part or 0 for part in row.score)
        for more_black, more_white in changes:
            score = (black + more_black, white + more_white)
            if min(score) >= 0 and not game.scoring.flaw(game.pegs, score):
                options.append({number: score})
    return board.changed(random.Random(seed).choice(options))
