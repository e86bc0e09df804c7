"""Pictures: drawings as SVG or as pages of PDF, and the pictures of results and of steps.

`Drawing` draws shapes and text in named inks. Every picture has its own background, so it is
readable on any page. If the reader prefers dark mode, background and inks change together. There
are no scripts, text is escaped, and equal drawings give equal bytes.

A picture shows the lines of the report of a result. Tables are drawn on a grid, pegs as disks, and
sentences as running text.

The picture of a step is a pegboard: the board with the rows that the step uses, and the knowledge
after the step. This is a table of pegs by colors, with the number of pegs of each color below:

    .  possible   -  excluded   o  certain   new: x (excluded) and O (certain)
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from mmsat._util.text import quantity
from mmsat.errors import MmsatError
from mmsat.render import Line, Span, matplotlib, paint, paragraphs, plain, reports
from mmsat.render.board import FIRST_LIGHT_SHADE, KEYS, SHADES, BoardTable, Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.diagnosis.steps.stepwise import Frame
    from mmsat.game.board import Board

INKS = {
    "ground": ("#ffffff", "#1b1f24"),
    "edge": ("#d0d7de", "#454c55"),
    "ink": ("#1f2328", "#e6edf3"),
    "dim": ("#59636e", "#aab4be"),
    "conflict": ("#b3261e", "#ff8a80"),
    "correction": ("#116329", "#6fdd8b"),
    "lit": ("#fff3c4", "#3d3300"),
}
"""Colors of each ink on light and on dark screens.

"ground" is the background of a picture, "lit" that of lines with a conflict, and "edge" the outline
of pegs."""
MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
SANS = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif"
"""The fonts of SVG files: of tables, and of running text."""
DARK_INKS = "".join(f".mm-{name}{{fill:{dark}}}" for name, (_, dark) in INKS.items())
OUTLINES = {"ring": "edge", "line": "ink", "new": "conflict"}
"""Ink of each kind of outline."""
DARK_OUTLINES = "".join(f".mm-{name}{{stroke:{INKS[ink][1]}}}" for name, ink in OUTLINES.items())
STYLE = f"<style>@media(prefers-color-scheme:dark){{{DARK_INKS}{DARK_OUTLINES}}}</style>"
"""The style sheet of SVG files. It has the colors of dark screens; shapes have those of light ones
as attributes."""
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Matches a character that XML does not allow."""
Box = tuple[float, float, float, float]
"""Left, top, width and height, in pixels."""
FONT_SIZE = 14
"""Font size in pixels."""


class Drawing:
    """Shapes on a background, from back to front."""

    def __init__(self, title: str, description: str) -> None:
        """Create an empty drawing. Screen readers read its title and its description."""
        self.title = title
        self.description = description
        self.elements: list[str] = []
        """The SVG elements, as text."""

    @contextmanager
    def group(self, x: float, y: float) -> Iterator[None]:
        """Shift everything that is drawn in this context right by `x` and down by `y`."""
        self.elements.append(f'<g transform="translate({x:g} {y:g})">')
        yield
        self.elements.append("</g>")

    def rect(self, box: Box, ink: str, rx: float = 0) -> None:
        """Draw a rectangle with corner radius `rx`; `ink` is in INKS or a hexadecimal color."""
        x, y, width, height = box
        corners = f' rx="{rx:g}"' if rx else ""
        position = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self.elements.append(f"{position}{corners} {fill(ink)}/>")

    def path(self, path: str, kind: str = "ring", width: float = 1) -> None:
        """Draw the outline of a path; `kind` is a key of OUTLINES."""
        self.elements.append(
            f'<path d="{path}" fill="none" {outline(kind)} stroke-width="{width:g}"/>'
        )

    def disk(self, x: float, y: float, radius: float, ink: str = "") -> None:
        """Draw a disk, or a circle if `ink` is empty."""
        paint_attributes = fill(ink) if ink else f'fill="none" {outline("line")}'
        self.elements.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {paint_attributes}/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        ink: str = "ink",
        *,
        anchor: str = "start",
        width: float = 0,
        size: float = FONT_SIZE,
        attributes: str = "",
    ) -> None:
        """Draw text with its baseline at `y`.

        If a `width` is given, the text is stretched to that width. `attributes` are further
        attributes of the element, which are not escaped.
        """
        position = f'x="{x:g}" y="{y:g}"'
        if anchor != "start":
            position += f' text-anchor="{anchor}"'
        if width:
            position += f' textLength="{width:g}" lengthAdjust="spacingAndGlyphs"'
        if size != FONT_SIZE:
            position += f' font-size="{size:g}"'
        self.elements.append(f"<text {position} {fill(ink)}{attributes}>{clean(text)}</text>")

    def peg(self, box: Box, color: int, symbol: str) -> None:
        """Draw a peg of a color (from 0) with its symbol."""
        x, y, width, height = box
        self.elements.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            f'rx="{min(width, height) / 2:g}" fill="#{paint(color).background}" {outline("ring")}/>'
        )
        self.symbol(box, color, symbol)

    def symbol(self, box: Box, color: int, symbol: str) -> None:
        """Draw the symbol of a peg, as large as fits."""
        x, y, width, height = box
        # The factors leave a margin around the letters of common monospaced fonts.
        size = min(FONT_SIZE, min(width, height) * 0.62, 1.5 * width / max(1, len(symbol)))
        self.text(
            x + width / 2,
            round(y + height / 2 + size * 0.36, 2),
            symbol,
            f"#{paint(color).foreground}",
            anchor="middle",
            size=round(size, 2),
            attributes=' font-weight="bold"',
        )

    def lines(self, width: float, height: float) -> Iterator[str]:
        """Yield the lines of an SVG file of this size."""
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" role="img" font-family="{MONO}" '
            f'font-size="{FONT_SIZE}" style="max-width:100%;height:auto">'
        )
        yield f"<title>{clean(self.title)}</title>"
        yield f"<desc>{clean(self.description)}</desc>"
        yield STYLE
        background = f'width="{width:g}" height="{height:g}" rx="8" {fill("ground")}'
        yield f"<rect {background}/>"
        yield from self.elements
        yield "</svg>"


