"""Print lines of spans: with rich on a terminal, as bare text anywhere else.

rich knows what the terminal can do and honors NO_COLOR; FORCE_COLOR asks for colors in a pipe. It
is loaded only then: a pipe does not pay for it.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mmsat.render.board import PIPE, BoardTable, Style
from mmsat.render.heat import styles
from mmsat.render.palette import paint
from mmsat.render.spans import Line, plain
from mmsat.render.table import fields, paragraphs, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mmsat.board import Board
    from mmsat.game.row import Score
    from mmsat.render.spans import Span

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
    "sign o": "bold",
    "sign O": "bold green",
    "sign -": "dim",
    "sign x": "bold red",
    "sign .": "",
    **styles(),
}


def is_rich() -> bool:
    """Whether standard output is a terminal, or is to be treated as one."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def style() -> Style:
    """How boards are shown on standard output."""
    if not is_rich():
        return PIPE
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    painted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "unknown")
    width = columns()
    return Style(width, painted=painted, symbols=encoding.startswith("utf"), wrap=width)


def columns() -> int:
    """The width of the terminal, between 20 and 120; 80 where there is none."""
    return max(20, min(120, terminal_width(1))) if is_rich() else 80


def terminal_width(stream: int) -> int:
    """The width that COLUMNS says, or that the terminal of a stream (1, 2) has; else 80.

    Nothing is imported, as this may be asked in a signal.
    """
    given = os.environ.get("COLUMNS", "")
    try:
        width = int(given) if given.isdecimal() else os.get_terminal_size(stream).columns
    except OSError:
        width = 0
    return width or 80


def wrap_width() -> int | None:
    """The width for sentences; None in a pipe, where a sentence is one line."""
    return columns() if is_rich() else None


def show(lines: Iterable[Line]) -> None:
    """Print lines on standard output."""
    if not is_rich():
        sys.stdout.writelines(f"{plain(line)}\n" for line in lines)
        return
    from rich.console import Console  # noqa: PLC0415  (slow to load)

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(_text(line))


def show_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()
) -> None:
    """Print a table; the columns in `numbers` (from 0) are set to the right."""
    show(table(heads, rows, wrap_width(), numbers))


def show_fields(values: Mapping[str, str]) -> None:
    """Print names and what they stand for."""
    show(fields(values, wrap_width()))


def show_sentences(sentences: Sequence[str]) -> None:
    """Print sentences, each on a new line."""
    show(paragraphs(sentences, wrap_width()))


def show_board(board: Board, changes: Mapping[int, Score] | None = None, **more: Any) -> None:
    """Print a board, with scores that should have been; see BoardTable.lines."""
    show(BoardTable(board, style(), changes=changes).lines(**more))


def show_gap() -> None:
    """Print an empty line."""
    show([[]])


def _text(line: Line) -> Any:
    from rich.text import Text  # noqa: PLC0415  (slow to load)

    text = Text()
    for span in line:
        text.append(span.text, rich_style(span))
    return text


def rich_style(span: Span) -> str:
    """The style of a span in rich's words."""
    return STYLES[span.style] if span.color is None else peg_style(span.color)


@lru_cache(maxsize=1024)
def peg_style(color: int) -> str:
    """The style of a peg of a color from 0, in rich's words."""
    background, foreground = paint(color)
    return f"bold #{foreground} on #{background}"
