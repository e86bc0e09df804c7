"""Styled text, before it is known where it will be shown."""

from typing import NamedTuple
from unicodedata import category, east_asian_width

MARKS = ("Mn", "Me", "Cf")
"""Unicode's categories of signs without a width."""


class Span(NamedTuple):
    """A piece of a line."""

    text: str
    style: str = ""
    """A name that terminal.py gives a meaning to; no information is in the style alone."""
    color: int | None = None
    """For a peg: its color, from 0."""


Line = list[Span]


def display_width(text: str) -> int:
    """Return the number of terminal columns that a text takes, without those of its marks."""
    if text.isascii():
        return len(text)
    shown = [sign for sign in text if category(sign) not in MARKS]
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in shown)


def plain(line: Line) -> str:
    """A line without its styles, and without blanks at its end."""
    return "".join(span.text for span in line).rstrip()
