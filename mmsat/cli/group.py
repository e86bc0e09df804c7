"""The group of all commands. A command is one module in `commands/`, imported when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

import click

from mmsat import __version__
from mmsat.cli import exit_codes
from mmsat.cli.exit_codes import CURRENT_BOARD
from mmsat.errors import InputError, InternalError, MmsatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

COMMANDS = {
    "check": "Decide whether a code gets exactly these scores.",
    "verify": "Check a proof that `mmsat check --proof` wrote.",
    "explain": "Find out which scores are wrong.",
    "count": "Count the codes that get exactly these scores.",
    "list": "List the codes that get exactly these scores.",
    "odds": "Tell the chance of every color at every peg.",
    "suggest": "Suggest the next guess, with reasons.",
    "review": "Judge a played game guess by guess, skill and luck.",
    "play": "Play a game against the machine.",
    "match": "Play a match of several games.",
    "analyze": "Play every code of a game by a strategy.",
    "optimal": "Find the best strategy of a game, and prove it.",
    "serve": "Open the analysis board in the browser.",
    "encode": "Write a board in the language of a solver.",
    "decode": "Turn a solver's answer into a code.",
    "reduce": "Turn a hard problem into a board.",
    "lift": "Carry a code back to an answer of the problem.",
    "generate": "Make a board of any size, with a known answer.",
    "bench": "Measure how hard boards are, and draw it.",
    "games": "List the published games, or all about one.",
    "encodings": "List the encodings, or all about one.",
    "instances": "List the library of boards, or all about one.",
}
"""Name and summary, in the order of the help: what answers, what converts, what is in store."""

EPILOG = """\b
BOARD is a board line such as 4x6/1122=1.1/3345=0.2, a file, or - for
standard input. A board line is PEGSxCOLORS, then GUESS=BLACK.WHITE a row.
Exit codes: 10 consistent, 20 inconsistent, 0 other success, 1 failure or
undecided in time, 2 usage or bad input, 130 interrupted.
Completion: eval "$(_MMSAT_COMPLETE=bash_source mmsat)" (or zsh, fish).
"""


class Group(click.Group):
    """Loads commands lazily, and turns what goes wrong into one message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name: what its module calls `command`."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"mmsat.cli.commands.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table of commands, which loads none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that start like this; after a dash, the options."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415  (only in a completion)

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        items = [CompletionItem(name, help=COMMANDS[name]) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; for an unknown one, the error names the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # noqa: PLC0415  (5 ms, for this error alone)

            near = get_close_matches(args[0], COMMANDS, n=1)
            if not near:
                raise
            ctx.fail(f"{error.message} Did you mean {near[0]!r}?")

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; no traceback reaches a user."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except InputError as error:
            _fail(str(error), exit_codes.USAGE)
        except MmsatError as error:
            _fail(str(error), exit_codes.FAILURE)
        except OSError as error:
            if error.filename is None:  # most likely it was standard output
                _silence()
            place = error.filename or "the system"
            _fail(f"{place}: {error.strerror or error}", exit_codes.FAILURE)
        except MemoryError:
            _fail("the memory is not enough for this board", exit_codes.FAILURE)
        except Exception as error:  # noqa: BLE001  (a bug, told as one)
            _fail(_bug(error, ctx), exit_codes.FAILURE)

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run and exit; the only difference to click's own is what the exit codes are."""
        _open_streams()
        try:
            code = super().main(args, **(extra | {"standalone_mode": False}))
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except click.Abort:
            click.echo("interrupted", err=True)
            code = exit_codes.INTERRUPTED
        code = code if isinstance(code, int) else exit_codes.SUCCESS
        sys.exit(code if _flush() else exit_codes.FAILURE)


def _open_streams() -> None:
    """Make the streams fit for any text, and put something where the caller closed them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        elif hasattr(stream, "reconfigure"):  # a symbol that a terminal lacks is no failure
            stream.reconfigure(errors="backslashreplace")


def _flush() -> bool:
    """Whether all output has arrived; tells it if not, unless the reader just went away."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            click.echo(f"Error: standard output: {error.strerror}", err=True)
        _silence()
        return False
    return True


def _silence() -> None:
    """Let what is still to be written go nowhere; Python would try again at its end, and fail."""
    with suppress(OSError, ValueError):  # a stream that is no file needs nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"Error: {message}", err=True)
    exit_codes.leave(code)


def _bug(error: Exception, ctx: click.Context) -> str:
    """What to say of a bug, with all that a report needs."""
    if os.environ.get("MMSAT_TRACEBACK"):
        sys.excepthook(type(error), error, error.__traceback__)
    kind = "" if isinstance(error, InternalError) else f"{type(error).__name__}: "
    board = ctx.meta.get(CURRENT_BOARD)
    with_board = "" if board is None else f"\nThe board is {board}"
    return (
        f"mmsat contradicts itself, which is a bug: {kind}{error}\n"
        "Please report it with the board, the command and the output of MMSAT_TRACEBACK=1."
        f"{with_board}"
    )


@click.group(
    cls=Group,
    epilog=EPILOG,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 80,
        "auto_envvar_prefix": "MMSAT",
    },
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def mmsat() -> None:
    """Find out whether a code gets exactly these scores.

    mmsat checks scored Mastermind boards, finds the scoring error, counts and lists the codes that
    remain, plays, analyzes strategies, and translates boards for SAT, CP and other solvers.
    """
