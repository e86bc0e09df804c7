"""Parameter types for input: boards (a board line, a file, or `-`), text files and proof files."""

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

MAX_PROOF_BYTES = 1 << 32
STANDARD_INPUT = "standard input"
BOARD_LINE = "a board line such as 4x6/1122=1.1"


class TextFile(File[str]):
    """A text file, or `-` for standard input; the value is its text."""

    expected = "a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read the file; raise InputError if it cannot be read."""
        self.claim_standard_input(value, param, ctx)
        return read(value)

    def claim_standard_input(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> None:
        """Raise InputError if another parameter reads standard input as well."""
        if value == "-" and ctx is not None and ctx.meta.setdefault(STANDARD_INPUT, param) != param:
            refuse(where(param), "a file", value, "standard input can be read only once")


class ProofFile(TextFile):
    """A proof file, or `-` for standard input; the value is its name and its bytes."""

    name = "proof"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the file without decoding it, because proofs can be binary."""
        if isinstance(value, tuple):  # already converted
            return value
        self.claim_standard_input(value, param, ctx)
        return name_of(value), read_bytes(value, "the file of a proof", MAX_PROOF_BYTES)


class BoardSource(TextFile):
    """A board line, a file, or `-` for standard input; the value is the Board."""

    name = "board"
    expected = f"{BOARD_LINE}, a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the board; raise InputError with every fault and the name of the source."""
        self.claim_standard_input(value, param, ctx)
        board = read_board(value)
        if ctx is not None:
            ctx.meta[CURRENT_BOARD] = board
        return board


def read_board(value: str) -> Board:
    """Read a board from an argument: a board line, the name of a file, or `-`.

    A warning that the game was assumed is printed with the name of the source.
    """
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
    """Return whether an argument is the text of a board, and not the name of a file.

    An existing file is a file, whatever its name. Text that is almost a board counts as one, so
    that the error message explains what is wrong with it. Names such as `./4x6` are not boards.
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
    """Return the name of a file in messages."""
    return STANDARD_INPUT if value == "-" else value


def read(value: str, wanted: str = "a file") -> str:
    """Return the text of a file, or of standard input for `-`; raise InputError if it fails.

    `wanted` describes the accepted arguments other than `-`, for the error message.
    """
    return decode(read_bytes(value, wanted, LIMITS.input_bytes), name_of(value))


def read_bytes(value: str, wanted: str, max_bytes: int) -> bytes:
    """Return the bytes of a file, or of standard input for `-`.

    Raises InputError if the file cannot be read, or has more than `max_bytes` bytes.
    """
    source = name_of(value)
    try:
        if value == "-":
            data = read_standard_input(max_bytes)
        else:
            with open(value, "rb") as file:
                data = read_at_most(file.read, max_bytes + 1)
    except FileNotFoundError:
        neither = "neither a board nor a file" if wanted == BOARD_LINE else "no such file"
        files = "" if wanted == "a file" else "a file, "
        refuse("the arguments", f"{wanted}, {files}or -", value, neither)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        refuse("the arguments", "a file that can be read", value, reason)
    if len(data) > max_bytes:
        refuse(source, f"at most {max_bytes >> 20} MiB", "more")
    return data


def read_standard_input(max_bytes: int) -> bytes:
    """Return up to `max_bytes` + 1 bytes of standard input."""
    if sys.stdin is None:  # the calling process closed it
        return b""
    if sys.stdin.isatty():
        click.echo("reading from the terminal, Ctrl-D ends", err=True)
    return read_at_most(sys.stdin.buffer.read, max_bytes + 1)
