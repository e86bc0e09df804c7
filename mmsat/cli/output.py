"""What commands print: data on standard output, talk on standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from mmsat.files import atomic_write

if TYPE_CHECKING:
    from mmsat.board import Board

OFTEN = 0.2
"""Seconds between two reports of progress."""


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    click.echo(json.dumps(document))


def told_lies(lies: int, by: str) -> dict[str, Any]:
    """What documents say of lies, where there may be any."""
    return {"lies": lies, "by": by} if lies else {}


def say(message: str) -> None:
    """Tell something that is not data."""
    click.echo(message, err=True)


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


def write_board(board: Board, text: str, output: str) -> None:
    """Write a board, as a text in some notation, to a file, and say how large it is."""
    atomic_write(Path(output), [text])
    game = board.game
    say(f"{output}: {game.pegs} pegs, {game.colors} colors, {len(board.rows)} rows")
