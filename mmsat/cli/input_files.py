"""BOARD on the command line: a board line, a file, or `-` for standard input."""

import os
import sys
from dataclasses import replace
from typing import Any
from warnings import catch_warnings, warn

import click

from mmsat.board import Board
from mmsat.cli.exit_codes import CURRENT_BOARD
from mmsat.cli.parameters import File, refuse, where
from mmsat.errors import GameWarning, InputError
from mmsat.files import decode, read_at_most
from mmsat.game.names import is_game, nearest_games
from mmsat.limits import LIMITS

LARGEST_PROOF = 1 << 32
STANDARD_INPUT = "standard input"
BOARD_LINE = "a board line such as 4x6/1122=1.1"


class TextFile(File[str]):
    """A text file, or `-` for standard input; the value is its text."""

    expected = "a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read it; raises InputError, so that all bad input is told alike."""
        self.claim_standard_input(value, param, ctx)
        return read(value)

    def claim_standard_input(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> None:
        """Standard input can be read once."""
        if value == "-" and ctx is not None and ctx.meta.setdefault(STANDARD_INPUT, param) != param:
            refuse(where(param), "a file", value, "standard input can be read only once")


class ProofFile(TextFile):
    """The file of a proof, or `-` for standard input; the value is its name and its bytes."""

    name = "proof"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it as it is: whether it is text is for the check to tell."""
        if isinstance(value, tuple):
            return value
        self.claim_standard_input(value, param, ctx)
        return name_of(value), read_bytes(value, "the file of a proof", LARGEST_PROOF)


class BoardSource(TextFile):
    """A board line, a file, or `-` for standard input; the value is the Board."""

    name = "board"
    expected = f"{BOARD_LINE}, a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the board; raises InputError with every fault, and the name of the source."""
        self.claim_standard_input(value, param, ctx)
        board = read_board(value)
        if ctx is not None:
            ctx.meta[CURRENT_BOARD] = board
        return board


def read_board(value: str) -> Board:
    """Read the board that BOARD stands for."""
    written_out = is_board(value)
    source = "the board line" if written_out else name_of(value)
    text = value if written_out else read(value, BOARD_LINE)
    if not text.strip():
        refuse(
            "BOARD" if written_out else source, BoardSource.expected if written_out else "a board"
        )
    try:
        with catch_warnings(record=True, action="always") as warned:
            board = Board.parse(text)
    except InputError as error:
        if error.source != "the board":
            raise
        is_line = written_out and "\n" not in value
        faults = [replace(f, line=None) for f in error.faults] if is_line else error.faults
        raise InputError(faults, source) from None
    for warning in warned:
        if issubclass(warning.category, GameWarning):
            click.echo(f"{source}: {warning.message}", err=True)
        else:
            warn(warning.message, stacklevel=1)
    return board


def is_board(value: str) -> bool:
    """Whether BOARD is the board itself rather than the name of a file.

    A file that exists is a file, whatever its name; `./4x6` and the like are never boards. What is
    no file and almost a board is one, so that the error tells what is wrong with it.
    """
    if value == "-" or os.path.isfile(value):
        return False
    head, slash, _ = value.partition("/")
    return (
        not value.strip()
        or is_game(head.strip())
        or "\n" in value
        or value.strip()[:1] == "{"
        or ("=" in value and not value.startswith((".", "/")))
        or bool(slash and nearest_games(head))
    )


def name_of(value: str) -> str:
    """What messages call a file."""
    return STANDARD_INPUT if value == "-" else value


def read(value: str, wanted: str = "a file") -> str:
    """The text of a file, or of standard input for `-`; raises InputError if there is none.

    `wanted` is what the argument may be, beside `-`.
    """
    return decode(read_bytes(value, wanted, LIMITS.input_bytes), name_of(value))


def read_bytes(value: str, wanted: str, most: int) -> bytes:
    """The bytes of a file, or of standard input for `-`; raises InputError where there are none.

    More than `most` bytes are refused as well.
    """
    source = name_of(value)
    try:
        if value == "-":
            data = read_standard_input(most)
        else:
            with open(value, "rb") as file:
                data = read_at_most(file.read, most + 1)
    except FileNotFoundError:
        neither = "neither a board nor a file" if wanted == BOARD_LINE else "no such file"
        files = "" if wanted == "a file" else "a file, "
        refuse("the arguments", f"{wanted}, {files}or -", value, neither)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        refuse("the arguments", "a file that can be read", value, reason)
    if len(data) > most:
        refuse(source, f"at most {most >> 20} MiB", "more")
    return data


def read_standard_input(most: int) -> bytes:
    """What comes in, which is nothing if the caller closed the stream."""
    if sys.stdin is None:
        return b""
    if sys.stdin.isatty():
        click.echo("reading from the terminal, Ctrl-D ends", err=True)
    return read_at_most(sys.stdin.buffer.read, most + 1)
