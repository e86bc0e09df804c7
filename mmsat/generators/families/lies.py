"""Random boards of six colors, each row twice, so that one score may be wrong."""

from __future__ import annotations

from mmsat.generators.families.six_colors import SixColors
from mmsat.generators.reduced import FromBoards


class Lies(FromBoards):
    """Boards of which one row may be wrong."""

    name = "lies"
    summary = "random boards of six colors, every row twice for one lie"
    size = 8
    smallest = 1
    inner = SixColors()
    numbers = {"lies": 1}  # noqa: RUF012
