"""Options shared by the commands that play: strategies, openings and numbers of guesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from mmsat._util.registry import split_spec
from mmsat.cli.parameters import Name
from mmsat.errors import Fault, InputError, Place
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.game.notation.board_reader import BoardReader, PlacedText, speller
from mmsat.strategy.strategies import STRATEGIES


class StrategyName(Name):
    """The name of a strategy, a saved tree as `tree:FILE`, or one of `extra_names`.

    A name may be followed by a colon and a budget: `sampled:0.5`.
    """

    def __init__(self, *extra_names: str) -> None:
        super().__init__("strategy", lambda: [*extra_names, *STRATEGIES], STRATEGIES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; the file of a tree and a budget are read later, for a game."""
        name, settings = split_spec(str(value), (*self.names(), "tree"))
        if not (settings and name == "tree"):
            super().convert(name, param, ctx)
        return str(value)


def strategy(*extra_names: str, default: str | None) -> Callable[[Any], Any]:
    """Add --strategy NAME; `extra_names` are names in addition to those of the registry."""
    return click.option(
        "--strategy",
        type=StrategyName(*extra_names),
        default=default,
        help="Name of a strategy; `mmsat strategies` lists them.",
    )


def usual_turns(game: str) -> int | None:
    """Return the maximum number of guesses of a published game; None if it has no limit.

    Games that are not published have none.
    """
    return max(PUBLISHED_GAMES[game].turns, default=None) if game in PUBLISHED_GAMES else None


def usual_turns_of_several(game: str, boards: int) -> int:
    """Return the maximum number of guesses for several boards.

    It is that of the game, or else EXTRA_GUESSES + 1, plus one for each further board.
    """
    from mmsat.play.match import EXTRA_GUESSES

    return (usual_turns(game) or EXTRA_GUESSES + 1) + boards - 1


def read_opening(game: Game, text: str | None) -> tuple[Code, ...]:
    """Return the guesses of a comma-separated opening; raise InputError with every fault.

    Return an empty tuple if `text` is None.
    """
    faults: list[Fault] = []
    column, guess_texts = 1, []
    for piece in text.split(",") if text is not None else ():
        guess_texts.append(PlacedText(piece.strip(), Place(1, column)))
        column += len(piece) + 1
    guesses = BoardReader(speller(game)).read_codes(guess_texts, faults)
    InputError.refuse(faults, "the opening")
    return tuple(guess for guess in guesses if guess is not None)
