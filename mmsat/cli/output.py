"""Exit codes, the time limit, and output: data on standard output, messages on standard error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

import click

from mmsat._util.files import atomic_write
from mmsat._util.registry import Extensible, Plugin, PluginJson
from mmsat._util.text import duration, quantities
from mmsat.game.game import Game
from mmsat.render.reports import print_report
from mmsat.render.terminal import show_fields, show_gap, show_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.game.board import Board, Status


SUCCESS = 0
FAILURE = 1
"""The time limit is reached, the job is too large, a dependency is missing, or there is a bug."""
USAGE = 2
"""An option is wrong, or the input cannot be read."""
CONSISTENT = 10
INCONSISTENT = 20
INTERRUPTED = 130
CURRENT_BOARD = "mmsat.game.board"
"""Key of the board that a command read, in the `meta` of the click context, for bug reports."""


def leave(code: int) -> NoReturn:
    """End the command with an exit code."""
    raise click.exceptions.Exit(code)


def leave_with(status: Status) -> NoReturn:
    """End the command with the exit code of a verdict; an undecided board is a failure."""
    leave({"consistent": CONSISTENT, "inconsistent": INCONSISTENT}.get(status, FAILURE))


REQUESTED = "mmsat.timeout"
"""Key of the requested seconds in the `meta` of the click context."""


class TimeLimitInterrupt(KeyboardInterrupt):
    """The time limit passed. The command ends as after Ctrl-C, and keeps its partial result."""


def requested_seconds() -> float | None:
    """Return the --timeout of the running command in seconds, None without a limit."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(REQUESTED)


def late_message() -> str:
    """Return the message of a command that reached its time limit."""
    seconds = requested_seconds()
    return "not finished in time" if seconds is None else f"not finished within {duration(seconds)}"


@contextmanager
def interrupt_after(seconds: float | None) -> Iterator[None]:
    """Raise TimeLimitInterrupt in the body after a number of seconds; None means no limit.

    Progress.running uses the same signal for its ticks, and calls the handler of this function at
    each tick. Python ignores exceptions in callbacks of the garbage collector and in finalizers; an
    interrupt that was ignored there is raised again.
    """
    if seconds is None:
        yield
        return
    end_time = monotonic() + seconds

    def raise_if_late(*_: Any) -> None:
        if monotonic() >= end_time:
            raise TimeLimitInterrupt

    def retry(ignored: Any) -> None:
        if isinstance(ignored.exc_value, TimeLimitInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
        else:
            previous_hook(ignored)

    previous_hook, sys.unraisablehook = sys.unraisablehook, retry
    previous_handler = signal.signal(signal.SIGALRM, raise_if_late)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)
        sys.unraisablehook = previous_hook


LEVELS = ("debug", "info", "warning", "error")
FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_to_stderr(level: str | None = None) -> None:
    """Write the log of mmsat to standard error, from `level` upwards; by default, from warning."""
    import logging

    logging.basicConfig(format=FORMAT)
    if level is not None:
        logging.getLogger("mmsat").setLevel(level.upper())


class Output:
    """A stream that discards further output once its reader has closed the pipe.

    So the exit code of mmsat in `mmsat check BOARD | head -1` does not depend on when `head` ends.
    Commands with unlimited output stop when `is_reader_gone` is True.
    """

    def __init__(self, stream: Any) -> None:
        """Wrap a stream."""
        self.stream = stream
        self.is_reader_gone = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write text; if the reader is gone, discard it."""
        if not self.is_reader_gone:
            try:
                self.stream.write(text)
            except BrokenPipeError:
                self.redirect_to_null()
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write line by line until the reader is gone."""
        for line in lines:
            if self.is_reader_gone:
                break
            self.write(line)

    def flush(self) -> None:
        """Flush the stream."""
        try:
            self.stream.flush()
        except BrokenPipeError:
            self.redirect_to_null()

    def redirect_to_null(self) -> None:
        """Redirect the stream to the null device.

        Otherwise the interpreter would flush the buffered output again at its end, and fail.
        """
        self.is_reader_gone = True
        with suppress(OSError, ValueError):  # a stream without a file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())


