"""Boards from and to text of any kind, told apart by content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.game.document import print_document, read_document
from mmsat.game.line import is_line, print_line, read_line
from mmsat.game.text import print_text, read_text

if TYPE_CHECKING:
    from mmsat.game.board import Board

PRINTERS = {
    "line": lambda board: f"{print_line(board)}\n",
    "text": print_text,
    "json": print_document,
}
"""The notations of a board: name -> how to print it."""


def parse(text: str, *, files: bool = True) -> Board:
    """Read a board line, a board file's text or a JSON document.

    Raises InputError with every fault of the text.
    """
    text = text.removeprefix("\ufeff")  # a byte order mark that a reader left in
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return read_document(text, files=files)
    if is_line(text):
        return read_line(text, files=files)
    return read_text(text, files=files)


def decode(data: bytes, source: str) -> str:
    """The text of a file in UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        got = data[error.start : error.start + 1]
        fault = Fault("a board file is UTF-8 text", got, "plain text", line, column)
        raise InputError([fault], source) from None
