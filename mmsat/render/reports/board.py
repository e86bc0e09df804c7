"""The table of a board."""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line


def lines(board: Board, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Return the table of a board; in full, all of its rows."""
    return BoardTable(board, style).lines(every_row=in_full)
