"""What commands print: data on standard output, talk and progress on standard error."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import click

from mmsat.cli.exit_codes import INTERRUPTED, SUCCESS, leave
from mmsat.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.board import Board

T = TypeVar("T")
OFTEN = 0.2
"""Seconds between two reports of progress."""


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    import json  # noqa: PLC0415  (most commands print none)

    click.echo(json.dumps(document))


def say(message: str) -> None:
    """Tell something that is not data."""
    click.echo(message, err=True)


def leave_early(code: int, late: str = "the time was up") -> NoReturn:
    """End the command; where the code is no success, say that it was interrupted or late."""
    message = "interrupted" if code == INTERRUPTED else late
    if code and message:
        say(message)
    leave(code)


def write_board(board: Board, text: str, output: str) -> None:
    """Write a board, as a text in some notation, to a file, and say how large it is."""
    atomic_write(output, [text])
    game = board.game
    say(f"{output}: {game.pegs} pegs, {game.colors} colors, {len(board.rows)} rows")


class Progress:
    """A line on standard error that tells how far a long job is; only on a terminal."""

    def __init__(self) -> None:
        """Be silent for a moment: short jobs need no line."""
        self.is_shown = sys.stderr.isatty()
        self.started = monotonic()
        self.next = self.started + 2 * OFTEN
        self.width = 0

    def tell(self, message: str) -> None:
        """Write over the last message, unless it is new."""
        if self.is_shown and monotonic() >= self.next:
            self.next = monotonic() + OFTEN
            sys.stderr.write(f"\r{message:<{self.width}}")
            sys.stderr.flush()
            self.width = len(message)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return monotonic() - self.started

    def clear(self) -> None:
        """Take the line away."""
        if self.width:
            sys.stderr.write(f"\r{'':<{self.width}}\r")
            sys.stderr.flush()
            self.width = 0


class Job(Generic[T]):
    """A long piece of work that Ctrl-C ends with what is known so far.

    `known` is the answer before anything is found out. `describe` puts an answer into a line of
    progress. `code` is the exit code of an interruption once there was one, else that of success.
    """

    def __init__(self, known: T, describe: Callable[[T], str] = str) -> None:
        self.known = known
        self.describe = describe
        self.progress = Progress()
        self.code = SUCCESS

    def note(self, known: T) -> None:
        """Keep a better answer, and tell of it on a terminal."""
        self.known = known
        self.progress.tell(self.describe(known))

    def run(self, work: Callable[[], T]) -> T:
        """The answer of the work, or at Ctrl-C the last that was noted."""
        try:
            self.known = work()
        except KeyboardInterrupt:
            self.code = INTERRUPTED
        finally:
            self.progress.clear()
        return self.known
