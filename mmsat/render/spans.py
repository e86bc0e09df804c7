"""Styled text, before it is known where it will be shown."""

from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a line."""

    text: str
    style: str = ""
    """A name that terminal.py gives a meaning to; no information is in the style alone."""
    color: int | None = None
    """For a peg: its color, from 0."""


Line = list[Span]


def plain(line: Line) -> str:
    """A line without its styles, and without blanks at its end."""
    return "".join(span.text for span in line).rstrip()
