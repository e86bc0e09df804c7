"""A verdict: the board with its code, or with errors marked, and sentences."""

from collections.abc import Iterator

from mmsat.diagnosis.sentences import verdict_sentences
from mmsat.render.board import CORRECTION_LEGEND, BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.results.verdict import Verdict


def lines(verdict: Verdict, style: Style, *, in_full: bool, told: int = 0) -> Iterator[Line]:
    """Yield the board and the verdict; in full, every row and the proof of the conflict.

    The first `told` sentences, which were printed before, are omitted.
    """
    marked = verdict.conflict.rows if verdict.conflict else ()
    changes = verdict.correction.changes if verdict.correction else ()
    scores = {change.row: change.after for change in changes}
    meaning, arrow = "in conflict", CORRECTION_LEGEND
    if verdict.misses:
        scores = {miss.row: miss.score for miss in verdict.misses}
        marked, meaning, arrow = tuple(scores), "missed by the code", "score of the code"
    board, chances = verdict.board, verdict.mistaken
    table = BoardTable(board, style, marked, scores, meaning, arrow=arrow, chances=chances)
    yield from table.lines(every_row=in_full, code=verdict.witness)
    yield []
    yield from paragraphs(verdict_sentences(verdict, proof=in_full)[told:], style.wrap)
