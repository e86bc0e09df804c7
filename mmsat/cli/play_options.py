"""What the commands that play share: the strategy and the opening on the command line."""

from typing import Any

import click

from mmsat.cli.parameters import Name
from mmsat.errors import Fault, InputError, Place
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.game.variants import VARIANTS
from mmsat.matches.several_match import EXTRA_GUESSES
from mmsat.notation.board_reader import BoardReader, Written
from mmsat.notation.speller import speller
from mmsat.strategy.strategies import STRATEGIES


class StrategyName(Name):
    """A strategy by its name, or a saved tree as `tree:FILE`; or one of some words more.

    A name may have a budget behind a colon: `sampled:0.5`.
    """

    def __init__(self, *more: str) -> None:
        super().__init__("strategy", lambda: [*more, *STRATEGIES])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name; a tree's file and a budget are read when the game is known."""
        name, colon, _ = str(value).partition(":")
        if not (colon and name == "tree"):
            super().convert(name if colon else value, param, ctx)
        return str(value)


def usual_turns(game: str) -> int | None:
    """The most guesses that a published game allows, by its name; None for any other."""
    return max(VARIANTS[game].turns, default=None) if game in VARIANTS else None


def usual_turns_of_several(game: str, boards: int) -> int:
    """The guesses for several boards: one more for each further board, and six where none says."""
    return (usual_turns(game) or EXTRA_GUESSES + 1) + boards - 1


def read_opening(chosen: Game, text: str | None) -> tuple[Code, ...]:
    """The guesses of an opening, joined by commas; raises InputError with every fault."""
    faults: list[Fault] = []
    column, written = 1, []
    for piece in text.split(",") if text is not None else ():
        written.append(Written(piece.strip(), Place(1, column)))
        column += len(piece) + 1
    guesses = BoardReader(speller(chosen)).read_codes(written, faults)
    InputError.refuse(faults, "the opening")
    return tuple(guess for guess in guesses if guess is not None)
