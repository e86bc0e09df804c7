"""What commands print: data on standard output, talk and progress on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import click

from mmsat.cli.exit_codes import INTERRUPTED, leave
from mmsat.cli.time_limit import late_message
from mmsat.english import quantities
from mmsat.files import atomic_write
from mmsat.render.reports import print_report

if TYPE_CHECKING:
    from mmsat.board import Board


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    import json  # noqa: PLC0415  (most commands print none)

    click.echo(json.dumps(document))


def print_result(result: Any, *, as_json: bool, **more: Any) -> None:
    """Print a result: its JSON document, or its report, to which more is told."""
    if as_json:
        print_json(result.to_dict())
    else:
        print_report(result, **more)


def say(message: str, *, nl: bool = True) -> None:
    """Tell something that is not data."""
    click.echo(message, err=True, nl=nl)


def leave_early(code: int, late: str | None = None) -> NoReturn:
    """End the command; print a message if it was interrupted or late."""
    message = "interrupted" if code == INTERRUPTED else late_message() if late is None else late
    if code and message:
        say(message)
    leave(code)


def write_board(board: Board, text: str, output: str) -> None:
    """Write a board, as a text in some notation, to a file, and say how large it is."""
    atomic_write(output, [text])
    game = board.game
    say(f"{output}: {quantities(peg=game.pegs, color=game.colors, row=len(board.rows))}")
