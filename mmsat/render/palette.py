"""The colors of pegs on a screen.

The first eight are Okabe and Ito's, which people with any kind of color vision can tell apart
(Okabe, Ito 2008, "Color universal design"). The black of that set is a gray here, so that it shows
on dark screens. Further colors go round the hues by the golden angle, so that neighbors differ; no
eye tells many of those apart, which is one reason why every peg carries its symbol.
"""

from typing import NamedTuple

FIRST = ("d55e00", "56b4e9", "f0e442", "009e73", "cc79a7", "0072b2", "e69f00", "7f7f7f")
GOLDEN_ANGLE = 0.381966
"""As a part of the circle."""


class Paint(NamedTuple):
    """What a peg is painted with."""

    background: str
    """Hexadecimal RGB."""
    foreground: str
    """Black or white, whichever is read more easily on it."""


def paint(color: int) -> Paint:
    """The paint of a color, counted from 0; -1, which was not read, is gray."""
    if color < len(FIRST):
        background = FIRST[color]
    else:
        import colorsys  # noqa: PLC0415  (few games have so many colors)

        turn = color - len(FIRST)
        lightness = (0.45, 0.65, 0.8)[turn % 3]
        parts = colorsys.hls_to_rgb(turn * GOLDEN_ANGLE % 1.0, lightness, 0.6)
        background = "".join(f"{round(255 * part):02x}" for part in parts)
    light = luminance(background)
    black, white = (light + 0.05) / 0.05, 1.05 / (light + 0.05)
    return Paint(background, "000000" if black >= white else "ffffff")


def luminance(color: str) -> float:
    """The relative luminance of a hexadecimal RGB color, as WCAG 2 defines it: 0 to 1."""
    linear = []
    for start in (0, 2, 4):
        part = int(color[start : start + 2], 16) / 255
        linear.append(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
