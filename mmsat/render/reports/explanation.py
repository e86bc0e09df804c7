"""An explanation: the board with the first conflict, and all that is wrong in sentences."""

import sys
from collections.abc import Iterator

from mmsat.diagnosis.sentences import MAX_LISTED_REASONS, explanation_sentences
from mmsat.render.board import CORRECTION_LEGEND, BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.results.explanation import Explanation


def lines(explanation: Explanation, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with the first conflict and the best correction, then all of them in words.

    The rows of all conflicts are not marked, as these are often all rows of the board.
    """
    first = explanation.conflict.rows if explanation.conflict else ()
    best = explanation.correction.changes if explanation.correction else ()
    table = BoardTable(
        explanation.board,
        style,
        first,
        {change.row: change.after for change in best},
        "in the first conflict" if len(explanation.conflicts) > 1 else "in conflict",
        arrow=CORRECTION_LEGEND,
        chances=explanation.mistaken,
    )
    yield from table.lines(every_row=in_full)
    yield []
    max_corrections = sys.maxsize if in_full else MAX_LISTED_REASONS
    yield from paragraphs(
        explanation_sentences(explanation, max_corrections, full=in_full), style.wrap
    )
