"""A step of an explanation on a pegboard: the rows that it uses, and what is known after it.

The knowledge is a table of pegs by colors, with the number of pegs of each color below it:

    .  possible   -  excluded   o  certain   new: x (excluded) and O (certain)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.render.board import BoardTable, Style
from mmsat.render.picture import PICTURE, picture
from mmsat.render.spans import Line, Span
from mmsat.render.table import paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.board import Board
    from mmsat.diagnosis.steps.knowledge import Frame

LEGEND = (("o", " is, "), ("-", " is not, "), (".", " may be; "), ("O", " and "), ("x", " are new"))
HEAD = 6
"""Width of the first column."""


def mark(before: bool | None, after: bool | None) -> str:
    """Return the sign of a color at a peg, given what is known before and after the step."""
    if after is None:
        return "."
    if before is None:
        return "O" if after else "x"
    return "o" if after else "-"


def marks(frame: Frame) -> list[list[str]]:
    """Return the signs of all colors at all pegs."""
    pegs = zip(frame.before.has, frame.after.has, strict=True)
    return [[mark(*pair) for pair in zip(*peg, strict=True)] for peg in pegs]


def print_bounds(bounds: tuple[int, int]) -> str:
    """Return the number of pegs of a color, or its range."""
    low, high = bounds
    return str(low) if low == high else f"{low}-{high}"


def lines(board: Board, frame: Frame, style: Style) -> Iterator[Line]:
    """Yield the board with the rows of the step marked, and what is known after the step."""
    table = BoardTable(board, style, frame.step.rows)
    yield from table.lines(is_named=False)
    yield []
    yield from known_table(table, frame)


def svg(board: Board, frame: Frame) -> str:
    """Return a picture of a step: its sentence, the board, and what is known."""
    sentence = paragraphs([frame.text], PICTURE.wrap)
    return picture("A step of an explanation", [*sentence, [], *lines(board, frame, PICTURE)])


def known_table(board: BoardTable, frame: Frame) -> Iterator[Line]:
    """Yield the table of pegs by colors, in blocks that fit the width."""
    game = board.board.game
    names = board.symbols
    counts = [print_bounds(each) for each in frame.after.counts]
    cell = 1 + max(map(len, (*names, *counts)))
    columns_per_block = max(1, (board.style.width - HEAD) // cell)
    signs = marks(frame)
    for first in range(0, game.colors, columns_per_block):
        part = slice(first, first + columns_per_block)
        head = [Span("".rjust(HEAD))]
        for color, symbol in enumerate(names[part], first):
            painted = color // board.shapes if board.style.painted else None
            head += [Span(" " * (cell - len(symbol))), Span(symbol, "dim", painted)]
        yield head
        for peg, row in enumerate(signs, 1):
            spans = [Span(f"{peg:>{HEAD}}", "dim")]
            spans += [Span(sign.rjust(cell), f"sign {sign}") for sign in row[part]]
            yield spans
        pegs = "".join(count.rjust(cell) for count in counts[part])
        yield [Span("pegs".rjust(HEAD), "dim"), Span(pegs)]
    legend = ((Span(sign, f"sign {sign}"), Span(word, "dim")) for sign, word in LEGEND)
    yield [span for pair in legend for span in pair]
