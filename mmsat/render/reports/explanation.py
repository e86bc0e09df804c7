"""An explanation: the board with the suspects, and all that is wrong in words."""

import sys
from collections.abc import Iterator

from mmsat.diagnosis.sentences import SHOWN, explanation_sentences
from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.results.explanation import Explanation


def lines(found: Explanation, style: Style, *, in_full: bool) -> Iterator[Line]:
    """The board with the suspects and the best correction, then conflicts and corrections.

    Suspects are the rows that some correction changes; there, conflicts tend to take in all rows.
    """
    suspects = {change.row for correction in found.corrections for change in correction.changes}
    in_conflict = {row for conflict in found.conflicts for row in conflict.rows}
    best = found.corrections[0].changes if found.corrections else ()
    table = BoardTable(
        found.board,
        style,
        sorted(suspects or in_conflict),
        {change.row: change.after for change in best},
        chances=found.mistaken,
    )
    yield from table.lines(every_row=in_full)
    yield []
    most = sys.maxsize if in_full else SHOWN
    yield from paragraphs(explanation_sentences(found, most, full=in_full), style.wrap)
