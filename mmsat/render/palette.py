"""The colors of pegs on a screen.

The first colors have names, in the order in which `game/notation/alphabets.py` numbers their
letters: R for red is color 1, G for green is color 2, and so on. A board in letters is therefore
drawn in the colors that its letters stand for. Further colors are spaced by the golden angle on the
color wheel, so that neighbors differ. Many of them are hard to distinguish, so every peg also shows
its symbol.
"""

from typing import NamedTuple

NAMED_COLORS = {
    "red": "d0202e",
    "green": "009e73",
    "blue": "0072b2",
    "yellow": "f0e442",
    "orange": "ee8a00",
    "purple": "a568cc",
    "white": "e8e8e8",
    "black": "444444",
    "cyan": "56c5e8",
    "magenta": "e64bab",
    "brown": "8a5a2b",
    "violet": "6741c2",
    "pink": "f7a8c4",
    "gray": "8c8c8c",
    "turquoise": "40c9b0",
    "lime": "a6d63c",
    "gold": "c9a227",
    "silver": "c4ccd4",
}
"""The backgrounds of the colors that have names, in the order of `notation.alphabets.COLOR_NAMES`.
Black is a dark gray and white a light gray, so that they can be seen on dark and light screens."""


NAMED_BACKGROUNDS = tuple(NAMED_COLORS.values())


UNREAD_BACKGROUND = "7f7f7f"


GOLDEN_ANGLE = 0.381966
"""The golden angle, as a fraction of the circle."""


class Paint(NamedTuple):
    """The two colors with which a peg is painted."""

    background: str
    """The color of the peg, in hexadecimal RGB."""
    foreground: str
    """The color of the symbol: black or white, whichever has the higher contrast."""


def paint(color: int) -> Paint:
    """Return the paint of a color (from 0), or of an unread peg (-1), which is gray."""
    if color < 0:
        background = UNREAD_BACKGROUND
    elif color < len(NAMED_BACKGROUNDS):
        background = NAMED_BACKGROUNDS[color]
    else:
        import colorsys

        index = color - len(NAMED_BACKGROUNDS)
        lightness = (0.45, 0.65, 0.8)[index % 3]
        channels = colorsys.hls_to_rgb(index * GOLDEN_ANGLE % 1.0, lightness, 0.6)
        background = "".join(f"{round(255 * channel):02x}" for channel in channels)
    return paint_background(background)


def paint_background(background: str) -> Paint:
    """Return the paint with this background, and with black or white text."""
    light = luminance(background)
    black_contrast, white_contrast = (light + 0.05) / 0.05, 1.05 / (light + 0.05)
    return Paint(background, "000000" if black_contrast >= white_contrast else "ffffff")


def luminance(color: str) -> float:
    """Return the relative luminance (WCAG 2) of a hexadecimal RGB color, from 0 to 1."""
    linear = []
    for start in (0, 2, 4):
        channel = int(color[start : start + 2], 16) / 255
        linear.append(channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
