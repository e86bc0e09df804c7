"""Drawings as pages of PDF, with embedded fonts."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from mmsat.errors import MmsatError
from mmsat.render.figures import matplotlib
from mmsat.render.palette import paint
from mmsat.render.svg import FONT_SIZE, INKS, OUTLINES, SANS, Box, Drawing

POINTS_PER_PIXEL = 0.75
PATH_COMMAND = re.compile(r"([Mmlz])([^Mmlz]*)")
"""A command of an SVG path, and its coordinates."""


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
            family="DejaVu Sans" if SANS in attributes else "DejaVu Sans Mono",
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