def fill(ink: str) -> str:
    """Return the attributes that fill a shape with an ink."""
    if ink not in INKS:
        return f'fill="{ink}"'
    return f'class="mm-{ink}" fill="{INKS[ink][0]}"'


def outline(kind: str) -> str:
    """Return the attributes of an outline of this kind."""
    return f'class="mm-{kind}" stroke="{INKS[OUTLINES[kind]][0]}"'


def clean(text: str) -> str:
    """Return text escaped for XML; characters that XML does not allow are replaced."""
    return escape(NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))


POINTS_PER_PIXEL = 0.75  # 72 points or 96 pixels per inch
PDF_MONO, PDF_SANS = "DejaVu Sans Mono", "DejaVu Sans"
"""The fonts of PDF files."""
PATH_COMMAND = re.compile(r"([Mmlz])([^Mmlz]*)")
"""A command of an SVG path, and its coordinates."""


def require_glyphs(text: str) -> None:
    """Raise MmsatError if the font of PDF files lacks a character, or matplotlib is missing."""
    matplotlib()
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont(PDF_MONO))
    missing = sorted({sign for sign in text if not font.get_char_index(ord(sign))})
    if missing:
        raise MmsatError(
            f"{' '.join(missing)} missing from the font of PDF files: write an .svg file instead"
        )


