"""Drawings as SVG: shapes and text in named inks; and as pages of PDF, with embedded fonts.

Pictures are readable on light and on dark screens. Every picture has its own background, so it is
readable on any page. If the reader prefers dark mode, background and inks change together. There
are no scripts, text is escaped, and equal drawings give equal bytes.
"""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from io import BytesIO
from typing import Any

from mmsat.errors import MmsatError
from mmsat.render import paint
from mmsat.render.figures import matplotlib

INKS = {
    "ground": ("#ffffff", "#1b1f24"),
    "edge": ("#d0d7de", "#454c55"),
    "ink": ("#1f2328", "#e6edf3"),
    "dim": ("#59636e", "#aab4be"),
    "conflict": ("#b3261e", "#ff8a80"),
    "correction": ("#116329", "#6fdd8b"),
    "lit": ("#fff3c4", "#3d3300"),
}
"""Colors of each ink on light and on dark screens."""
MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
SANS = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif"
DARK_INKS = "".join(f".mm-{name}{{fill:{dark}}}" for name, (_, dark) in INKS.items())
OUTLINES = {"ring": "edge", "line": "ink", "new": "conflict"}
"""Ink of each kind of outline."""
DARK_OUTLINES = "".join(f".mm-{name}{{stroke:{INKS[ink][1]}}}" for name, ink in OUTLINES.items())
STYLE = f"<style>@media(prefers-color-scheme:dark){{{DARK_INKS}{DARK_OUTLINES}}}</style>"
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
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
        self.parts: list[str] = []

    @contextmanager
    def group(self, x: float, y: float) -> Iterator[None]:
        """Shift everything that is drawn in this context right by `x` and down by `y`."""
        self.parts.append(f'<g transform="translate({x:g} {y:g})">')
        yield
        self.parts.append("</g>")

    def rect(self, box: Box, ink: str, rx: float = 0) -> None:
        """Draw a rectangle with corner radius `rx`; `ink` is in INKS or a hexadecimal color."""
        x, y, width, height = box
        corners = f' rx="{rx:g}"' if rx else ""
        position = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self.parts.append(f"{position}{corners} {fill(ink)}/>")

    def path(self, path: str, kind: str = "ring", width: float = 1) -> None:
        """Draw the outline of a path; `kind` is a key of OUTLINES."""
        self.parts.append(
            f'<path d="{path}" fill="none" {outline(kind)} stroke-width="{width:g}"/>'
        )

    def disk(self, x: float, y: float, radius: float, ink: str = "") -> None:
        """Draw a disk, or a circle if `ink` is empty."""
        paint_attributes = fill(ink) if ink else f'fill="none" {outline("line")}'
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {paint_attributes}/>')

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
        self.parts.append(f"<text {position} {fill(ink)}{attributes}>{clean(text)}</text>")

    def peg(self, box: Box, color: int, symbol: str) -> None:
        """Draw a peg of a color (from 0) with its symbol."""
        x, y, width, height = box
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            f'rx="{min(width, height) / 2:g}" fill="#{paint(color).background}" {outline("ring")}/>'
        )
        self.symbol(box, color, symbol)

    def symbol(self, box: Box, color: int, symbol: str) -> None:
        """Draw the symbol of a peg, as large as fits."""
        x, y, width, height = box
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
        yield from self.parts
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


POINTS_PER_PIXEL = 0.75
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
    """A drawing on pages of equal size. The `y` coordinates of later pages are larger."""

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
        """Shift everything that is drawn in this context by `x` and `y`; `y` selects the page."""
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
        """Draw the outline of a path of the commands M, m, l and z."""
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
