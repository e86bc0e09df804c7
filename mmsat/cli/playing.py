"""What the commands that play share: the game, the strategy and the opening on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mmsat.cli import names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmsat.errors import Fault
    from mmsat.game.game import Game
    from mmsat.game.row import Code


def strategies() -> Iterable[str]:
    """The names of the strategies."""
    from mmsat.strategy.strategies import STRATEGIES  # noqa: PLC0415

    return STRATEGIES


class GameName(click.ParamType["Game"]):
    """A game by its size, its name, or its file; the value is the Game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Find it; raises InputError for what is none."""
        from mmsat.game.variants import find_game  # noqa: PLC0415  (so that help needs no games)

        del param, ctx
        return find_game(value) if isinstance(value, str) else value


class StrategyName(names.Name):
    """A strategy by its name, or a saved tree as `tree:FILE`; or one of some words more.

    A name may have a budget behind a colon: `sampled:0.5`.
    """

    def __init__(self, *more: str) -> None:
        super().__init__("strategy", lambda: [*more, *strategies()])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name; a tree's file and a budget are read when the game is known."""
        name, colon, _ = str(value).partition(":")
        if not (colon and name == "tree"):
            super().convert(name if colon else value, param, ctx)
        return str(value)


game = click.argument("game", type=GameName())
optional_game = click.argument("game", type=GameName(), required=False)
strategy = click.option(
    "--strategy",
    type=StrategyName(),
    default="knuth",
    show_default=True,
    help="A name; tree:FILE for a saved tree; sampled:SECONDS with a budget.",
)
consistent_only = click.option(
    "--consistent-only", is_flag=True, help="Guess only what can be the code."
)
consistent_mastermind = click.option(
    "--consistent-only", is_flag=True, help="Only what can be the code may be guessed."
)


def matches() -> Iterable[str]:
    """The ways to count a match."""
    from mmsat.matches.kinds import MATCHES  # noqa: PLC0415

    return MATCHES


def usual_turns(game: str) -> int | None:
    """The most guesses that a published game allows, by its name; None for any other."""
    from mmsat.game.variants import VARIANTS  # noqa: PLC0415

    turns = VARIANTS[game].turns if game in VARIANTS else ()
    return max(turns, default=None)


def read_opening(chosen: Game, text: str | None) -> tuple[Code, ...]:
    """The guesses of an opening, joined by commas; raises InputError with every fault."""
    from mmsat.errors import InputError  # noqa: PLC0415
    from mmsat.notation.speller import Place, speller  # noqa: PLC0415

    if text is None:
        return ()
    faults: list[Fault] = []
    column, guesses = 1, []
    for piece in text.split(","):
        guesses.append(speller(chosen).read_code(piece.strip(), Place(1, column), faults))
        column += len(piece) + 1
    if faults:
        raise InputError(faults, "the opening")
    return tuple(guess for guess in guesses if guess is not None)
