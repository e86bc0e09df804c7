"""A suspicion: the board, what its suspects may have been, and the guess that would tell."""

import sys
from collections.abc import Iterator

from mmsat.diagnosis.suspicion_sentences import (
    SHOWN,
    hypothesis_rows,
    reply_rows,
    suspicion_sentences,
    telling_sentences,
)
from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table
from mmsat.results.suspicion import Suspicion


def lines(found: Suspicion, style: Style, *, in_full: bool) -> Iterator[Line]:
    """The board with its suspects, the hypotheses, and the guess that tells them apart."""
    shown = sys.maxsize if in_full else SHOWN
    board = BoardTable(found.board, style, found.suspects, meaning="suspect")
    yield from board.lines(every_row=in_full)
    yield []
    if found.hypotheses:
        heads = ("if", "codes", "the scores")
        yield from table(heads, hypothesis_rows(found, shown), style.wrap, (0, 1))
    yield from paragraphs(suspicion_sentences(found, shown), style.wrap)
    if found.telling is None:
        return
    yield []
    yield from paragraphs(telling_sentences(found), style.wrap)
    yield from table(("answer", "leaves"), reply_rows(found, shown), style.wrap)
    if (more := len(found.telling.replies) - shown) > 0:
        yield from paragraphs([f"And {more} more."], style.wrap)
