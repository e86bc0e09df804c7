"""Output of the commands: data on standard output, and messages and progress on standard error.

This module also has the exit codes, the time limit, Ctrl-C that keeps the partial result, and a
memory limit. The progress line is shown on terminals only. The operating system enforces the memory
limit.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import click

from mmsat._util.files import atomic_write
from mmsat._util.registry import Extensible, Plugin, PluginJson
from mmsat._util.text import duration, join_words, quantities, quantity
from mmsat.game import UNREAD
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller, typed_game
from mmsat.render.reports import print_report
from mmsat.render.terminal import show_fields, show_gap, show_table, terminal_width

if TYPE_CHECKING:
    from mmsat.game import Code, Conventions
    from mmsat.game.board import Board, Status


SUCCESS = 0
FAILURE = 1
"""The time limit is reached, the job is too large, a dependency is missing, or there is a bug."""
USAGE = 2
"""An option is wrong, or the input cannot be read."""
CONSISTENT = 10
INCONSISTENT = 20
"""The exit codes of SAT solvers for satisfiable and unsatisfiable formulas."""
INTERRUPTED = 130
"""The exit code of shells for a process that Ctrl-C ended."""
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


def can_be_limited() -> bool:
    """Return whether the running command has the option --timeout."""
    context = click.get_current_context(silent=True)
    return context is not None and any(param.name == "timeout" for param in context.command.params)


def time_limit_message() -> str:
    """Return the message of a command that reached its time limit."""
    seconds = requested_seconds()
    return "not finished in time" if seconds is None else f"not finished within {duration(seconds)}"


@contextmanager
def interrupt_after(seconds: float | None) -> Iterator[None]:
    """Raise TimeLimitInterrupt in the body after a number of seconds; None means no limit.

    `Progress.running` uses the same signal to update the progress line, and then calls the handler
    of this function. Python ignores exceptions in finalizers and in callbacks of the garbage
    collector. An interrupt that was ignored there is raised again after a millisecond.
    """
    if seconds is None:
        yield
        return
    import signal

    end_time = monotonic() + seconds
    is_raised = False  # a second interrupt would stop the output of the result so far

    def raise_if_late(*_: Any) -> None:
        nonlocal is_raised
        if monotonic() >= end_time and not is_raised:
            is_raised = True
            raise TimeLimitInterrupt

    def retry(ignored: Any) -> None:
        nonlocal is_raised
        if isinstance(ignored.exc_value, TimeLimitInterrupt):
            is_raised = False
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
"""The values of --log-level."""
LOG_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_to_stderr(level: str | None = None) -> None:
    """Write the log of mmsat to standard error, from `level` upwards; by default, from warning."""
    import logging

    logging.basicConfig(format=LOG_FORMAT)
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
    """Print a JSON document in one line."""
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
        failure_message = time_limit_message()
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
    """Return the plug-ins of a kind; print a warning for each plug-in that cannot be used."""
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
    """Print a table of plug-ins, unless the list is empty."""
    if plugins:
        show_gap()
        rows = [[plugin["name"], plugin["package"], plugin["summary"]] for plugin in plugins]
        show_table(["plug-in", "package", "what it does"], rows)


def show_plugin(plugins: list[PluginJson]) -> None:
    """Print the properties of a plug-in."""
    for plugin in plugins:
        name, package, summary = plugin["name"], plugin["package"], plugin["summary"]
        show_fields({"name": name, "package": package, "summary": summary})


MIN_PROGRAM_BYTES = 128 << 20
"""Minimum number of bytes for the program and its libraries, in addition to the requested limit."""


def limit_memory(ctx: click.Context, _: click.Parameter, value: int) -> int:
    """Limit the memory for data of this process and of its child processes until the command ends.

    This is the callback of --memory; `value` is the limit in bytes. The limit is set on Linux only.
    """
    if sys.platform == "linux":
        import resource

        soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_DATA)
        # If the command is called inside a large process, the present data count as the program,
        # and may double.
        new_limit = value + max(MIN_PROGRAM_BYTES, 2 * data_bytes())
        new_limit = (
            new_limit if hard_limit == resource.RLIM_INFINITY else min(new_limit, hard_limit)
        )
        resource.setrlimit(resource.RLIMIT_DATA, (new_limit, hard_limit))
        # The limit is restored when the root context is closed: the context of a command whose
        # command line is wrong is not closed.
        limits = (soft_limit, hard_limit)
        ctx.find_root().call_on_close(lambda: resource.setrlimit(resource.RLIMIT_DATA, limits))
    return value


def data_bytes() -> int:
    """Return the number of bytes of data of this process, as reported by Linux."""
    with open("/proc/self/status", encoding="ascii") as status:
        (size,) = (line.split()[1] for line in status if line.startswith("VmData:"))
    return int(size) << 10


T = TypeVar("T")
UPDATE_SECONDS = 0.2
"""Seconds between two updates of the progress line."""
NOTE_SECONDS = 30.0
"""Time in seconds after which a command notes that it runs, if standard error is no terminal."""
FIRST_UPDATE_SECONDS = 0.5
"""Seconds before the progress line first appears, so that short jobs show none."""
MIN_ESTIMATED_SHARE = 0.01
"""Minimum completed fraction from which the remaining time is estimated."""


class Progress:
    """Progress on standard error, except with --quiet.

    On a terminal, it is a line that is updated. Elsewhere, if the command has the option --timeout,
    a single line after NOTE_SECONDS states that it is still running, and how to limit its time.
    """

    def __init__(self, message: str, *, is_silent: bool = False) -> None:
        """Start the clock; the line appears after FIRST_UPDATE_SECONDS.

        `message` is shown until the first report. The time limit is the --timeout of the running
        command. If `is_silent`, no line is shown.
        """
        self.is_shown = sys.stderr.isatty() and not is_silent and not is_quiet()
        self.has_note = can_be_limited() and not (sys.stderr.isatty() or is_quiet())
        self.limit = requested_seconds()
        self.start_time = monotonic()
        self.next_update = self.start_time + FIRST_UPDATE_SECONDS
        self.message = message
        self.share: float | None = None
        self.width = 0

    def report(self, message: str, share: float | None = None) -> None:
        """Report progress: a message, and the completed fraction (0 to 1; None if unknown)."""
        self.message, self.share = message, share
        self.show()

    def count(self, noun: str, participle: str) -> Callable[[int, int], None]:
        """Return a callback that reports a number and its total: `3 of 10 codes played`."""

        def report(number: int, total: int) -> None:
            self.report(f"{number:,} of {quantity(total, noun)} {participle}", number / total)

        return report

    def follow(
        self,
        pieces: Iterable[str],
        describe: Callable[[int, int], str],
        total: int | None = None,
    ) -> Iterator[str]:
        """Yield pieces of text unchanged, and report progress after each piece.

        - `describe`: makes the message from the number of pieces and their total length.
        - `total`: the number of pieces, None if it is unknown.
        """
        size = 0
        for number, piece in enumerate(pieces, 1):
            yield piece
            size += len(piece)
            self.report(describe(number, size), number / total if total else None)

    def show(self) -> None:
        """Update the line on the terminal, at most every UPDATE_SECONDS."""
        if self.message and self.is_shown and monotonic() >= self.next_update:
            self.next_update = monotonic() + UPDATE_SECONDS
            line = f"{self.message}{timing(self.seconds, self.share, self.limit)}"
            line = line[: terminal_width(2) - 1]
            sys.stderr.write(f"\r{line:<{self.width}}")
            sys.stderr.flush()
            self.width = len(line)
        elif self.has_note and self.seconds >= NOTE_SECONDS:
            self.has_note = False
            advice = "" if self.limit is not None else "; --timeout SECONDS limits the time"
            message = f" ({self.message})" if self.message else ""
            say(f"still working after {self.seconds:.0f} s{message}{advice}")

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return monotonic() - self.start_time

    def clear(self) -> None:
        """Erase the line."""
        if self.width:
            sys.stderr.write(f"\r{'':<{self.width}}\r")
            sys.stderr.flush()
            self.width = 0

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Erase the line, and do not show it during the body, which prints other text."""
        self.clear()
        was_shown, self.is_shown = self.is_shown, False
        try:
            yield
        finally:
            self.is_shown = was_shown

    @contextmanager
    def running(self) -> Iterator[None]:
        """Update the line by a timer during the body, and erase it at the end.

        The elapsed time is therefore shown even if the body reports no progress. If the timer is
        already used for the time limit of the command (`interrupt_after`), each update also calls
        the handler of the limit, and at the end the timer is set to the remaining time.
        """
        if not (self.is_shown or self.has_note):
            yield
            return
        import signal

        from mmsat._util.processes import restoring_timer

        previous_handler = signal.getsignal(signal.SIGALRM)

        def tick(number: int, frame: Any) -> None:
            self.show()
            if callable(previous_handler):  # the handler of the time limit, which checks the time
                previous_handler(number, frame)

        first_seconds = FIRST_UPDATE_SECONDS if self.is_shown else NOTE_SECONDS
        remaining, _ = signal.getitimer(signal.ITIMER_REAL)
        first_seconds = min(first_seconds, remaining or first_seconds)
        try:
            with restoring_timer():
                signal.signal(signal.SIGALRM, tick)
                signal.setitimer(signal.ITIMER_REAL, first_seconds, UPDATE_SECONDS)
                yield
        finally:
            self.clear()


