"""An explanation: the board with the first conflict, and all that is wrong in words."""

import sys
from collections.abc import Iterator

from mmsat.diagnosis.sentences import MAX_LISTED_REASONS, explanation_sentences
from mmsat.render.board import MEANT, BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.results.explanation import Explanation


def lines(found: Explanation, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with the first conflict and the best correction, then all of them in words.

    The rows of all conflicts are not marked, as these are often all rows of the board.
    """
    first = found.conflict.rows if found.conflict else ()
    best = found.correction.changes if found.correction else ()
    table = BoardTable(
        found.board,
        style,
        first,
        {change.row: change.after for change in best},
        "in the first conflict" if len(found.conflicts) > 1 else "in conflict",
        arrow=MEANT,
        chances=found.mistaken,
    )
    yield from table.lines(every_row=in_full)
    yield []
    most = sys.maxsize if in_full else MAX_LISTED_REASONS
    yield from paragraphs(explanation_sentences(found, most, full=in_full), style.wrap)