def is_reader_gone() -> bool:
    """Return whether the reader of standard output is gone."""
    return getattr(sys.stdout, "is_reader_gone", False)


def wrap_streams() -> None:
    """Wrap standard output and error; streams closed by the caller lead to the null device."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
        elif hasattr(stream, "reconfigure"):  # symbols outside the encoding must not raise
            stream.reconfigure(errors="backslashreplace")
        setattr(sys, name, stream if isinstance(stream, Output) else Output(stream))


def flush_output() -> bool:
    """Flush standard output and return True; if that fails, print an error and return False."""
    try:
        sys.stdout.flush()
    except OSError as error:
        report_write_error(error)
        return False
    return True


def report_write_error(error: OSError) -> None:
    """Print that standard output cannot be written, and discard further output."""
    click.echo(f"Error: standard output: {error.strerror}", err=True)
    if isinstance(sys.stdout, Output):
        sys.stdout.redirect_to_null()


QUIET = "mmsat.quiet"
"""Key of whether --quiet is given, in the `meta` of the click context."""


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    import json

    click.echo(json.dumps(document))


def print_result(result: Any, *, as_json: bool, **report_options: Any) -> None:
    """Print a result, as its JSON document or as its report with `report_options`."""
    if as_json:
        print_json(result.to_dict())
    else:
        print_report(result, **report_options)


def say(message: str) -> None:
    """Print a note on standard error, except with --quiet."""
    if not is_quiet():
        print_message(message)


def print_message(message: str, *, nl: bool = True) -> None:
    """Print a message on standard error, also with --quiet.

    Such messages report a failure or a partial result, or reply to a person who plays.
    """
    click.echo(message, err=True, nl=nl)


def is_quiet() -> bool:
    """Return whether the running command has --quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(QUIET, False)


def leave_early(code: int, failure_message: str | None = None) -> NoReturn:
    """End the command; except with exit code 0, print why.

    If the command was not interrupted, print `failure_message`, which by default states that the
    time limit was reached; an empty string prints nothing.
    """
    if failure_message is None:
        failure_message = late_message()
    message = "interrupted" if code == INTERRUPTED else failure_message
    if code and message:
        print_message(message)
    leave(code)


def write_board(board: Board, text: str, output: str) -> None:
    """Write the text of a board to a file, and print the size of the board."""
    atomic_write(output, [text])
    game = board.game
    say(f"{output}: {quantities(peg=game.pegs, color=game.colors, row=len(board.rows))}")


def installed_plugins(registry: Extensible[Any]) -> list[PluginJson]:
    """Return the plug-ins of a kind; print a warning for each one that cannot be used."""
    plugins, errors = registry.plugins()
    for error in errors:
        print_message(f"Warning: {error}")
    return [plugin_json(plugin) for plugin in plugins]


def plugin_json(plugin: Plugin) -> PluginJson:
    """Return a plug-in for JSON. A game is summarized by its size."""
    if isinstance(plugin.value, Game):
        game = plugin.value
        size = f"{game.pegs} pegs, {game.colors} colors, {game.scoring.summary}"
        return plugin.to_dict(size)
    return plugin.to_dict()


def find_plugin(registry: Extensible[Any], name: str | None) -> list[PluginJson]:
    """Return the plug-in with a name, or an empty list if the name is built-in or None."""
    if name is None or name in registry.built_in or not registry.has_plugin(name):
        return []
    return [plugin_json(registry.plugin(name))]


def show_plugins(plugins: list[PluginJson]) -> None:
    """Print a table of plug-ins; print nothing if there are none."""
    if plugins:
        show_gap()
        rows = [[plugin["name"], plugin["package"], plugin["summary"]] for plugin in plugins]
        show_table(["plug-in", "package", "what it does"], rows)


def show_plugin(plugins: list[PluginJson]) -> None:
    """Print the properties of a plug-in."""
    for plugin in plugins:
        name, package, summary = plugin["name"], plugin["package"], plugin["summary"]
        show_fields({"name": name, "package": package, "summary": summary})
