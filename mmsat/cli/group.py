"""The click group of all commands, which also converts exceptions to messages and exit codes.

The module of a command in `commands/` is imported when the command runs.

Wrong command lines, which click and the parameter types report, are converted to one form.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click
from click.exceptions import BadOptionUsage, MissingParameter, NoSuchOption

from mmsat import __version__
from mmsat._util.registry import LOADED_PLUGINS, UnknownName
from mmsat._util.text import join_words, plural
from mmsat.cli import output
from mmsat.cli.output import (
    CURRENT_BOARD,
    REQUESTED,
    flush_output,
    report_write_error,
    wrap_streams,
)
from mmsat.cli.parameters import Name, Value, parameter_name
from mmsat.errors import (
    ColumnWarning,
    GameWarning,
    InputError,
    InternalError,
    MessageFault,
    MmsatError,
    TimeLimitError,
    WordListWarning,
    convert_library_error,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


ERRORS = "mmsat.errors"
"""Key of the list of the errors of parameters, in the `meta` of the click context."""
USAGE_ERRORS = (InputError, click.UsageError)
"""The errors of a wrong command line: those of the parameter types, and those of click."""


def note_errors(process_value: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the method `process_value` of a parameter: errors are noted in the context.

    The value is then None, and the other parameters are read as well.
    """

    @wraps(process_value)
    def process_and_note(ctx: click.Context, value: Any) -> Any:
        try:
            return process_value(ctx, value)
        except USAGE_ERRORS as error:
            if ctx.resilient_parsing:  # true while the shell completes a command line
                raise
            ctx.meta[ERRORS].append(error)
            return None

    return process_and_note


def repetitions(given: Sequence[click.Parameter]) -> list[InputError]:
    """Return an error for each option that has one value, but several on the command line.

    `given` has one item for each occurrence of a parameter.
    """
    single = [
        param
        for param in given
        if isinstance(param, click.Option) and not (param.multiple or param.is_flag)
    ]
    messages = [
        f"{parameter_name(param)} is given {number} times. Give it once."
        for param, number in Counter(single).items()
        if number > 1
    ]
    return [_error_of_message(message) for message in messages]


def _message_fault(message: str) -> MessageFault:
    """Return a fault that is printed as a message only."""
    return MessageFault(rule=message, found=None, expected="")


def _error_of_message(message: str) -> InputError:
    """Return an error that is printed as a message only, without the name of a source."""
    return InputError([_message_fault(message)], source="")


def raise_errors(errors: Sequence[InputError | click.UsageError]) -> None:
    """Raise an error with the faults of all errors, unless the list is empty."""
    if len(errors) == 1:
        raise errors[0]
    lines = [
        line
        for error in errors
        for line in str(error if isinstance(error, InputError) else input_error(error)).split("\n")
    ]
    InputError.refuse([_message_fault(line) for line in lines], source="")


def options_for(words: list[str], ctx: click.Context | None) -> list[str]:
    """Return `--option word` for each of the words that is a name which an option accepts."""
    return [
        f"{parameter_name(param)} {word}"
        for word in words
        for param in (ctx.command.params if ctx else [])
        if isinstance(param, click.Option) and isinstance(param.type, Name)
        if word in param.type.names()
    ]


OPTION_SYNONYMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("--chart", "--draw", "--file", "--image", "--out", "--picture", "--plot", "--save"),
        ("--output",),
    ),
    **dict.fromkeys(("--max", "--num", "--number", "--top"), ("--limit", "--count")),
    **dict.fromkeys(("--minimax", "--worst", "--worst-case"), ("--objective worst", "--worst")),
    **dict.fromkeys(("--pdf", "--png", "--svg"), ("--output",)),
    **dict.fromkeys(("--bot", "--strategies", "--strategy"), ("--player", "--strategy")),
    **dict.fromkeys(("--computer", "--opponent", "--player"), ("--player", "--strategy")),
    **dict.fromkeys(("--errors", "--mistakes", "--wrong"), ("--lies",)),
    **dict.fromkeys(("--cores", "--cpus", "--processes", "--threads", "--workers"), ("--jobs",)),
    **dict.fromkeys(("--method", "--solver"), ("--engine",)),
    **dict.fromkeys(("--difficulty", "--level"), ("--grade",)),
    "-c": ("--count",),
    "-f": ("--to", "--for", "--families"),
    "-i": ("--resume", "--board"),
    "-l": ("--limit",),
    "-m": ("--memory",),
    "-N": ("--limit", "--count"),
    "-n": ("--count", "--games"),
    "-p": ("--proof", "--player", "--port"),
    "-r": ("--seed",),
    "-s": ("--seed", "--strategy"),
    "-T": ("--timeout",),
    "-w": ("--weights",),
    "-x": ("--max-guesses", "--max-size"),
    "--attempts": ("--turns", "--max-guesses"),
    "--codemaker": ("--role maker",),
    "--deadline": ("--timeout",),
    "--draws": ("--sample",),
    "--encoding": ("--engine sat:SOLVER:ENCODING",),
    "--format": ("--to",),
    "--guesses": ("--max-guesses", "--turns"),
    "--max-time": ("--timeout",),
    "--moves": ("--max-guesses", "--turns"),
    "--prior": ("--weights",),
    "--random": ("--sample",),
    "--rounds": ("--games", "--turns"),
    "--why": ("--steps",),
}
"""Options that users guess, with the options to suggest in the commands that accept them."""