class PdfDrawing(Drawing):
    """A drawing on pages of equal size, which are one below the other in the coordinates."""

    def __init__(self, title: str, width: float, height: float) -> None:
        """Create a drawing without pages; sizes are in pixels, 96 per inch.

        Raise MissingError if matplotlib is not installed.
        """
        matplotlib()
        super().__init__(title, "")
        self.width, self.height = width, height
        self.pages: list[Any] = []
        self.origin = (0.0, 0.0)

    def data(self) -> bytes:
        """Return the PDF file; equal drawings give equal bytes.

        Raise MmsatError for characters that are not in the font.
        """
        import matplotlib as mpl
        from matplotlib.backends.backend_pdf import PdfPages

        file = BytesIO()
        metadata = {"Title": self.title, "CreationDate": None}
        with mpl.rc_context({"pdf.fonttype": 42}), warnings.catch_warnings():
            warnings.filterwarnings("error", "Glyph .* missing", UserWarning)
            try:
                with PdfPages(file, metadata=metadata) as pages:
                    for page in self.pages:
                        pages.savefig(page.figure)
            except UserWarning as warning:
                raise MmsatError(f"{warning}: write an .svg file instead") from None
        return file.getvalue()

    @contextmanager
    def group(self, x: float, y: float) -> Iterator[None]:
        """Shift everything that is drawn in this context right by `x` and down by `y`.

        `y` counts from the top of the first page, so it determines the page.
        """
        previous, self.origin = self.origin, (x, y)
        yield
        self.origin = previous

    def _place(self, x: float, y: float) -> tuple[Any, float, float]:
        """Return the page of a point of the group, and the coordinates on that page."""
        from matplotlib.figure import Figure

        left, top = self.origin
        number = int(top // self.height)
        while len(self.pages) <= number:
            inches = self.width / 96, self.height / 96
            page = Figure(figsize=inches).add_axes((0, 0, 1, 1))
            page.set(xlim=(0, self.width), ylim=(self.height, 0))
            page.set_axis_off()
            self.pages.append(page)
        return self.pages[number], left + x, top - number * self.height + y

    def rect(self, box: Box, ink: str, rx: float = 0) -> None:
        """Draw a rectangle, with round corners if `rx` is not 0."""
        from matplotlib.patches import FancyBboxPatch

        page, x, y = self._place(box[0], box[1])
        corners = f"round,pad=0,rounding_size={rx:g}" if rx else "square,pad=0"
        shape = FancyBboxPatch((x, y), box[2], box[3], corners, facecolor=color(ink), linewidth=0)
        page.add_patch(shape)

    def path(self, path: str, kind: str = "ring", width: float = 1) -> None:
        """Draw the outline of a path of the commands M, m, l and z.

        The coordinates of M are absolute; those of m and l are relative to the last point.
        """
        points: list[tuple[float, float]] = []
        for command, text in PATH_COMMAND.findall(path):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", text)]
            for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                last = points[-1] if points and command != "M" else (0.0, 0.0)
                if command in "Mm":
                    self._line(points, kind, width)
                    points = []
                points.append((last[0] + x, last[1] + y))
            if command == "z":
                points.append(points[0])
        self._line(points, kind, width)

    def _line(self, points: list[tuple[float, float]], kind: str, width: float) -> None:
        """Draw a polyline, unless it has no points."""
        if points:
            page, left, top = self._place(0, 0)
            xs, ys = [left + x for x, _ in points], [top + y for _, y in points]
            page.plot(xs, ys, color=color(OUTLINES[kind]), linewidth=width * POINTS_PER_PIXEL)

    def disk(self, x: float, y: float, radius: float, ink: str = "") -> None:
        """Draw a disk, or a circle if `ink` is empty."""
        from matplotlib.patches import Circle

        page, x, y = self._place(x, y)
        face = color(ink) if ink else "none"
        edge = "none" if ink else color("ink")
        page.add_patch(
            Circle((x, y), radius, facecolor=face, edgecolor=edge, linewidth=POINTS_PER_PIXEL)
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        ink: str = "ink",
        *,
        anchor: str = "start",
        width: float = 0,  # noqa: ARG002  (the letters of the font are as wide as the grid)
        size: float = FONT_SIZE,
        attributes: str = "",
    ) -> None:
        """Draw text with its baseline at `y`; of `attributes`, only font and weight are used."""
        page, x, y = self._place(x, y)
        page.text(
            x,
            y,
            text,
            color=color(ink),
            ha="center" if anchor == "middle" else "left",
            va="baseline",
            fontsize=size * POINTS_PER_PIXEL,
            family=PDF_SANS if SANS in attributes else PDF_MONO,
            weight="bold" if "bold" in attributes else "normal",
            parse_math=False,
        )

    def peg(self, box: Box, color: int, symbol: str) -> None:
        """Draw a peg, as in SVG."""
        self.rect(box, f"#{paint(color).background}", min(box[2:]) / 2)
        self.symbol(box, color, symbol)


def color(ink: str) -> str:
    """Return the hexadecimal color of an ink on paper."""
    return INKS[ink][0] if ink in INKS else ink


PICTURE_STYLE = Style(width=84, painted=True, symbols=True, wrap=64)
"""The style of boards in pictures, with widths in columns of the grid."""
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
"""Numbers of lines that are drawn at the beginning and at the end of a longer picture."""
BOLD_STYLES = ("name", "conflict", "correction", "mark")
"""Styles of spans in bold letters."""


def picture(title: str, lines: Iterable[Line]) -> str:
    """Return a picture of lines; the text of the lines is its description for screen readers."""
    shown_lines = omit_middle(list(lines))
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


def omit_middle(lines: list[Line]) -> list[Line]:
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
"""The signs of the table of knowledge, each with the words after it in the legend."""
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
    """Return the signs of all colors, by peg."""
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
            peg_color = color // table.shapes if table.style.painted else None
            head += [Span(" " * (cell_width - len(symbol))), Span(symbol, "dim", peg_color)]
        yield head
        for peg, peg_signs in enumerate(signs_by_peg, 1):
            spans = [Span(f"{peg:>{LABEL_WIDTH}}", "dim")]
            spans += [Span(s.rjust(cell_width), f"sign {s}") for s in peg_signs[block]]
            yield spans
        numbers = "".join(count.rjust(cell_width) for count in counts[block])
        yield [Span("pegs".rjust(LABEL_WIDTH), "dim"), Span(numbers)]
    legend = ((Span(symbol, f"sign {symbol}"), Span(word, "dim")) for symbol, word in LEGEND)
    yield [span for pair in legend for span in pair]
