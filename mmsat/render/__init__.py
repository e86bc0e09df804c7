"""Output for people: lines of spans, tables of such lines, colors of pegs, and matplotlib figures.

The columns of a table are aligned, and the text of the last column is wrapped. If the width is
None, as in pipes, every row is one line.

The first colors of pegs have names, in the order in which `game/notation/__init__.py` numbers
their letters: R for red is color 1, G for green is color 2, and so on. A board in letters is
therefore drawn in the colors that its letters stand for. Further colors are spaced by the golden
angle on the color wheel, so that neighbors differ. Many of them are hard to distinguish, so every
peg also shows its symbol.

matplotlib is imported only when a figure is drawn. Equal figures give equal files.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import category, east_asian_width

from mmsat._util.files import atomic_write
from mmsat.errors import requiring_extra

if TYPE_CHECKING:
    from pathlib import Path

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
"""A line of output."""


def display_width(text: str) -> int:
    """Return the number of terminal columns of a text."""
    if text.isascii():
        return len(text)
    visible = [character for character in text if category(character) not in ZERO_WIDTH_CATEGORIES]
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in visible)


def plain(line: Line) -> str:
    """Return the text of a line without styles and trailing blanks."""
    return "".join(span.text for span in line).rstrip()


MIN_LAST_COLUMN_WIDTH = 20
"""Minimum width of the last column."""


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None,
    right_aligned: Sequence[int] = (),
) -> Iterator[Line]:
    """Yield the lines of a table; the columns with indices in `right_aligned` are right-aligned.

    If the table is too wide even with a wrapped last column, its lines are those of `stack`. Only
    cells of the last column may have characters that are two terminal columns wide, because the
    widths of the columns are measured in characters.
    """
    *widths, last_width = (max(map(len, column)) for column in zip(heads, *rows, strict=True))
    indent = sum(widths) + 2 * len(widths)
    if width is not None and indent + min(last_width, MIN_LAST_COLUMN_WIDTH) > width:
        yield from stack(heads, rows, width)
        return
    for row_index, row in enumerate([heads, *rows]):
        *cells, last = row
        padded_cells = [
            f"{cell:>{cell_width}}  " if column in right_aligned else f"{cell:<{cell_width}}  "
            for column, (cell, cell_width) in enumerate(zip(cells, widths, strict=True))
        ]
        first_line, *further_lines = fold(last, width, indent)
        style = "dim" if row_index == 0 else ""  # the first row has the heads
        yield [
            Span(padded_cells[0] if padded_cells else "", style or "name"),
            *(Span(cell, style) for cell in padded_cells[1:]),
            Span(first_line, style),
        ]
        for text in further_lines:
            yield [Span(" " * indent + text)]


def stack(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    """Yield the lines of a table that is too wide.

    Each row has its first cell in one line, and the other cells below it, joined by semicolons.
    """
    for row_index, (name, *further_cells) in enumerate([heads, *rows]):
        style = "dim" if row_index == 0 else ""
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


NAMED_COLORS = {
    "red": "d0202e",
    "green": "009e73",
    "blue": "0072b2",
    "yellow": "f0e442",
    "orange": "ee8a00",
    "purple": "a568cc",
    "white": "e8e8e8",
    "black": "444444",
    "cyan": "56c5e8",
    "magenta": "e64bab",
    "brown": "8a5a2b",
    "violet": "6741c2",
    "pink": "f7a8c4",
    "gray": "8c8c8c",
    "turquoise": "40c9b0",
    "lime": "a6d63c",
    "gold": "c9a227",
    "silver": "c4ccd4",
}
"""The backgrounds of the colors that have names, in the order of `notation.COLOR_NAMES`.
Black is a dark gray and white a light gray, so that they can be seen on dark and light screens."""


NAMED_BACKGROUNDS = tuple(NAMED_COLORS.values())
"""The backgrounds of the first colors of pegs."""
UNREAD_BACKGROUND = "7f7f7f"
"""The background of an unread peg, a gray."""
GOLDEN_ANGLE = 0.381966
"""The golden angle, as a fraction of the circle."""


class Paint(NamedTuple):
    """The two colors with which a peg is painted."""

    background: str
    """The color of the peg, in hexadecimal RGB."""
    foreground: str
    """The color of the symbol: black or white, whichever has the higher contrast."""


def paint(color: int) -> Paint:
    """Return the paint of a color (from 0), or of an unread peg (-1), which is gray."""
    if color < 0:
        background = UNREAD_BACKGROUND
    elif color < len(NAMED_BACKGROUNDS):
        background = NAMED_BACKGROUNDS[color]
    else:
        import colorsys

        index = color - len(NAMED_BACKGROUNDS)
        lightness = (0.45, 0.65, 0.8)[index % 3]  # alternates, so that neighbors differ more
        channels = colorsys.hls_to_rgb(index * GOLDEN_ANGLE % 1.0, lightness, 0.6)
        background = "".join(f"{round(255 * channel):02x}" for channel in channels)
    return paint_background(background)


def paint_background(background: str) -> Paint:
    """Return the paint with this background, and with black or white text.

    Contrasts are computed as in WCAG 2.
    """
    light = luminance(background)
    black_contrast, white_contrast = (light + 0.05) / 0.05, 1.05 / (light + 0.05)
    return Paint(background, "000000" if black_contrast >= white_contrast else "ffffff")


def luminance(color: str) -> float:
    """Return the relative luminance (WCAG 2) of a hexadecimal RGB color, from 0 to 1."""
    linear = []
    for start in (0, 2, 4):
        channel = int(color[start : start + 2], 16) / 255
        linear.append(channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def matplotlib() -> Any:
    """Return the package matplotlib; raise MissingError if it is not installed."""
    with requiring_extra("matplotlib is not installed; write: pip install 'mmsat[plot]'"):
        import matplotlib as mpl
    return mpl


def pyplot() -> Any:
    """Return matplotlib.pyplot without a display, configured for print.

    Raises MissingError if matplotlib is not installed.
    """
    matplotlib().use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams.update(
        {
            "svg.hashsalt": "mmsat",  # reproducible names of elements
            "font.size": 8,
            "axes.titlesize": 8,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.6,
            "lines.linewidth": 1.2,
            "lines.markersize": 3.5,
            "legend.frameon": False,
            "grid.color": "#dddddd",
            "grid.linewidth": 0.4,
        }
    )
    return plt


def save_figure(figure: Any, path: str | os.PathLike[str], title: str, dpi: int = 150) -> None:
    """Write a figure as SVG, PNG or PDF, with a title in its metadata, and close it.

    Metadata that would differ between equal figures, such as the date, are omitted.
    """
    varying_key = {"svg": "Date", "png": "Software", "pdf": "CreationDate"}[str(path)[-3:]]
    _write_figure(figure, path, dpi, {"Title": title, varying_key: None})


def save_svg_and_png(figure: Any, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and PNG, without date and version; return both paths."""
    paths = [folder / f"{name}{suffix}" for suffix in (".svg", ".png")]
    for path in paths:
        _write_figure(figure, path, 200, {"Date" if path.suffix == ".svg" else "Software": None})
    return paths


def _write_figure(
    figure: Any, path: str | os.PathLike[str], dpi: int, metadata: dict[str, str | None]
) -> None:
    """Write a figure atomically and close it; the suffix of the file determines the format."""
    data = io.BytesIO()
    figure.savefig(data, format=str(path)[-3:], dpi=dpi, metadata=metadata)
    pyplot().close(figure)
    atomic_write(path, [data.getvalue()])