OPTION_ADVICE: dict[tuple[str, str], str] = {
    **{
        (command, "--boards"): f"Write each board as an argument: mmsat {command} BOARD BOARD."
        for command in ("check", "encode", "suggest")
    },
    **dict.fromkeys(
        (("list", "--contains"), ("list", "--filter"), ("list", "--grep")),
        "Filter the lines, as in mmsat list BOARD | grep 3.",
    ),
    **dict.fromkeys(
        (("puzzle", "--answers"), ("puzzle", "--solution"), ("puzzle", "--solutions")),
        "-v prints the solution step by step, --json the code, and a sheet has all solutions.",
    ),
}
"""What to do instead of a missing option, by command and option, if no similar option helps."""


def unknown_option(option: str, ctx: click.Context | None) -> UnknownName:
    """Return the fault of an option that a command does not have.

    The message names similar options of the command, or else the commands that have this option.
    """
    names = visible_options(ctx.command) if ctx else []
    long_names = [name for name in names if name.startswith("--")]
    synonyms = OPTION_SYNONYMS.get(option, ())
    is_short = len(option) == len("-t") and option[1].isalpha()
    near = [synonym for synonym in synonyms if ctx and accepts(ctx.command, synonym)] or [
        name
        for name in names
        if name.startswith(option) or f"-{name}" == option  # a short option with two dashes: --n
    ]
    if is_short and not near:
        near = [name for name in names if name.startswith(f"-{option.lower()}")]
    fault = UnknownName.of("option", option, long_names, "an option that --help lists", near)
    if advice := OPTION_ADVICE.get((ctx.command.name or "" if ctx else "", option)):
        return replace(fault, rule=advice)
    group = ctx.find_root().command if ctx else None
    if near or not isinstance(group, Group):
        return fault
    commands = [name for name in COMMANDS if option in visible_options(group.find(name))]
    if not commands:
        return fault
    rule = f"It is an option of mmsat {join_words(sorted(commands), 'and')}."
    return replace(fault, rule=rule)


def accepts(command: click.Command, suggestion: str) -> bool:
    """Return whether a command has an option, and accepts the value that may follow it.

    A value such as `sat:SOLVER` with a placeholder is accepted if its first word is.
    """
    option, _, value = suggestion.partition(" ")
    for param in command.params:
        if option in param.opts and not getattr(param, "hidden", False):
            words = param.type.names() if isinstance(param.type, Name) else ()
            words = param.type.choices if isinstance(param.type, click.Choice) else words
            return not value or value.partition(":")[0] in words
    return False


def visible_options(command: click.Command) -> list[str]:
    """Return the options that the help of a command lists."""
    return [
        name
        for param in command.params
        if isinstance(param, click.Option) and not param.hidden
        for name in param.opts
    ]


def input_error(error: click.UsageError) -> InputError:
    """Convert an error of click to an InputError, so that all errors have the same form."""
    if isinstance(error, MissingParameter):
        kind = "option" if isinstance(error.param, click.Option) else "argument"
        expected = getattr(getattr(error.param, "type", None), "expected", Value.expected)
        advice = "" if expected == Value.expected else f": expected {expected}"
        name = parameter_name(error.param)
        if isinstance(error.param, click.Option) and error.ctx is not None:
            name += f" {error.param.make_metavar(error.ctx)}"
        message = f"Missing {kind} {name}{advice}."
        return _error_of_message(message)
    if isinstance(error, NoSuchOption):
        return InputError([unknown_option(error.option_name, error.ctx)], source="")
    if isinstance(error, BadOptionUsage):
        verb = "does not accept" if "does not take a value" in error.message else "requires"
        return _error_of_message(f"{error.option_name} {verb} a value.")
    if match := re.search(r"unexpected extra arguments? \((.*)\)", error.message):
        words = match[1].split(" ")
        message = f"Unexpected {plural('argument', len(words))} {' '.join(words)}."
        settings = options_for(words, error.ctx)
        remedy = f" Write {' '.join(settings)}." if settings else ""
        if not settings and "=" in words[0] and "/" not in words[0]:
            remedy = " Join the rows of a board by '/', as in 4x6/1122=1.1/3345=0.2."
        return _error_of_message(message + remedy)
    return InputError.of("the arguments", "another command line", rule=error.message)


