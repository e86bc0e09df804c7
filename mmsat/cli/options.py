"""The arguments and options that several commands share."""

from __future__ import annotations

import os
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mmsat.arguments import LARGEST_SEED
from mmsat.cli.input_files import STANDARD_INPUT, BoardSource, read
from mmsat.cli.memory import limit_memory
from mmsat.cli.output import say
from mmsat.cli.parameters import (
    Choice,
    EngineSpec,
    Memory,
    Number,
    OutputFile,
    Seconds,
    Value,
)
from mmsat.cli.time_limit import REQUESTED, TimeLimitInterrupt, interrupt_after
from mmsat.english import quantity
from mmsat.errors import TimeLimitError
from mmsat.game.game import Game
from mmsat.tolerance import MAX_LIES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mmsat.board import Board
    from mmsat.weights import Weights

    Decorator = Callable[[Any], Any]

REMAINING = "mmsat.remaining"
"""The time that remains for a command, in seconds, in the `meta` of its context."""


class GameName(Value[Game]):
    """A game, given as its size, its name, or its file; the value is the Game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """Return the game; raise InputError if there is none."""
        return Game.of(value)


class Option(click.Option):
    """An option that also accepts its former names, which the help does not show."""

    def __init__(self, *args: Any, formerly: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.shown, self.opts = self.opts, [*self.opts, *formerly]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option's entry in the help, without former names."""
        all_names, self.opts = self.opts, self.shown
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = all_names


class Command(click.Command):
    """A command with a --timeout, which counts from the start of the program.

    So the limit includes the time for reading a large board, unless standard input is read. The
    start time is the object of the context. A command that does not define --timeout itself is
    interrupted at the limit.
    """

    def __init__(self, *args: Any, is_limited: bool = True, **settings: Any) -> None:
        """Add --timeout if the command has none; `is_limited` is false if it should have none."""
        super().__init__(*args, **settings)
        self.has_own_limit = any("--timeout" in param.opts for param in self.params)
        if is_limited and not self.has_own_limit:
            self.params.append(click.Option(["--timeout"], expose_value=False, **TIMEOUT))

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Read the arguments, and subtract the time since the start from the limit."""
        context = super().make_context(*args, **settings)
        timeout = context.meta.get(REQUESTED)
        if timeout is not None and STANDARD_INPUT not in context.meta:
            timeout = max(0.0, timeout - (monotonic() - context.obj))
        context.meta[REMAINING] = timeout
        if timeout is not None and "timeout" in context.params:
            context.params["timeout"] = timeout
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; interrupt it at the limit if it does not check the time itself."""
        try:
            with interrupt_after(None if self.has_own_limit else ctx.meta.get(REMAINING)):
                return super().invoke(ctx)
        except TimeLimitInterrupt:
            raise TimeLimitError(f"mmsat {self.name}", ctx.meta[REQUESTED]) from None


def _note_timeout(ctx: click.Context, _: click.Parameter, seconds: float | None) -> float | None:
    """Store the requested limit in the context, for messages."""
    ctx.meta[REQUESTED] = seconds
    return seconds


TIMEOUT: dict[str, Any] = {
    "type": Seconds(),
    "callback": _note_timeout,
    "help": "Stop after N seconds, with exit code 1.",
}


def command(name: str, *examples: str, is_limited: bool = True) -> Decorator:
    """Decorate a function as a command with examples at the end of its help.

    The tests run the examples. Without `is_limited`, the command has no --timeout.
    """
    shown = "\n".join(["\b", "Examples:", *(f"  {example}" for example in examples)])
    return click.command(name, cls=Command, epilog=shown, is_limited=is_limited)


def file(*names: str, endings: tuple[str, ...] = (), **settings: Any) -> Decorator:
    """Add an option for an output file, whose name ends in one of `endings`, if there are any."""
    return click.option(*names, cls=Option, type=OutputFile(endings), **settings)


def picture(help_text: str) -> Decorator:
    """Add -o FILE for a picture, formerly --plot; the parameter is called `plot`."""
    endings = (".svg", ".png", ".pdf")
    names = ("-o", "--output", "plot")
    return file(*names, formerly=("--plot",), endings=endings, help=help_text)


