"""The games whose boards are linear equations. This module does not import numpy."""

from mmsat.game.board import Board
from mmsat.game.game import Game

LINEAR_SCORINGS = ("black-white", "black", "color")
"""The kinds of scoring that give linear equations for two colors."""
LINEAR_SPACES = ("repeats", "distinct")
"""The kinds of code spaces whose rules are linear equations for two colors."""


def is_linear(game: Game) -> bool:
    """Return whether boards of a game are sets of linear equations if they have no unread pegs."""
    return (
        game.colors == 2
        and game.scoring.name in LINEAR_SCORINGS
        and game.space.name in LINEAR_SPACES
    )


def suits(board: Board) -> bool:
    """Return whether a board is a set of linear equations."""
    return is_linear(board.game) and not board.has_unread_pegs
