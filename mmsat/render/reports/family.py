"""A generated board and how it was made."""

from collections.abc import Iterator

from mmsat.generators.family import Generated
from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs


def lines(generated: Generated, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with its known code, and the recipe."""
    yield from BoardTable(generated.board, style).lines(every_row=in_full, code=generated.witness)
    yield []
    status_sentence = (
        f"It is {generated.status} by construction." if generated.status != "unknown" else ""
    )
    yield from paragraphs([*generated.recipe, *filter(None, [status_sentence])], style.wrap)