SECTIONS = {
    "Check a board": {
        "check": "Decide whether a code gets exactly these scores.",
        "explain": "Find out which scores are wrong.",
        "verify": "Check a proof that `--proof` of another command wrote.",
        "audit": "Check every game of logs.",
    },
    "See which codes remain": {
        "count": "Count the codes that get exactly these scores.",
        "list": "List the codes that get exactly these scores.",
        "odds": "Print the probability of every color at every peg.",
    },
    "Play": {
        "suggest": "Suggest the next guess, with reasons.",
        "score": "Score a guess against a code.",
        "play": "Play a game against the machine.",
        "match": "Play a match of several games.",
        "review": "Review a played game guess by guess, skill and luck.",
        "puzzle": "Make puzzles: boards with exactly one solution, graded.",
        "serve": "Open the analysis board in the browser.",
    },
    "Study strategies": {
        "analyze": "Play a strategy against every possible code.",
        "optimal": "Find the best strategy of a game, and prove it.",
        "static": "Find the smallest set of guesses, fixed in advance.",
    },
    "Use other solvers": {
        "encode": "Write boards in the language of a solver.",
        "decode": "Turn a solver's answer into a code.",
    },
    "Study hard boards": {
        "reduce": "Turn a hard problem into a board.",
        "lift": "Turn a code back into an answer to the problem.",
        "generate": "Make boards of any size, with a known answer.",
        "suite": "Write a suite of instances for a solver competition.",
        "study": "Measure how hard boards are, and write a report.",
    },
    "Catalogues": {
        "games": "List the published games, or describe one.",
        "strategies": "List the strategies, or describe one.",
        "encodings": "List the encodings and the engines, or describe one.",
        "reductions": "List the reductions of hard problems to boards.",
        "families": "List the families of boards that `mmsat generate` makes.",
        "instances": "List the library of boards, or describe one.",
    },
    "Help": {
        "help": "Explain a command: `mmsat help check`.",
    },
}
"""For each section of the help, in order, the summaries of its commands by name."""
SHARED_MODULES = {
    "catalogues": ("games", "help", "instances"),
    "check": ("score",),
    "codes": ("count", "list", "odds"),
    "encoding": ("encode", "decode", "encodings"),
    "generate": ("families",),
    "guesses": ("suggest", "review"),
    "play": ("match", "puzzle"),
    "proofs": ("verify",),
    "reductions": ("reduce", "lift"),
    "strategies": ("analyze", "static"),
    "study": ("suite",),
}
"""For each module in `commands/`, the commands in it that have another name than the module."""
MODULES = {name: module for module, names in SHARED_MODULES.items() for name in names}
"""The module of each of these commands."""
COMMANDS = {name: summary for section in SECTIONS.values() for name, summary in section.items()}
"""The summary of each command."""
COMMANDS_OF_OTHER_NAMES = {
    "decide": "check",
    "enumerate": "list",
    "guess": "suggest",
    "hint": "suggest",
    "models": "list",
    "next": "suggest",
    "prove": "check",
    "sample": "list",
    "solutions": "list",
    "solve": "check",
    "validate": "check",
    "why": "explain",
}
"""The command for some names that users may try, which are not similar to it."""

EPILOG = """\b
BOARD is a board line, a file, - for standard input, or one of the boards that
`mmsat instances` lists.
  4x6/1122=1.1/3345=0.2   4 pegs, 6 colors; GUESS=BLACK.WHITE for each row
GAME is a size (4x6, 4x10d without repeats) or a name (`mmsat games`).

\b
Exit codes: 10 consistent, 20 inconsistent, 0 other success, 1 failure or
time limit reached, 2 wrong input, 130 interrupted.
Completion: eval "$(_MMSAT_COMPLETE=bash_source mmsat)" (or zsh, fish)
"""


