"""Arguments and options that several commands share, such as --timeout, --seed and --json.

Strategy trees of `mmsat analyze` and `mmsat optimal` are saved here, too. The options of the
commands that play are in commands/guesses.py.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from mmsat._util.arguments import LARGEST_SEED
from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli.group import ERRORS, USAGE_ERRORS, note_errors, raise_errors, repetitions
from mmsat.cli.output import (
    QUIET,
    REQUESTED,
    TimeLimitInterrupt,
    interrupt_after,
    limit_memory,
    say,
    typed_board,
)
from mmsat.cli.parameters import (
    BOARD_LINE,
    STANDARD_INPUT,
    BoardSource,
    Choice,
    Memory,
    Name,
    Number,
    OutputFile,
    Seconds,
    Value,
    board_of_line,
    data_lines,
    is_board_list,
    is_board_text,
    misuse,
    name_of,
    parameter_name,
    parse_argument,
    parse_board,
    read,
    read_board_text,
    refuse_combination,
)
from mmsat.errors import Fault, InputError, TimeLimitError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import ALIASES, is_game, published_names
from mmsat.game.notation.board_text import corrected_line
from mmsat.game.tolerance import MAX_LIES

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from click.shell_completion import CompletionItem

    from mmsat.game.weights import Weights
    from mmsat.strategy.tree import StrategyTree

    Decorator = Callable[[Any], Any]

T = TypeVar("T")
JOIN_ROWS = "Join the rows of a board by '/'"
"""The advice if rows are separate arguments; a board line follows."""
REMAINING = "mmsat.remaining"
"""Key of the remaining time of a command, in seconds, in the `meta` of the click context."""


class GameText(Value[T]):
    """A game, given as its size, its name, or its file; the value is the text."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names of published games that start with `incomplete`."""
        from click.shell_completion import CompletionItem

        names = (*published_names(), *ALIASES)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class GameName(GameText[Game]):
    """A game, given as its size, its name, or its file; the value is the Game."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """Return the game; raise InputError for other values."""
        return Game.of(value)


class EngineSpec(Name):
    """An engine: its name, possibly with settings, such as `sat:SOLVER:ENCODING`."""

    def __init__(self) -> None:
        super().__init__("engine", engine_specs)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the spec; if it is unknown, raise InputError that lists the engines."""
        from mmsat.solving import find_engine

        find_engine(value)
        return str(value)


def engine_specs() -> list[str]:
    """Return all specs: the engines, and SAT with each solver and each of its encodings."""
    from mmsat.encoding import ENCODINGS
    from mmsat.solving import ENGINES, SPECIAL
    from mmsat.solving.sat import NATIVE_SOLVERS, solver_names

    solvers = solver_names()
    return [
        *ENGINES,
        *SPECIAL,
        *(f"sat:{solver}" for solver in solvers),
        *(
            f"sat:{solver}:{name}"
            for solver in solvers
            for name, encoding in ENCODINGS.items()
            if not encoding.is_native or solver in NATIVE_SOLVERS
        ),
    ]