def limit(default: int | None, help_text: str) -> Decorator:
    """Add --limit N; the default None is for no limit."""
    return click.option("--limit", type=Number(1), default=default, help=help_text)


def seed(help_text: str, default: int | None = None, maximum: int = LARGEST_SEED) -> Decorator:
    """Add --seed N."""
    return click.option("--seed", type=Number(0, maximum), default=default, help=help_text)


def lies(function: Any) -> Any:
    """Add --lies N, and --by for the measure of lies."""
    number = click.option(
        "--lies",
        type=Number(0, MAX_LIES),
        default=0,
        show_default=False,
        help="Allow up to N wrong scores.",
    )
    measure = click.option(
        "--by",
        type=Choice(("rows", "pegs")),
        default="rows",
        help="Count lies per row or per key peg.",
    )
    return number(measure(function))


def executor(function: Any) -> Any:
    """Add --processes N and --dask ADDRESS, the arguments of tasks.open_executor."""
    here = click.option(
        "--processes",
        cls=Option,
        formerly=("--jobs",),
        type=Number(1, 1024),
        default=1,
        help="Share the work among N processes.",
    )
    there = click.option("--dask", metavar="ADDRESS", help="Use the workers of a Dask scheduler.")
    return here(there(function))


def is_chosen(name: str) -> bool:
    """Return whether a parameter of the running command was given on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def weights_text(given: str | None) -> str:
    """Return the value of --weights, or the text of the file that it names; empty without it."""
    if given is None or not os.path.isfile(given):
        return given or ""
    return f"{read(given)}\n"


def read_weights(board: Board, text: str | None) -> Weights | None:
    """Return the weights given by --weights, None without it; raise InputError if invalid."""
    if text is None:
        return None
    from mmsat.weights import load_weights

    return load_weights(board.game, text)


def print_known_codes(board: Board) -> None:
    """Print how many known codes are excluded, if the board has any."""
    if board.known:
        say(f"without {quantity(len(board.known), 'known code')}")


def working(*used: str) -> Decorator:
    """Add --engine, --seed and --timeout; `used` names those that are parameters of the command.

    Every command with a board accepts all three, so that scripts can pass the same options to each
    command. An --engine or a --seed that is not used is ignored, and omitted from the help.
    """
    engines = "Decide by auto, brute, weighted, cp, sat[:SOLVER[:ENCODING]] or lattice."
    settings: dict[str, dict[str, Any]] = {
        "engine": {
            "type": EngineSpec(),
            "default": "auto",
            "help": engines,
        },
        "seed": {
            "type": Number(0, LARGEST_SEED),
            "help": "Random seed, for repeatable results.",
        },
        "timeout": TIMEOUT,
    }

    def decorate(function: Any) -> Any:
        for name, setting in reversed(settings.items()):
            unused = {"type": setting["type"], "hidden": True, "expose_value": False}
            if name in used or name != "timeout":  # else Command adds it
                option = click.option(f"--{name}", **(setting if name in used else unused))
                function = option(function)
        return function

    return decorate


board = click.argument("board", type=BoardSource())
boards = click.argument("boards", metavar="BOARD...", type=BoardSource(), nargs=-1, required=True)
game = click.argument("game", type=GameName())
optional_game = click.argument("game", type=GameName(), required=False)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
weights = click.option(
    "--weights",
    metavar="N,N,...|FILE",
    help="Prior weights: one number per color, or a file with lines CODE WEIGHT.",
)
timeout = click.option("--timeout", **TIMEOUT)
verbose = click.option("-v", "--verbose", is_flag=True, help="Print details.")
consistent_only = click.option(
    "--consistent-only", is_flag=True, help="Every guess must be consistent with the scores so far."
)
hard = click.option(
    "--hard", is_flag=True, help="Play in hard mode: guesses must use all revealed information."
)
memory = click.option(
    "--memory",
    type=Memory(),
    default="4G",
    callback=limit_memory,
    help="Memory limit, such as 500M (plus 128M for the program itself).",
)
notation = click.option(
    "--to",
    type=Choice(("line", "text", "json")),
    default="text",
    help="Choose the notation of the board.",
)
board_file = file("-o", "--output", help="Write the board to a file.")
