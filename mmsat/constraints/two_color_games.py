"""The games whose boards are linear equations; numpy is not imported."""

from mmsat.game.board import Board
from mmsat.game.game import Game

SCORINGS = ("black-white", "black", "color")
"""The kinds of scoring that are linear in two colors."""


SPACES = ("repeats", "distinct")


def is_linear(game: Game) -> bool:
    """Return whether the boards of a game without unread pegs are sets of linear equations."""
    return game.colors == 2 and game.scoring.name in SCORINGS and game.space.name in SPACES


def suits(board: Board) -> bool:
    """Return whether a board is a set of linear equations: a linear game without unread pegs."""
    return is_linear(board.game) and not board.has_unread_pegs