def timing(seconds: float, share: float | None, limit: float | None = None) -> str:
    """Return the completed fraction, the elapsed time and the remaining time, in words.

    The remaining time is extrapolated from the completed fraction `share`, and is bounded by the
    time limit. It is omitted if neither is known.
    """
    share_text = "" if share is None or share <= 0 else f", {share:.0%} done"
    estimate = inf if share is None or share < MIN_ESTIMATED_SHARE else seconds / share - seconds
    bound = inf if limit is None else max(0, limit - seconds)
    qualifier = "about" if estimate <= bound else "at most"
    remaining_text = (
        "" if min(estimate, bound) == inf else f", {qualifier} {clock(min(estimate, bound))} left"
    )
    return f"{share_text}, {clock(seconds)} so far{remaining_text}"


def clock(seconds: float) -> str:
    """Return a time in words: 12 s, 3 min 5 s, 2 h 10 min."""
    whole_seconds = round(seconds)
    if whole_seconds < 60:
        return f"{whole_seconds} s"
    if whole_seconds < 3600:
        return f"{whole_seconds // 60} min {whole_seconds % 60} s"
    return f"{whole_seconds // 3600} h {whole_seconds % 3600 // 60} min"


class Job(Generic[T]):
    """A long job that returns its best answer so far if Ctrl-C or the time limit ends it.

    - `answer`: the initial answer, which is returned if the job finds none.
    - `message`: the message of the progress line until the first answer.
    - `describe`: makes the message of the progress line from an answer.
    - `share`: returns the completed fraction for an answer, None if it is unknown.
    - `is_printing`: whether the job itself prints. No progress line is then shown if standard
      output is a terminal.

    After `run`, `code` is the exit code: SUCCESS, FAILURE (time limit) or INTERRUPTED.
    """

    def __init__(
        self,
        answer: T,
        message: str,
        describe: Callable[[T], str] | None = None,
        *,
        share: Callable[[T], float | None] = lambda _: None,
        is_printing: bool = False,
    ) -> None:
        self.answer = answer
        self.describe = describe
        self.share = share
        self.progress = Progress(message, is_silent=is_printing and sys.stdout.isatty())
        self.code = SUCCESS

    def note(self, answer: T) -> None:
        """Store a better answer, and show it in the progress line."""
        self.answer = answer
        if self.describe is not None:
            self.progress.report(self.describe(answer), self.share(answer))

    def run(self, work: Callable[[], T]) -> T:
        """Return the answer of `work`; if it is interrupted, return the last stored answer."""
        try:
            with self.progress.running():
                self.answer = work()
        except TimeLimitInterrupt:
            self.code = FAILURE
        except KeyboardInterrupt:
            self.code = INTERRUPTED
        return self.answer


def typed_board(board: Board, conventions: Conventions, *codes: Code) -> Board:
    """Return the board with a game that prints codes in the symbols in which they were typed.

    - `conventions`: the notation of the guesses, the known codes and `codes`, which were typed.
    """
    typed_codes = (*(row.guess for row in board.rows), *board.known, *codes)
    game = typed_game(board.game, typed_codes, conventions)
    return board if game is board.game else replace(board, game=game)


def doubts(board: Board) -> Iterator[str]:
    """Yield warnings about guesses that are allowed, but unusual in the game of a board."""
    space = board.game.space
    print_code = speller(board.game).print_code
    colors_by_row = [[color for color in row.guess if color != UNREAD] for row in board.rows]
    rows = [n for n, colors in enumerate(colors_by_row, 1) if len({*colors}) < len(colors)]
    if rows and not space.has_repeats:
        # "no color repeats, but one does in row 3"
        yield f"{space.summary}, but one does in row {join_words(rows)}"
    guesses = [row.guess for row in board.rows if UNREAD not in row.guess]
    words = [print_code(guess) for guess in guesses if not space.contains(guess)]
    if words and space.table() is not None:
        yield f"the word list does not have {join_words(words, 'or')}"
