"""Steps: the board, and how its contradiction, or what is certain, follows."""

from collections.abc import Iterator

from mmsat.diagnosis.steps.knowledge import frames
from mmsat.diagnosis.steps.steps import Steps
from mmsat.render import pegboard
from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line, Span
from mmsat.render.table import paragraphs

MIN_SENTENCE_WIDTH = 20
"""Minimum width of a sentence, however deep its indentation."""


def lines(steps: Steps, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with the used rows marked, then the steps; in full, a board for each step."""
    used = sorted({row for step in steps.steps for row in step.rows})
    table = BoardTable(steps.board, style, used, meaning="used below")
    yield from table.lines(every_row=in_full)
    yield []
    step_frames = frames(steps) if in_full else iter(())
    for line in steps.lines():
        margin = "    " * line.depth
        sentence_width = (
            None if style.wrap is None else max(MIN_SENTENCE_WIDTH, style.wrap - len(margin))
        )
        for spans in paragraphs([line.text], sentence_width):
            yield [Span(margin), *spans]
        if in_full and line.step is not None:
            yield []
            for spans in pegboard.lines(steps.board, next(step_frames), style):
                yield [Span(margin + "    "), *spans]
            yield []
