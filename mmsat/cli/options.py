"""The arguments and options that commands share."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, ClassVar

import click

from mmsat.cli.input_files import BoardSource
from mmsat.cli.parameters import EngineSpec
from mmsat.game.names import find_game
from mmsat.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.board import Board
    from mmsat.weights import Weights

    Decorator = Callable[[Any], Any]

WEIGHTS = "mmsat.weights:load_weights"
"""By name, as fractions are slow to load."""
LONGEST = 10_000_000.0
"""Seconds; some four months."""
LARGEST_LIES = 1_000_000
LARGEST_SEED = 2**31 - 1
"""What every solver takes."""


class Seconds(click.ParamType[float]):
    """A time in seconds, more than none."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds <= LONGEST:
            self.fail(f"{value!r} is not a time; write seconds such as 0.5 or 60", param, ctx)
        return seconds


class Memory(click.ParamType[int]):
    """An amount of memory, in bytes."""

    name = "size"
    units: ClassVar = {"M": 20, "G": 30}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of bytes."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([0-9]{1,6}) ?([MG])(i?B)?", value.strip())
        if not match or int(match[1]) == 0:
            self.fail(f"{value!r} is not a size; write one such as 500M or 4G", param, ctx)
        return int(match[1]) << self.units[match[2]]


class GameName(click.ParamType[Any]):
    """A game by its size, its name, or its file; the value is the Game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Find it; raises InputError for what is none."""
        del param, ctx
        return find_game(value) if isinstance(value, str) else value


def examples(*commands: str) -> str:
    """The end of a command's help; the tests run what stands there."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)])


def file(*names: str, help: str, **settings: Any) -> Decorator:  # noqa: A002  (as click has it)
    """An option for the name of a file."""
    return click.option(*names, type=click.Path(dir_okay=False), help=help, **settings)


def limit(default: int | None, help_text: str) -> Decorator:
    """--limit N."""
    kind = click.IntRange(min=1)
    shown = default is not None
    return click.option("--limit", type=kind, default=default, show_default=shown, help=help_text)


def seed(help_text: str, default: int | None = None, most: int = LARGEST_SEED) -> Decorator:
    """--seed N."""
    kind, shown = click.IntRange(0, most), default is not None
    return click.option("--seed", type=kind, default=default, show_default=shown, help=help_text)


def lies(function: Any) -> Any:
    """--lies N and --by rows or pegs."""
    number = click.option(
        "--lies",
        type=click.IntRange(0, LARGEST_LIES),
        default=0,
        help="Let so many scores be wrong.",
    )
    measure = click.option(
        "--by",
        type=click.Choice(("rows", "pegs")),
        default="rows",
        show_default=True,
        help="Count lies by wrong rows, or by key pegs off in all.",
    )
    return number(measure(function))


def read_weights(board: Board, text: str | None) -> Weights | None:
    """What --weights says of the codes of a board's game; raises InputError."""
    return None if text is None else load(WEIGHTS)(board.game, text)


def lies_document(lies: int, by: str) -> dict[str, Any]:
    """What documents say of lies, where there may be any."""
    return {"lies": lies, "by": by} if lies else {}


def working(*used: str) -> Decorator:
    """--engine, --seed and --timeout.

    Every command that takes a board takes them all, so that scripts can pass the same options to
    each; those that make no difference to a command are left out of its help and its arguments.
    """
    engines = "auto, brute, cp, sat[:SOLVER[:ENCODING]], lattice, or algebra (two colors)."
    settings: dict[str, dict[str, Any]] = {
        "engine": {
            "type": EngineSpec(),
            "default": "auto",
            "show_default": True,
            "help": engines,
        },
        "seed": {
            "type": click.IntRange(0, LARGEST_SEED),
            "help": "Fix what solvers do at random.",
        },
        "timeout": {
            "type": Seconds(),
            "help": "Give up after so many seconds (exit code 1).",
        },
    }

    def decorate(function: Any) -> Any:
        for name, setting in reversed(settings.items()):
            unused = {"type": setting["type"], "hidden": True, "expose_value": False}
            option = click.option(f"--{name}", **(setting if name in used else unused))
            function = option(function)
        return function

    return decorate


board = click.argument("board", type=BoardSource())
game = click.argument("game", type=GameName())
optional_game = click.argument("game", type=GameName(), required=False)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
weights = click.option(
    "--weights",
    metavar="N,N,...|FILE",
    help="How likely codes are: a number a color, or a file with CODE WEIGHT a line.",
)
verbose = click.option("-v", "--verbose", is_flag=True, help="Tell more, on standard error.")
consistent_only = click.option(
    "--consistent-only", is_flag=True, help="Guess only what can be the code."
)
memory = click.option(
    "--memory",
    type=Memory(),
    default="4G",
    show_default=True,
    help="What the diagram of the codes may take, as 500M or 8G.",
)
notation = click.option(
    "--to",
    type=click.Choice(("line", "text", "json")),
    default="text",
    show_default=True,
    help="The notation of the board.",
)
board_file = file("-o", "--output", help="Write the board to a file.")
