"""A reduction: its board gadget by gadget."""

from collections.abc import Iterator
from typing import Any

from mmsat.reductions.reduction import Reduction
from mmsat.render import gadgets
from mmsat.render.board import Style
from mmsat.render.spans import Line


def lines(
    reduction: Reduction[Any, Any],
    style: Style,
    *,
    in_full: bool,  # noqa: ARG001
) -> Iterator[Line]:
    """What its pegs stand for, and what its rows say."""
    return gadgets.lines(reduction, style.wrap)