class Group(click.Group):
    """The group of all commands; each command is imported when it is first used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the attribute `NAME_command` of the command's module; None for unknown names."""
        return self.find(cmd_name) if cmd_name in COMMANDS else None

    def find(self, name: str) -> click.Command:
        """Return the command with a name in COMMANDS."""
        module = importlib.import_module(f"mmsat.cli.commands.{MODULES.get(name, name)}")
        command: click.Command = getattr(module, f"{name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands section by section, without importing their modules."""
        width = max(map(len, COMMANDS))
        for heading, commands in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(f"{name:<{width}}", summary) for name, summary in commands.items()]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that start with `incomplete`, and the options after a dash."""
        from click.shell_completion import CompletionItem

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        items = [CompletionItem(name, help=COMMANDS[name]) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to run; raise InputError with similar names if it is unknown."""
        if args[0] in COMMANDS or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        if command := COMMANDS_OF_OTHER_NAMES.get(args[0]):
            fault = UnknownName.of("command", args[0], COMMANDS, suggestions=[command])
            raise InputError([fault], source="")
        # `Name` raises the error, so that it has the same form as for other unknown names
        param = click.Argument(["command"])
        return Name("command", lambda: COMMANDS).convert(args[0], param, ctx), None, []

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and report exceptions without a traceback."""
        try:
            with warnings.catch_warnings():
                show_plainly(GameWarning, WordListWarning, ColumnWarning)
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001  (all exceptions are reported)
            _fail_with(error, ctx)

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run the command line, and exit with a code of `cli/output.py` instead of one of click's.

        `obj` of the click contexts is the start time of the program, for time limits.
        """
        wrap_streams()
        try:
            settings: dict[str, Any] = {"obj": monotonic()} | extra
            code = super().main(args, **(settings | {"standalone_mode": False}))
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.message, err=True)
            code = output.USAGE
        except click.UsageError as error:
            code = _print_error(input_error(error))
            if error.ctx is not None:
                click.echo(f"Try: {error.ctx.command_path} --help", err=True)
        except (MmsatError, OSError) as error:
            code = _print_error(error)
        except click.Abort:
            click.echo("interrupted", err=True)
            code = output.INTERRUPTED
        code = code if isinstance(code, int) else output.SUCCESS
        sys.exit(code if flush_output() else output.FAILURE)


def show_plainly(*categories: type[Warning]) -> None:
    """Print warnings of the given categories without file and line, and each text only once."""
    show_other = warnings.showwarning
    shown: set[str] = set()

    def show(  # noqa: PLR0917  (the signature of showwarning)
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if not issubclass(category, categories):
            show_other(message, category, filename, lineno, file, line)
        elif str(message) not in shown:
            shown.add(str(message))
            click.echo(str(message), err=True)

    for category in categories:
        warnings.simplefilter("always", category)
    warnings.showwarning = show


def _print_error(error: MmsatError | OSError) -> int:
    """Print an error, and return its exit code."""
    if isinstance(error, OSError) and error.filename is None:  # most likely, standard output failed
        report_write_error(error)
    elif isinstance(error, OSError):
        click.echo(f"Error: {error.filename}: {error.strerror or error}", err=True)
    else:
        lines = str(error).splitlines() if isinstance(error, InputError) else [str(error)]
        for line in lines:
            click.echo(f"Error: {line}", err=True)
    return output.USAGE if isinstance(error, InputError) else output.FAILURE


def _fail_with(error: Exception, ctx: click.Context) -> NoReturn:
    """Report an exception, and end the command with its exit code."""
    error = convert_library_error(error)
    requested = ctx.meta.get(REQUESTED)
    if isinstance(error, TimeLimitError) and requested is not None:
        # report the requested limit; that of the error is shorter by the time for start-up
        error = TimeLimitError(error.work, requested, error.advice)
    if isinstance(error, (MmsatError, OSError)):
        output.leave(_print_error(error))
    is_out_of_memory = isinstance(error, MemoryError)
    message = (
        "there is not enough memory for this board"
        if is_out_of_memory
        else _bug_message(error, ctx)
    )
    click.echo(f"Error: {message}", err=True)
    output.leave(output.FAILURE)


def _bug_message(error: Exception, ctx: click.Context) -> str:
    """Return the message about a bug, with the board for the report."""
    if os.environ.get("MMSAT_TRACEBACK"):
        sys.excepthook(type(error), error, error.__traceback__)
    kind = "" if isinstance(error, InternalError) else f"{type(error).__name__}: "
    if LOADED_PLUGINS:
        return (
            f"{kind}{error}\nThe cause may be the plug-in {join_words(LOADED_PLUGINS, 'or')}. "
            "Test it by `mmsat.testing`, and run the command with MMSAT_TRACEBACK=1."
        )
    board = ctx.meta.get(CURRENT_BOARD)
    board_line = "" if board is None else f"\nThe board is {board}"
    return (
        f"mmsat contradicts itself, which is a bug: {kind}{error}\n"
        "Please report it with the board, the command and the output of MMSAT_TRACEBACK=1."
        f"{board_line}"
    )


@click.group(
    cls=Group,
    epilog=EPILOG,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 80,
        "auto_envvar_prefix": "MMSAT",
        "show_default": True,
    },
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.option(
    "--log-level",
    type=Name("log level", lambda: output.LEVELS),
    envvar="MMSAT_LOG",
    help="Log processes and solvers to standard error: debug, info, warning or error.",
)
def mmsat(log_level: str | None) -> None:
    """Find out whether a code gets exactly these scores.

    mmsat checks scored Mastermind boards, finds the wrong score, counts and lists the codes that
    remain, plays, studies strategies, and translates boards for SAT, CP and other solvers.
    """
    if log_level is not None:
        output.log_to_stderr(log_level)
