"""Lines of styled spans, independent of the output, and tables of such lines.

The columns of a table are aligned, and the last one wraps. A width of None is for pipes, where
every row is one line.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
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


MIN_LAST_COLUMN_WIDTH = 20
"""Minimum width of the last column."""


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None,
    numbers: Sequence[int] = (),
) -> Iterator[Line]:
    """Yield the lines of a table; the columns in `numbers` (from 0) are right-aligned."""
    *other_columns, _ = zip(heads, *rows, strict=True)
    widths = [max(map(len, column)) for column in other_columns]
    indent = sum(widths) + 2 * len(widths)
    if width is not None and indent + MIN_LAST_COLUMN_WIDTH > width:
        yield from stack(heads, rows, width)
        return
    for number, row in enumerate([heads, *rows]):
        *cells, last = row
        parts = [
            f"{cell:>{cell_width}}  " if column in numbers else f"{cell:<{cell_width}}  "
            for column, (cell, cell_width) in enumerate(zip(cells, widths, strict=True))
        ]
        first, *more = fold(last, width, indent)
        style = "dim" if number == 0 else ""
        yield [
            Span(parts[0] if parts else "", style or "name"),
            *(Span(part, style) for part in parts[1:]),
            Span(first, style),
        ]
        for text in more:
            yield [Span(" " * indent + text)]


def stack(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    """Yield the lines of a table that is too wide: the other cells are below the first."""
    for number, (name, *rest) in enumerate([heads, *rows]):
        style = "dim" if number == 0 else ""
        for text in fold(name, width, 0):
            yield [Span(text, style or "name")]
        for text in fold("; ".join(filter(None, rest)), width, 4):
            yield [Span(f"    {text}", style)]


def fold(text: str, width: int | None, indent: int) -> list[str]:
    """Return the lines of a cell that starts at column `indent`; words are never broken."""
    if width is None or not text:
        return [text]
    room = max(MIN_LAST_COLUMN_WIDTH, width - indent)
    return wrap_text(text, room, break_long_words=False, break_on_hyphens=False)


def wrap_text(text: str, width: int, **how: Any) -> list[str]:
    """Wrap a text to `width` columns."""
    from textwrap import wrap

    return wrap(text, width, **how)


def paragraphs(texts: Sequence[str], width: int | None) -> Iterator[Line]:
    """Yield sentences, one per line; if there is a width, wrapped to it with a hanging indent."""
    for text in texts:
        for line in wrap_text(text, width, subsequent_indent="  ") if width else [text]:
            yield [Span(line, "prose")]


def fields(values: Mapping[str, str], width: int | None) -> Iterator[Line]:
    """Yield names and values, with values wrapped; empty values are omitted."""
    name_width = max(map(len, values)) + 2
    for name, value in values.items():
        for number, text in enumerate(fold(value, width, name_width) if value else []):
            yield [Span(f"{'' if number else name:<{name_width}}", "dim"), Span(text)]
