"""Pictures of results, and of single steps of an explanation, as SVG.

A picture shows the lines of the report of a result. Tables are drawn on a grid, pegs as disks, and
sentences as running text.

The picture of a step is a pegboard: the board with the rows that the step uses, and the knowledge
after the step. This is a table of pegs by colors, with the number of pegs of each color below:

    .  possible   -  excluded   o  certain   new: x (excluded) and O (certain)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mmsat._util.text import quantity
from mmsat.render import Line, Span, paragraphs, plain, reports
from mmsat.render.board import KEYS, BoardTable, Style
from mmsat.render.drawing import SANS, Drawing
from mmsat.render.heat import FIRST_LIGHT_SHADE, SHADES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.diagnosis.steps.stepwise import Frame
    from mmsat.game.board import Board

PICTURE_STYLE = Style(width=84, painted=True, symbols=True, wrap=64)
COLUMN_WIDTH = 8.4
"""Width of a column of the grid, in pixels."""
TEXT_LINE_HEIGHT, PEG_LINE_HEIGHT = 21, 30
"""Height of a line of text, and of a line with pegs, in pixels."""
MARGIN = 16
"""Margin on each side, in pixels."""
MAX_PROSE_LETTER_WIDTH = 7.6
"""Estimated maximum of the average width of a letter in a sentence, in pixels."""
MIN_PEG_WIDTH, MAX_PEG_HEIGHT = 15, 26
"""Minimum width and maximum height of a peg, in pixels."""
INK_OF_STYLE = {"dim": "dim", "conflict": "conflict", "correction": "correction"}
"""Ink of each style; other styles have the ink "ink"."""
FIRST_LINES, LAST_LINES = 150, 30
"""How many lines at the beginning and at the end of a longer picture are drawn."""
BOLD_STYLES = ("name", "conflict", "correction", "mark")


def picture(title: str, lines: Iterable[Line]) -> str:
    """Return a picture of lines; the text of the lines is its description for screen readers."""
    shown_lines = shorten(list(lines))
    drawing = Drawing(title, "\n".join(map(plain, shown_lines)))
    width = max(
        (
            len(plain(line)) * (MAX_PROSE_LETTER_WIDTH if is_prose(line) else COLUMN_WIDTH)
            for line in shown_lines
        ),
        default=0,
    )
    width = round(width + 2 * MARGIN)
    y: float = MARGIN
    for line in shown_lines:
        height = (
            PEG_LINE_HEIGHT if any(span.color is not None for span in line) else TEXT_LINE_HEIGHT
        )
        if any(span.style == "conflict" and span.text.strip() for span in line):
            drawing.rect((MARGIN / 2, y, width - MARGIN, height), "lit", 6)
        draw_line(drawing, line, y, height)
        y += height if line else TEXT_LINE_HEIGHT / 2
    return "\n".join(drawing.lines(width, y + MARGIN)) + "\n"


def shorten(lines: list[Line]) -> list[Line]:
    """Return the lines; if there are too many, only the first and the last lines."""
    num_omitted = len(lines) - FIRST_LINES - LAST_LINES
    if num_omitted <= 0:
        return lines
    return [
        *lines[:FIRST_LINES],
        [Span(f"({quantity(num_omitted, 'line')} omitted)", "dim")],
        *lines[-LAST_LINES:],
    ]


def is_prose(line: Line) -> bool:
    """Return whether a line is running text rather than a row of a table."""
    return len(line) > 0 and line[-1].style == "prose"


def draw_line(drawing: Drawing, line: Line, y: float, height: float) -> None:
    """Draw a line with its top at `y`."""
    column = 0
    for span in line:
        x, width = round(MARGIN + column * COLUMN_WIDTH, 2), round(len(span.text) * COLUMN_WIDTH, 2)
        column += len(span.text)
        kind = span.style.partition(" ")[0]
        if span.color is not None:
            draw_peg(drawing, span, x + width / 2, y + height / 2)
        elif kind == "blank":
            radius = min(MAX_PEG_HEIGHT, max(MIN_PEG_WIDTH, width)) / 2
            drawing.disk(x + width / 2, y + height / 2, radius)
        elif kind == "key":
            draw_keys(drawing, span.text, x, y + height / 2)
        elif kind == "sign":
            draw_sign(drawing, span, x + width - COLUMN_WIDTH / 2, y + height / 2)
        elif kind == "prose":
            drawing.text(x, y + height / 2 + 5, span.text, attributes=f' font-family="{SANS}"')
        else:
            ink = INK_OF_STYLE.get(kind, "ink")
            if kind == "heat":
                level = int(span.style.removeprefix("heat "))
                drawing.rect((x + 4, y, width, height), f"#{SHADES[level]}")
                ink = "#000000" if level >= FIRST_LIGHT_SHADE else "#ffffff"
            attributes = ' font-weight="bold"' * (kind in BOLD_STYLES)
            draw_words(drawing, span.text, x, y + height / 2 + 5, ink=ink, attributes=attributes)


def draw_words(
    drawing: Drawing, text: str, x: float, y: float, *, ink: str, attributes: str = ""
) -> None:
    """Draw each word at its grid position, so that columns are straight in every font."""
    column = 0
    for word in text.split(" "):
        if word:
            left, width = round(x + column * COLUMN_WIDTH, 2), round(len(word) * COLUMN_WIDTH, 2)
            drawing.text(left, y, word, ink, width=width, attributes=attributes)
        column += len(word) + 1


def draw_peg(drawing: Drawing, span: Span, x: float, y: float) -> None:
    """Draw a peg with its center at a point; a long symbol makes it oblong."""
    width = max(MIN_PEG_WIDTH, len(span.text) * COLUMN_WIDTH)
    height = min(MAX_PEG_HEIGHT, width)
    box = round(x - width / 2, 2), round(y - height / 2, 2), round(width, 2), round(height, 2)
    drawing.peg(box, span.color or 0, span.text.strip())


def draw_keys(drawing: Drawing, keys: str, x: float, y: float) -> None:
    """Draw key pegs: disks if black or colored, circles if white, diamonds if blue."""
    for number, key in enumerate(keys):
        center = round(x + (number + 0.5) * COLUMN_WIDTH, 2)
        if key == KEYS["blue"]:
            drawing.path(f"M{center:g} {y - 4:g}l4 4l-4 4l-4 -4z", "line")
        else:
            drawing.disk(center, y, 3.6, "ink" if key == KEYS["black"] else "")


def draw_sign(drawing: Drawing, span: Span, x: float, y: float) -> None:
    """Draw the state of a color at a peg: a disk if certain, a cross if excluded, else a dot."""
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
        else picture(title(result), reports.lines(result, PICTURE_STYLE))
    )


def title(result: Any) -> str:
    """Return a short description of a picture."""
    game = getattr(result, "game", None) or getattr(getattr(result, "board", None), "game", None)
    return f"{type(result).__name__} of {f'a {game} game' if game else 'games'}"


LEGEND = (("o", " is, "), ("-", " is not, "), (".", " may be; "), ("O", " and "), ("x", " are new"))
LABEL_WIDTH = 6
"""Width of the first column of the table of knowledge, in characters."""


def sign(before: bool | None, after: bool | None) -> str:
    """Return the sign of a color at a peg.

    `before` and `after` state whether the peg has the color; None if this is unknown.
    """
    if after is None:
        return "."
    if before is None:
        return "O" if after else "x"
    return "o" if after else "-"


def signs(frame: Frame) -> list[list[str]]:
    """Return the signs of all colors at all pegs."""
    pegs = zip(frame.before.has, frame.after.has, strict=True)
    return [[sign(*pair) for pair in zip(*peg, strict=True)] for peg in pegs]


def format_bounds(bounds: tuple[int, int]) -> str:
    """Return the number of pegs of a color, or the range of this number, as text."""
    low, high = bounds
    return str(low) if low == high else f"{low}-{high}"


def pegboard_lines(board: Board, frame: Frame, style: Style) -> Iterator[Line]:
    """Yield the board with the rows of the step marked, and the knowledge after the step."""
    table = BoardTable(board, style, frame.step.rows)
    yield from table.lines(is_named=False)
    yield []
    yield from knowledge_table(table, frame)


def pegboard_svg(board: Board, frame: Frame) -> str:
    """Return a picture of a step: its sentence, the board, and the knowledge after the step."""
    sentence = paragraphs([frame.text], PICTURE_STYLE.wrap)
    return picture(
        "A step of an explanation", [*sentence, [], *pegboard_lines(board, frame, PICTURE_STYLE)]
    )


def knowledge_table(table: BoardTable, frame: Frame) -> Iterator[Line]:
    """Yield the table of pegs by colors, in blocks that fit the width."""
    game = table.board.game
    names = table.symbols
    counts = [format_bounds(bounds) for bounds in frame.after.counts]
    cell_width = 1 + max(map(len, (*names, *counts)))
    columns_per_block = max(1, (table.style.width - LABEL_WIDTH) // cell_width)
    signs_by_peg = signs(frame)
    for first in range(0, game.colors, columns_per_block):
        block = slice(first, first + columns_per_block)
        head = [Span("".rjust(LABEL_WIDTH))]
        for color, symbol in enumerate(names[block], first):
            paint = color // table.shapes if table.style.painted else None
            head += [Span(" " * (cell_width - len(symbol))), Span(symbol, "dim", paint)]
        yield head
        for peg, peg_signs in enumerate(signs_by_peg, 1):
            spans = [Span(f"{peg:>{LABEL_WIDTH}}", "dim")]
            spans += [Span(s.rjust(cell_width), f"sign {s}") for s in peg_signs[block]]
            yield spans
        numbers = "".join(count.rjust(cell_width) for count in counts[block])
        yield [Span("pegs".rjust(LABEL_WIDTH), "dim"), Span(numbers)]
    legend = ((Span(symbol, f"sign {symbol}"), Span(word, "dim")) for symbol, word in LEGEND)
    yield [span for pair in legend for span in pair]
