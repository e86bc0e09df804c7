"""A step of an explanation on the pegboard: the rows that it uses are lit, beside what is known.

What is known is a table of pegs by colors, and below it how many pegs each color has:

    .  may be     -  is not     o  is     what is new is x (is not) and O (is)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.render.board import BoardTable, Style
from mmsat.render.heat import name
from mmsat.render.spans import Line, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.board import Board
    from mmsat.diagnosis.steps.knowledge import Frame

LEGEND = "o is, - is not, . may be; O and x are new"
HEAD = 6
"""Columns of the first column."""
NAMES = {".": "may be", "-": "is not", "o": "is", "x": "is not, new", "O": "is, new"}


def mark(before: bool | None, after: bool | None) -> str:
    """The sign of a color at a peg."""
    if after is None:
        return "."
    if before is None:
        return "O" if after else "x"
    return "o" if after else "-"


def marks(frame: Frame) -> list[list[str]]:
    """The signs of all colors at all pegs."""
    pegs = zip(frame.before.has, frame.after.has, strict=True)
    return [[mark(*pair) for pair in zip(*peg, strict=True)] for peg in pegs]


def print_bounds(bounds: tuple[int, int]) -> str:
    """How many pegs a color has."""
    low, high = bounds
    return str(low) if low == high else f"{low}-{high}"


def lines(board: Board, frame: Frame, style: Style) -> Iterator[Line]:
    """The board with the rows of the step marked, and what is known after it."""
    table = BoardTable(board, style, frame.step.rows)
    yield from table.lines()
    yield []
    yield from known_table(board, frame, style.width)


def known_table(board: Board, frame: Frame, width: int) -> Iterator[Line]:
    """The table of pegs by colors; folded to a width."""
    game = board.game
    names = [name(game, color) for color in range(game.colors)]
    counts = [print_bounds(each) for each in frame.after.counts]
    cell = 1 + max(map(len, (*names, *counts)))
    across = max(1, (width - HEAD) // cell)
    signs = marks(frame)
    for first in range(0, game.colors, across):
        part = slice(first, first + across)
        yield [
            Span("".rjust(HEAD), "dim"),
            Span("".join(n.rjust(cell) for n in names[part]), "dim"),
        ]
        for peg, row in enumerate(signs, 1):
            spans = [Span(f"{peg:>{HEAD}}", "dim")]
            spans += [Span(sign.rjust(cell), style_of(sign)) for sign in row[part]]
            yield spans
        pegs = "".join(count.rjust(cell) for count in counts[part])
        yield [Span("pegs".rjust(HEAD), "dim"), Span(pegs)]
    yield [Span(LEGEND, "dim")]


def style_of(sign: str) -> str:
    """The style of a sign."""
    return {"O": "correction", "o": "name", "x": "conflict", "-": "dim"}.get(sign, "")
