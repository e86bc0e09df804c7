"""Odds: the probability of every color at every peg."""

from collections.abc import Iterator

from mmsat.enumeration.odds import Odds
from mmsat.render import heat
from mmsat.render.board import Style
from mmsat.render.spans import Line


def lines(odds: Odds, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Return a row per peg and a column per color, in blocks that fit the width."""
    return heat.lines(odds, style.width)
