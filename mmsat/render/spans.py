"""Styled text, independent of the output."""

from typing import NamedTuple
from unicodedata import category, east_asian_width

MARKS = ("Mn", "Me", "Cf")
"""Unicode categories of characters without width."""


class Span(NamedTuple):
    """A piece of a line."""

    text: str
    style: str = ""
    """A style of terminal.STYLES; it carries no information that is not in the text."""
    color: int | None = None
    """Color of a peg, from 0; None if this is not a peg."""


Line = list[Span]


def display_width(text: str) -> int:
    """Return the number of terminal columns of a text; marks have no width."""
    if text.isascii():
        return len(text)
    shown = [sign for sign in text if category(sign) not in MARKS]
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in shown)


def plain(line: Line) -> str:
    """Return the text of a line without styles and trailing blanks."""
    return "".join(span.text for span in line).rstrip()