class Command(click.Command):
    """A command with examples, --timeout and --quiet.

    The time limit starts with the program (`obj` of the context), so that it includes the time to
    read a large board. If the command reads standard input, the limit starts after that. A command
    that does not define --timeout itself is interrupted at the limit.
    """

    def __init__(
        self,
        *args: Any,
        examples: tuple[str, ...] = (),
        correct: Callable[[list[str]], str] | None = None,
        is_limited: bool = True,
        is_silent: bool = False,
        **settings: Any,
    ) -> None:
        """Add --timeout and --quiet.

        - `examples`: command lines for the help.
        - `correct`: returns a message with the corrected command line for the words of the
          arguments if they cannot be read, or "" if it does not know a correction; by default
          `join_arguments` for commands with boards.
        - `is_limited`: False for a command without --timeout.
        - `is_silent`: True for a command that prints no messages, and so has no --quiet.
        """
        super().__init__(*args, **settings)
        self.examples = examples
        has_boards = any(isinstance(param.type, BoardSource) for param in self.params)
        self.correct = correct or (join_arguments if has_boards else None)
        self.has_own_limit = any("--timeout" in param.opts for param in self.params)
        if is_limited and not self.has_own_limit:
            self.params.append(click.Option(["--timeout"], expose_value=False, **TIMEOUT_OPTION))
        if not is_silent:
            self.params.append(click.Option(["-q", "--quiet"], **QUIET_OPTION))
        for param in self.params:
            param.process_value = note_errors(param.process_value)  # type: ignore[method-assign]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage, the first paragraph, the examples, the details and the options."""
        summary, _, details = inspect.cleandoc(self.help or "").partition("\n\n")
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(summary)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
        if details:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(details)
        self.format_options(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read all parameters; raise one InputError with the faults of all of them."""
        errors: list[InputError | click.UsageError] = []
        ctx.meta[ERRORS] = errors
        words: list[str] = []
        try:
            values, extra_words, given = self.make_parser(ctx).parse_args(args=[*args])
            words = [*self.argument_words(values), *extra_words]
            errors += repetitions(given)
            unparsed_args = super().parse_args(ctx, args)
        except USAGE_ERRORS as error:
            errors.append(error)
            unparsed_args = []
        if errors and self.correct and (message := self.correct(words)):
            misuse(message)
        raise_errors(errors)
        return unparsed_args

    def argument_words(self, values: dict[str, Any]) -> list[str]:
        """Return the words of the arguments, in order, from the values of the parser."""
        words: list[str] = []
        for param in self.params:
            value = values.get(param.name or "")
            if isinstance(param, click.Argument):
                # A missing argument has a value that is not text.
                several = value if isinstance(value, tuple) else (value,)
                words += [word for word in several if isinstance(word, str)]
        return words

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Read the arguments, and subtract the time since the start from the limit."""
        context = super().make_context(*args, **settings)
        if context.params.get("verbose") and context.meta.get(QUIET):
            refuse_combination("--quiet", ["--verbose"], "Give one of them.")
        if not (context.params.get("as_json") or context.params.get("proof")):
            context.params = {name: as_typed(value) for name, value in context.params.items()}
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


def join_arguments(words: list[str]) -> str:
    """Return a message if arguments are a game and its rows, such as `4x6 1122 1 1`, else ""."""
    if len(words) < 2 or any(map(os.path.exists, words)) or any(map(is_game, words[1:])):
        return ""
    text = " ".join(words)
    line = corrected_line(text)
    return f"{JOIN_ROWS}: {line}." if line else ""


def as_typed(value: Any) -> Any:
    """Return an argument whose boards print codes in the symbols in which they were typed.

    JSON documents and proofs have the symbols of the game, so that other programs can read them.
    """
    if isinstance(value, NamedBoard):
        return value._replace(board=as_typed(value.board))
    if type(value) in (list, tuple):
        return type(value)(map(as_typed, value))
    return typed_board(value, value.conventions) if isinstance(value, Board) else value


def _note_timeout(ctx: click.Context, _: click.Parameter, seconds: float | None) -> float | None:
    """Store the requested limit in the context."""
    ctx.meta[REQUESTED] = seconds
    return seconds


def _note_quiet(ctx: click.Context, _: click.Parameter, is_quiet: bool) -> None:
    """Store --quiet in the context, for messages and progress lines."""
    ctx.meta[QUIET] = is_quiet


QUIET_OPTION: dict[str, Any] = {
    "is_flag": True,
    "expose_value": False,
    "callback": _note_quiet,
    "help": "Print only results and errors.",
}
SEED_HELP = "Random seed, for repeatable results."
TIMEOUT_OPTION: dict[str, Any] = {
    "type": Seconds(),
    "callback": _note_timeout,
    "help": "Stop after N seconds, with exit code 1.",
}


def command(name: str, *examples: str, **settings: Any) -> Decorator:
    """Decorate a function as a Command with examples, which the tests run."""
    return click.command(name, cls=Command, examples=examples, **settings)


def file(*names: str, endings: tuple[str, ...] = (), **settings: Any) -> Decorator:
    """Add an option for a file name, which must end in one of `endings` if there are any."""
    return click.option(*names, type=OutputFile(endings), **settings)


def picture(help_text: str) -> Decorator:
    """Add -o FILE for a picture; the parameter is called `plot`."""
    endings = (".svg", ".png", ".pdf")
    return file("-o", "--output", "plot", endings=endings, help=help_text)


def limit(default: int | None, noun: str, *, low: int = 1, high: int | None = None) -> Decorator:
    """Add --limit N, the maximum number of printed results; None means no limit."""
    return click.option(
        "-n", "--limit", type=Number(low, high), default=default, help=f"Print up to N {noun}."
    )


def count(default: int | None, noun: str, maximum: int | None = None) -> Decorator:
    """Add --count N, the number of things to make."""
    return click.option("--count", type=Number(1, maximum), default=default, help=f"Make N {noun}.")


def jobs(default: int | None) -> Decorator:
    """Add --jobs N; None means all processor cores."""
    return click.option(
        "-j",
        "--jobs",
        type=Number(1, 1024),
        default=default,
        help=f"Work on N processor cores{' [default: all]' if default is None else ''}.",
    )


def seed(
    default: int | None = None, help_text: str = SEED_HELP, maximum: int = LARGEST_SEED
) -> Decorator:
    """Add --seed N."""
    return click.option("--seed", type=Number(0, maximum), default=default, help=help_text)


def lies(function: Any) -> Any:
    """Add --lies N, and --by for the unit of lies."""
    number = click.option(
        "--lies",
        type=Number(0, MAX_LIES),
        default=0,
        show_default=False,
        help="Allow up to N wrong scores.",
    )
    unit = click.option(
        "--by",
        type=Choice(("rows", "pegs")),
        default="rows",
        help="Count wrong rows, or wrong key pegs: a missing, additional or different one.",
    )
    return number(unit(function))


def executor(function: Any) -> Any:
    """Add --jobs N and --dask ADDRESS, the arguments of processes.open_executor."""
    jobs_option = jobs(1)
    dask_option = click.option(
        "--dask", metavar="ADDRESS", help="Use the workers of a Dask scheduler."
    )
    return jobs_option(dask_option(function))


def open_workers(jobs: int, dask: str | None) -> AbstractContextManager[Executor | None]:
    """Open the executor of --jobs and --dask; raise InputError if both are given."""
    advice = "The Dask scheduler sets the number of workers."
    refuse_combination("--dask", ["--jobs"] if dask is not None and jobs > 1 else [], advice)
    from mmsat._util.processes import open_executor

    return open_executor(jobs, dask)


def is_chosen(name: str) -> bool:
    """Return whether a parameter of the running command was given on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def option_name(name: str) -> str:
    """Return the option of a parameter of the running command, such as `--consistent-only`."""
    params = click.get_current_context().command.params
    return next(parameter_name(param) for param in params if param.name == name)


def weights_text(value: str | None) -> str:
    """Return `value` of --weights, or the text of the file that it names; empty for None."""
    if value is None or not os.path.isfile(value):
        return value or ""
    return f"{read(value)}\n"


def read_weights(board: Board, text: str | None) -> Weights | None:
    """Return the weights that --weights gives, None without it; raise InputError if invalid."""
    if text is None:
        return None
    from mmsat.game.weights import load_weights

    return load_weights(board.game, text)


def print_known_codes(board: Board) -> None:
    """Print how many known codes are excluded, if the board has any."""
    if board.known:
        say(f"without {quantity(len(board.known), 'known code')}")


def solver_options(*used_parameters: str, timeout_help: str = "") -> Decorator:
    """Add --engine, --seed and --timeout; `used_parameters` names the options that are read.

    `timeout_help` is the help of --timeout for a command that does not end with exit code 1.

    Every command with a board accepts all three, so that scripts can pass the same options to each
    command. An --engine or a --seed that is not used is ignored, and omitted from the help.
    """
    engines = (
        "auto, brute, weighted, cp, sat[:SOLVER[:ENCODING]] or lattice; see `mmsat encodings`."
    )
    settings: dict[str, dict[str, Any]] = {
        "engine": {
            "type": EngineSpec(),
            "default": "auto",
            "help": engines,
        },
        "seed": {
            "type": Number(0, LARGEST_SEED),
            "help": SEED_HELP,
        },
        "timeout": TIMEOUT_OPTION | ({"help": timeout_help} if timeout_help else {}),
    }

    def decorate(function: Any) -> Any:
        for name, setting in reversed(settings.items()):
            unused = {"type": setting["type"], "hidden": True, "expose_value": False}
            if name in used_parameters or name != "timeout":  # Command adds an unused --timeout
                option = click.option(
                    f"--{name}", **(setting if name in used_parameters else unused)
                )
                function = option(function)
        return function

    return decorate


# The following decorators, also those below, add one parameter each.
board = click.argument("board", type=BoardSource())


class NamedBoard(NamedTuple):
    """A board, and its name in results: the argument, or the file and the number of the line."""

    name: str
    board: Board


SKIPPED_LINES = "mmsat.skipped"
"""Key of the errors of skipped lines, in the `meta` of the click context."""


class BoardsSource(BoardSource):
    """One board as in BoardSource, or a file with one board per line; the value is a list.

    Its elements are of the class NamedBoard. If `may_skip`, wrong lines of a file with valid boards
    are skipped, and their errors are appended to `ctx.meta[SKIPPED_LINES]`.
    """

    def __init__(self, *, may_skip: bool = False) -> None:
        """Create the type."""
        self.may_skip = may_skip

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read all boards; raise InputError with every fault and the name of the source."""
        self.claim_standard_input(value, param, ctx)
        text = read_board_text(value, param)
        lines = data_lines(text)
        if not is_board_list(lines):
            return [NamedBoard(name_of(value), parse_argument(value, text))]
        boards: list[NamedBoard] = []
        faults: list[Fault] = []
        for number, line in lines:
            if not is_board_text(line):
                faults.append(Fault("", line, BOARD_LINE, number, 1))
                continue
            try:
                board = parse_board(board_of_line(line), name_of(value))
            except InputError as error:
                faults += [replace(fault, line=number) for fault in error.faults]
            else:
                boards.append(NamedBoard(f"{name_of(value)}:{number}", board))
        if faults and boards and self.may_skip and ctx is not None:
            ctx.meta.setdefault(SKIPPED_LINES, []).append(InputError(faults, name_of(value)))
        else:
            InputError.refuse(faults, name_of(value))
        return boards


class BoardsArgument(click.Argument):
    """Several boards; arguments that are single rows are refused before a game is assumed."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the boards; raise InputError if one of several arguments is a single row."""
        words = value if isinstance(value, tuple) else ()
        rows = [word for word in words if isinstance(word, str) and is_row(word)]
        if rows and len(words) > 1:
            misuse(f"{rows[0]} has no game. {JOIN_ROWS}: {'/'.join(words)}.")
        return super().type_cast_value(ctx, value)


def is_row(text: str) -> bool:
    """Return whether an argument is a single row, such as `1122=1.1`."""
    guess, equals, _ = text.partition("=")
    return bool(equals) and "/" not in text and not is_game(guess) and not os.path.exists(text)


def board_lists(*, may_skip: bool = False) -> Decorator:
    """Add an argument for boards, and for files with one board per line.

    The value is one list of NamedBoard per argument. `may_skip`: see BoardsSource.
    """
    return click.argument(
        "lists",
        metavar="BOARD...",
        type=BoardsSource(may_skip=may_skip),
        nargs=-1,
        required=True,
        cls=BoardsArgument,
    )


game = click.argument("game", type=GameName())
optional_game = click.argument("game", type=GameName(), required=False)
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document; see mmsat/schemas."
)
weights = click.option(
    "--weights",
    metavar="N,N,...|FILE",
    help="Prior weights: one per color, or a file with lines CODE WEIGHT.",
)
timeout = click.option("--timeout", **TIMEOUT_OPTION)
verbose = click.option("-v", "--verbose", is_flag=True, help="Print details.")
consistent_only = click.option(
    "--consistent-only", is_flag=True, help="Guess only codes that fit all scores so far."
)
hard = click.option("--hard", is_flag=True, help="Hard mode: guesses must use all revealed hints.")
memory = click.option(
    "--memory",
    type=Memory(),
    default="4G",
    callback=limit_memory,
    help="Memory limit, such as 500M; the program itself needs 128M more.",
)
notation = click.option(
    "--to",
    type=Choice(("line", "text", "json")),
    default="text",
    help="Notation of the board.",
)


def save_tree(tree: StrategyTree, file: str) -> None:
    """Save a tree, and print its size."""
    from mmsat.strategy.tree import print_tree

    atomic_write(file, [print_tree(tree)])
    say_size(tree, file)


def say_size(tree: StrategyTree, file: str) -> None:
    """Print the size of the tree in a file, as its number of guesses."""
    say(f"{file}: {quantity(sum(1 for _ in tree.nodes()), 'guess')}")
