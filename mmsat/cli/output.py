"""Output of commands: data on standard output, messages and progress on standard error.

The streams accept any text, and discard further output once their reader has closed the pipe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import click

from mmsat._util.files import atomic_write
from mmsat._util.text import quantities
from mmsat.cli.exit_codes import INTERRUPTED, leave
from mmsat.cli.time_limit import late_message
from mmsat.render.reports import print_report

if TYPE_CHECKING:
    from mmsat.game.board import Board


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
