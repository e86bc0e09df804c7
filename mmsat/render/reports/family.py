"""A generated board and how it was made."""

from collections.abc import Iterator

from mmsat.generators.family import Generated
from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs


def lines(made: Generated, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with its known code, and the recipe."""
    yield from BoardTable(made.board, style).lines(every_row=in_full, code=made.witness)
    yield []
    known = f"It is {made.status} by construction." if made.status != "unknown" else ""
    yield from paragraphs([*made.recipe, *filter(None, [known])], style.wrap)
