"""Output of commands: data on standard output, messages and progress on standard error."""

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
