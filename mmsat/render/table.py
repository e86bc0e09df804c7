"""Lines of styled spans, independent of the output device, and tables of such lines.

The columns of a table are aligned, and the text of the last column is wrapped. If the width is
None, as in pipes, every row is one line.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import category, east_asian_width

ZERO_WIDTH_CATEGORIES = ("Mn", "Me", "Cf")
"""Unicode categories of characters without width."""


class Span(NamedTuple):
    """A piece of a line."""

    text: str
    style: str = ""
    """A key of terminal.STYLES. The style adds no information to the text."""
    color: int | None = None
    """Color of a peg, from 0; None if the span is not a peg."""


Line = list[Span]


def display_width(text: str) -> int:
    """Return the number of terminal columns of a text."""
    if text.isascii():
        return len(text)
    visible = [sign for sign in text if category(sign) not in ZERO_WIDTH_CATEGORIES]
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in visible)


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
    """Yield the lines of a table; the columns with indices in `numbers` are right-aligned."""
    *other_columns, _ = zip(heads, *rows, strict=True)
    widths = [max(map(len, column)) for column in other_columns]
    indent = sum(widths) + 2 * len(widths)
    if width is not None and indent + MIN_LAST_COLUMN_WIDTH > width:
        yield from stack(heads, rows, width)
        return
    for number, row in enumerate([heads, *rows]):
        *cells, last = row
        padded_cells = [
            f"{cell:>{cell_width}}  " if column in numbers else f"{cell:<{cell_width}}  "
            for column, (cell, cell_width) in enumerate(zip(cells, widths, strict=True))
        ]
        first_line, *further_lines = fold(last, width, indent)
        style = "dim" if number == 0 else ""
        yield [
            Span(padded_cells[0] if padded_cells else "", style or "name"),
            *(Span(cell, style) for cell in padded_cells[1:]),
            Span(first_line, style),
        ]
        for text in further_lines:
            yield [Span(" " * indent + text)]


def stack(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    """Yield the lines of a table that is too wide: further cells are below the first cell."""
    for number, (name, *further_cells) in enumerate([heads, *rows]):
        style = "dim" if number == 0 else ""
        for text in fold(name, width, 0):
            yield [Span(text, style or "name")]
        for text in fold("; ".join(filter(None, further_cells)), width, 4):
            yield [Span(f"    {text}", style)]


def fold(text: str, width: int | None, indent: int) -> list[str]:
    """Return the wrapped lines of a cell that starts at column `indent`; words are not broken."""
    if width is None or not text:
        return [text]
    cell_width = max(MIN_LAST_COLUMN_WIDTH, width - indent)
    return wrap_text(text, cell_width, break_long_words=False, break_on_hyphens=False)


def wrap_text(text: str, width: int, **options: Any) -> list[str]:
    """Wrap a text to `width` columns; `options` are those of `textwrap.wrap`."""
    from textwrap import wrap

    return wrap(text, width, **options)


def paragraphs(texts: Sequence[str], width: int | None) -> Iterator[Line]:
    """Yield sentences, each on a new line; if `width` is given, wrapped with a hanging indent."""
    for text in texts:
        for line in wrap_text(text, width, subsequent_indent="  ") if width else [text]:
            yield [Span(line, "prose")]


def fields(values: Mapping[str, str], width: int | None) -> Iterator[Line]:
    """Yield names and wrapped values; names with empty values are omitted."""
    name_width = max(map(len, values)) + 2
    for name, value in values.items():
        for number, text in enumerate(fold(value, width, name_width) if value else []):
            yield [Span(f"{'' if number else name:<{name_width}}", "dim"), Span(text)]
