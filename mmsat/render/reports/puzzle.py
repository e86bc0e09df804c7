"""A puzzle: its board and its grade; in full, the solution too."""

from collections.abc import Iterator

from mmsat.puzzles.puzzle import Puzzle
from mmsat.render.board import BoardTable, Style
from mmsat.render.reports import steps
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs


def lines(found: Puzzle, style: Style, *, in_full: bool) -> Iterator[Line]:
    """The board, and how hard it is; or how the code follows, step by step."""
    if in_full:
        yield from steps.lines(found.steps, style, in_full=False)
        return
    yield from BoardTable(found.board, style).lines(every_row=True)
    yield []
    assert found.steps.difficulty is not None  # noqa: S101
    yield from paragraphs([found.steps.difficulty.sentence()], style.wrap)
