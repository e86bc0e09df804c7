"""Output of commands: data on standard output, messages and progress on standard error.

The streams accept any text, and discard further output once their reader has closed the pipe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

import click

from mmsat._util.files import atomic_write
from mmsat._util.text import quantities
from mmsat.cli.exit_codes import INTERRUPTED, leave
from mmsat.cli.time_limit import late_message
from mmsat.render.reports import print_report

if TYPE_CHECKING:
    from mmsat.game.board import Board


class Output:
    """A stream that discards further output once its reader has closed the pipe.

    So the exit code of the command in `mmsat check BOARD | head -1` does not depend on when `head`
    ends. Commands with unlimited output check `is_gone`, and stop.
    """

    def __init__(self, stream: Any) -> None:
        """Wrap a stream."""
        self.stream = stream
        self.is_gone = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text, unless the reader is gone."""
        if not self.is_gone:
            try:
                self.stream.write(text)
            except BrokenPipeError:
                self.close_quietly()
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write line by line until the reader is gone."""
        for line in lines:
            if self.is_gone:
                break
            self.write(line)

    def flush(self) -> None:
        """Flush the stream."""
        try:
            self.stream.flush()
        except BrokenPipeError:
            self.close_quietly()

    def close_quietly(self) -> None:
        """Redirect the stream to the null device.

        Otherwise the interpreter would flush the buffered output again at its end, and fail.
        """
        self.is_gone = True
        with suppress(OSError, ValueError):  # a stream without a file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())


def is_gone() -> bool:
    """Return whether the reader of standard output is gone."""
    return getattr(sys.stdout, "is_gone", False)


def open_streams() -> None:
    """Wrap standard output and error; streams closed by the caller lead to the null device."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
        elif hasattr(stream, "reconfigure"):  # symbols outside the encoding must not raise
            stream.reconfigure(errors="backslashreplace")
        setattr(sys, name, stream if isinstance(stream, Output) else Output(stream))


def close_streams() -> bool:
    """Flush standard output; return whether that succeeds, and print an error if not."""
    try:
        sys.stdout.flush()
    except OSError as error:
        complain(error)
        return False
    return True


def complain(error: OSError) -> None:
    """Print that standard output cannot be written, and discard further output."""
    click.echo(f"Error: standard output: {error.strerror}", err=True)
    if isinstance(sys.stdout, Output):
        sys.stdout.close_quietly()


QUIET = "mmsat.quiet"
"""Whether --quiet is given, in the `meta` of the context."""


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    import json

    click.echo(json.dumps(document))


def print_result(result: Any, *, as_json: bool, **more: Any) -> None:
    """Print the JSON document or the report of a result; `more` has arguments of the report."""
    if as_json:
        print_json(result.to_dict())
    else:
        print_report(result, **more)


def say(message: str) -> None:
    """Print a note on standard error, except with --quiet."""
    if not is_quiet():
        print_message(message)


def print_message(message: str, *, nl: bool = True) -> None:
    """Print a message on standard error, also with --quiet.

    Such messages report a failure or a partial result, or answer a person who plays.
    """
    click.echo(message, err=True, nl=nl)


def is_quiet() -> bool:
    """Return whether the running command has --quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(QUIET, False)


def leave_early(code: int, late: str | None = None) -> NoReturn:
    """End the command with an exit code.

    If it was interrupted or late, print a message. `late` replaces the message for all codes except
    an interruption.
    """
    message = "interrupted" if code == INTERRUPTED else late_message() if late is None else late
    if code and message:
        print_message(message)
    leave(code)


def write_board(board: Board, text: str, output: str) -> None:
    """Write the text of a board to a file, and print the size of the board."""
    atomic_write(output, [text])
    game = board.game
    say(f"{output}: {quantities(peg=game.pegs, color=game.colors, row=len(board.rows))}")
