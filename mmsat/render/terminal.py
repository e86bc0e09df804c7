"""Print lines of spans: with rich on a terminal, otherwise as plain text.

rich detects the capabilities of the terminal and honors NO_COLOR. FORCE_COLOR enables colors in a
pipe. Plain output does not import rich.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mmsat.render import Line, Span, fields, fold, paint, paragraphs, plain, table
from mmsat.render.board import PIPE, BoardTable, Style, shade_styles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mmsat.game import Score
    from mmsat.game.board import Board

STYLES = {
    "": "",
    "dim": "dim",
    "prose": "",
    "name": "bold",
    "conflict": "bold red",
    "correction": "bold green",
    "black": "bold",
    "white": "",
    "color": "",
    "blue": "",
    "mark": "bold",
    "peg": "bold",
    "key black": "bold",
    "key white": "",
    "key color": "bold",
    "key blue": "bold blue",
    # The state of a color at a peg; picture.py explains the signs.
    "sign o": "bold",
    "sign O": "bold green",
    "sign -": "dim",
    "sign x": "bold red",
    "sign .": "",
    **shade_styles(),
}
"""The rich style of each style of a span."""


def is_rich() -> bool:
    """Return whether standard output is a terminal, or is treated as one."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def style() -> Style:
    """Return the style of boards on standard output."""
    if not is_rich():
        return PIPE
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    painted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "unknown")
    width = columns()
    return Style(width, painted=painted, symbols=encoding.startswith("utf"), wrap=width)


def columns() -> int:
    """Return the width of the terminal, at least 20 and at most 120; 80 without a terminal."""
    return max(20, min(120, terminal_width(1))) if is_rich() else 80


def terminal_width(descriptor: int) -> int:
    """Return the width in the environment variable COLUMNS.

    If it is not set, return the width of the terminal of a file descriptor, or 80 if it is not a
    terminal. Nothing is imported, because signal handlers call this function.
    """
    columns_variable = os.environ.get("COLUMNS", "")
    try:
        width = (
            int(columns_variable)
            if columns_variable.isdecimal()
            else os.get_terminal_size(descriptor).columns
        )
    except OSError:
        width = 0
    return width or 80


def wrap_width() -> int | None:
    """Return the width for sentences, or None in a pipe, where each sentence is one line."""
    return columns() if is_rich() else None


def show(lines: Iterable[Line]) -> None:
    """Print lines on standard output."""
    if not is_rich():
        sys.stdout.writelines(f"{plain(line)}\n" for line in lines)
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(_text(line))


def show_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], right_aligned: Sequence[int] = ()
) -> None:
    """Print a table; the columns with indices in `right_aligned` are right-aligned."""
    show(table(heads, rows, wrap_width(), right_aligned))


def show_fields(values: Mapping[str, str]) -> None:
    """Print names and values."""
    show(fields(values, wrap_width()))


def show_sentences(sentences: Sequence[str]) -> None:
    """Print sentences, each on a new line."""
    show(paragraphs(sentences, wrap_width()))


def show_page(text: str) -> None:
    """Print a page in Markdown. On a terminal, paragraphs are wrapped; code and tables are not."""
    width, is_code = wrap_width(), False
    for line in text.splitlines():
        is_code ^= line.startswith("```")
        is_paragraph = not is_code and not line.startswith((" ", "|"))
        indent = "  " if line.startswith("- ") else ""
        pieces = fold(line, width, len(indent)) if is_paragraph else [line]
        show([[Span(piece if n == 0 else indent + piece)] for n, piece in enumerate(pieces)])


def show_board(board: Board, changes: Mapping[int, Score] | None = None, **options: Any) -> None:
    """Print a board with corrected scores in `changes`; `options` as in BoardTable.lines."""
    show(BoardTable(board, style(), changes=changes).lines(**options))


def show_gap() -> None:
    """Print an empty line."""
    show([[]])


def _text(line: Line) -> Any:
    """Return a line as a rich text."""
    from rich.text import Text

    text = Text()
    for span in line:
        text.append(span.text, rich_style(span))
    return text


def rich_style(span: Span) -> str:
    """Return the rich style of a span."""
    return STYLES[span.style] if span.color is None else peg_style(span.color)


@lru_cache(maxsize=1024)
def peg_style(color: int) -> str:
    """Return the rich style of a peg with a color, from 0."""
    background, foreground = paint(color)
    return f"bold #{foreground} on #{background}"
