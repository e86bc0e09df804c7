"""The games whose boards are linear equations; told without loading any arithmetic."""

from mmsat.errors import Fault, InputError
from mmsat.game.game import Game

SCORINGS = ("black-white", "black", "color")
"""The kinds of scoring that are linear in two colors."""
SPACES = ("repeats", "distinct")


def suits(game: Game) -> bool:
    """Whether the boards of a game are such equations."""
    return game.colors == 2 and game.scoring.name in SCORINGS and game.space.name in SPACES


def check(game: Game) -> None:
    """Raise InputError where the boards of a game are no such equations."""
    if not suits(game):
        rule = "the algebra is that of two colors, scored by black, white or color"
        raise InputError([Fault(rule, str(game), "another engine, such as auto")], "the game")
