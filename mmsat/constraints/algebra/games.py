"""The games whose boards are linear equations. This module does not import numpy."""

from mmsat.board import Board
from mmsat.errors import InputError
from mmsat.game.game import Game

SCORINGS = ("black-white", "black", "color")
"""The kinds of scoring that are linear in two colors."""
SPACES = ("repeats", "distinct")


def suits(board: Board) -> bool:
    """Return whether a board is a set of linear equations: a linear game without unread pegs."""
    return is_linear(board.game) and not board.has_unread_pegs


def is_linear(game: Game) -> bool:
    """Return whether the boards of a game without unread pegs are sets of linear equations."""
    return game.colors == 2 and game.scoring.name in SCORINGS and game.space.name in SPACES


def check(board: Board) -> None:
    """Raise InputError if a board is not a set of linear equations."""
    if not suits(board):
        expected = "a game of two colors that is scored by black, white or color"
        rule = "the equations of two-color boards exist for no other games"
        raise InputError.of("the game", expected, str(board.game), rule)
