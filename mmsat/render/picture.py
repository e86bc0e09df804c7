"""Pictures of results, and of single steps of an explanation, as SVG.

A picture has the lines of the report of a result: tables are drawn on a grid, pegs as disks, and
sentences as running text.

The picture of a step is a pegboard: the board with the rows that the step uses, and what is known
after it. The knowledge is a table of pegs by colors, with the number of pegs of each color below:

    .  possible   -  excluded   o  certain   new: x (excluded) and O (certain)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mmsat._util.text import quantity
from mmsat.render import reports
from mmsat.render.board import KEYS, BoardTable, Style
from mmsat.render.heat import FIRST_LIGHT_SHADE, SHADES
from mmsat.render.svg import SANS, Drawing
from mmsat.render.table import Line, Span, paragraphs, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.diagnosis.steps.knowledge import Frame
    from mmsat.game.board import Board

PICTURE = Style(width=84, painted=True, symbols=True, wrap=64)
COLUMN = 8.4
"""Width of a column of the grid, in pixels."""
TEXT_LINE_HEIGHT, PEG_LINE_HEIGHT = 21, 30
"""Height of a line of text, and of a line with pegs, in pixels."""
EDGE = 16
MAX_PROSE_LETTER_WIDTH = 7.6
"""Estimated maximum of the average width of a letter in a sentence, in pixels."""
MIN_PEG_WIDTH, MAX_PEG_HEIGHT = 15, 26
"""Minimum width and maximum height of a peg, in pixels."""
INKS = {"dim": "dim", "conflict": "conflict", "correction": "correction"}
"""Ink of each style; other styles have the ink "ink"."""
FIRST_LINES, LAST_LINES = 150, 30
"""Numbers of lines at the beginning and at the end that are drawn if there are more."""
BOLD = ("name", "conflict", "correction", "mark")


def picture(title: str, lines: Iterable[Line]) -> str:
    """Return a picture of lines; its description is their text."""
    rows = shorten(list(lines))
    drawing = Drawing(title, "\n".join(map(plain, rows)))
    width = max(
        (len(plain(row)) * (MAX_PROSE_LETTER_WIDTH if is_prose(row) else COLUMN) for row in rows),
        default=0,
    )
    width = round(width + 2 * EDGE)
    y: float = EDGE
    for row in rows:
        height = (
            PEG_LINE_HEIGHT if any(span.color is not None for span in row) else TEXT_LINE_HEIGHT
        )
        if any(span.style == "conflict" and span.text.strip() for span in row):
            drawing.rect((EDGE / 2, y, width - EDGE, height), "lit", 6)
        draw_line(drawing, row, y, height)
        y += height if row else TEXT_LINE_HEIGHT / 2
    return "\n".join(drawing.lines(width, y + EDGE)) + "\n"


def shorten(rows: list[Line]) -> list[Line]:
    """Return the lines, or if there are very many, the first and the last ones."""
    num_omitted = len(rows) - FIRST_LINES - LAST_LINES
    if num_omitted <= 0:
        return rows
    return [
        *rows[:FIRST_LINES],
        [Span(f"({quantity(num_omitted, 'line')} omitted)", "dim")],
        *rows[-LAST_LINES:],
    ]


def is_prose(row: Line) -> bool:
    """Return whether a line is running text rather than a row of a table."""
    return len(row) > 0 and row[-1].style == "prose"


def draw_line(drawing: Drawing, row: Line, y: float, height: float) -> None:
    """Draw a line with its top at `y`."""
    column = 0
    for span in row:
        x, wide = round(EDGE + column * COLUMN, 2), round(len(span.text) * COLUMN, 2)
        column += len(span.text)
        kind = span.style.partition(" ")[0]
        if span.color is not None:
            draw_peg(drawing, span, x + wide / 2, y + height / 2)
        elif kind == "key":
            draw_keys(drawing, span.text, x, y + height / 2)
        elif kind == "sign":
            draw_sign(drawing, span, x + wide - COLUMN / 2, y + height / 2)
        elif kind == "prose":
            drawing.text(x, y + height / 2 + 5, span.text, more=f' font-family="{SANS}"')
        else:
            ink = INKS.get(kind, "ink")
            if kind == "heat":
                level = int(span.style.removeprefix("heat "))
                drawing.rect((x + 4, y, wide, height), f"#{SHADES[level]}")
                ink = "#000000" if level >= FIRST_LIGHT_SHADE else "#ffffff"
            more = ' font-weight="bold"' * (kind in BOLD)
            draw_words(drawing, span.text, x, y + height / 2 + 5, ink=ink, more=more)


def draw_words(
    drawing: Drawing, text: str, x: float, base: float, *, ink: str, more: str = ""
) -> None:
    """Draw words one by one at their grid positions, so that columns are straight in every font."""
    column = 0
    for word in text.split(" "):
        if word:
            at, width = round(x + column * COLUMN, 2), round(len(word) * COLUMN, 2)
            drawing.text(at, base, word, ink, width=width, more=more)
        column += len(word) + 1


def draw_peg(drawing: Drawing, span: Span, x: float, y: float) -> None:
    """Draw a peg around a point: round, or long if its symbol is long."""
    width = max(MIN_PEG_WIDTH, len(span.text) * COLUMN)
    side = min(MAX_PEG_HEIGHT, width)
    box = round(x - width / 2, 2), round(y - side / 2, 2), round(width, 2), round(side, 2)
    drawing.peg(box, span.color or 0, span.text.strip())


def draw_keys(drawing: Drawing, keys: str, x: float, y: float) -> None:
    """Draw key pegs: filled if black or colored, open if white, a diamond if blue."""
    for number, key in enumerate(keys):
        middle = round(x + (number + 0.5) * COLUMN, 2)
        if key == KEYS["blue"]:
            drawing.path(f"M{middle:g} {y - 4:g}l4 4l-4 4l-4 -4z", "line")
        else:
            drawing.disk(middle, y, 3.6, "ink" if key == KEYS["black"] else "")


def draw_sign(drawing: Drawing, span: Span, x: float, y: float) -> None:
    """Draw what is known of a color at a peg: a disk if certain, a cross if excluded."""
    sign = span.text.strip()
    if sign in ("o", "O"):
        drawing.disk(round(x, 2), y, 6, "correction" if sign == "O" else "ink")
    elif sign in ("x", "-"):
        cross = f"M{x - 4:g} {y - 4:g}l8 8m0 -8l-8 8"
        drawing.path(cross, "new" if sign == "x" else "ring", 2)
    else:
        drawing.disk(round(x, 2), y, 1, "dim")


def svg(result: Any) -> str:
    """Return a result as a picture with the same content as its text."""
    draw_result = reports.find_report(result, "PICTURES")
    return (
        str(draw_result(result))
        if draw_result
        else picture(title(result), reports.lines(result, PICTURE))
    )


def title(result: Any) -> str:
    """Return a short description of a picture."""
    game = getattr(result, "game", None) or getattr(getattr(result, "board", None), "game", None)
    return f"{type(result).__name__} of {f'a {game} game' if game else 'games'}"


LEGEND = (("o", " is, "), ("-", " is not, "), (".", " may be; "), ("O", " and "), ("x", " are new"))
HEAD = 6
"""Width of the first column of the table of knowledge, in characters."""


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


def pegboard_svg(board: Board, frame: Frame) -> str:
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
