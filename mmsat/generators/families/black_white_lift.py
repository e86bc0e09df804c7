"""Random boards of six colors scored with black only, as boards with black and white."""

from __future__ import annotations

from mmsat.generators.families.six_colors_black import SixColorsBlack
from mmsat.generators.reduced import FromBoards


class BlackWhiteLift(FromBoards):
    """Pads make white tell nothing."""

    name = "black-white-lift"
    summary = "random boards of six colors and black only, lifted"
    size = 8
    smallest = 1
    inner = SixColorsBlack()
