"""What `mmsat explain` prints and draws: conflicts and corrections, steps, hypotheses."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from mmsat.cli.output import say
from mmsat.diagnosis.sentences import SHOWN, explanation_sentences
from mmsat.diagnosis.steps.knowledge import frames
from mmsat.diagnosis.suspicion_sentences import SHOWN as SHOWN_HYPOTHESES
from mmsat.diagnosis.suspicion_sentences import (
    hypothesis_rows,
    reply_rows,
    suspicion_sentences,
    telling_sentences,
)
from mmsat.english import quantity
from mmsat.files import atomic_write
from mmsat.render import pegboard
from mmsat.render.spans import Span
from mmsat.render.stepsvg import svg
from mmsat.render.table import paragraphs
from mmsat.render.terminal import (
    show,
    show_board,
    show_gap,
    show_sentences,
    show_table,
    style,
    wrap_width,
)

if TYPE_CHECKING:
    from mmsat.diagnosis.steps.steps import Steps
    from mmsat.results.explanation import Explanation
    from mmsat.results.suspicion import Suspicion


def print_explanation(found: Explanation, *, everything: bool) -> None:
    """Print the board with the suspects and the best correction, then all in words.

    Suspects are the rows that some correction changes; there, conflicts tend to take in all rows.
    """
    suspects = {change.row for correction in found.corrections for change in correction.changes}
    in_conflict = {row for conflict in found.conflicts for row in conflict.rows}
    best = found.corrections[0].changes if found.corrections else ()
    show_board(
        found.board,
        sorted(suspects or in_conflict),
        {change.row: change.after for change in best},
        chances=found.mistaken,
        every_row=everything,
    )
    show_gap()
    most = sys.maxsize if everything else SHOWN
    show_sentences(explanation_sentences(found, most, full=everything))


def print_steps(found: Steps, *, in_full: bool) -> None:
    """Print the board with the rows that are used marked, then the steps; in full, boards too."""
    used = sorted({row for step in found.steps for row in step.rows})
    show_board(found.board, used, meaning="used below", every_row=in_full)
    show_gap()
    drawn = frames(found) if in_full else iter(())
    for line in found.lines():
        margin = "    " * line.depth
        width = wrap_width()
        room = None if width is None else max(20, width - len(margin))
        show([Span(margin), *spans] for spans in paragraphs([line.text], room))
        if in_full and line.step is not None:
            show_gap()
            boards = pegboard.lines(found.board, next(drawn), style())
            show([Span(margin + "    "), *spans] for spans in boards)
            show_gap()


def draw_steps(found: Steps, folder: str) -> None:
    """Write one SVG file a step, each whole or not at all."""
    os.makedirs(folder, exist_ok=True)
    drawn = list(frames(found))
    digits = max(2, len(str(len(drawn))))
    for number, frame in enumerate(drawn, 1):
        path = os.path.join(folder, f"step-{number:0{digits}}.svg")
        atomic_write(path, [svg(found.board, frame)])
    say(f"{os.path.normpath(folder)}: {quantity(len(drawn), 'drawing')}")


def print_suspicion(found: Suspicion, *, everything: bool) -> None:
    """Print the board with its suspects, the hypotheses, and the guess that tells them apart."""
    shown = sys.maxsize if everything else SHOWN_HYPOTHESES
    show_board(found.board, found.suspects, meaning="suspect", every_row=everything)
    show_gap()
    if found.hypotheses:
        show_table(("if", "codes", "the scores"), hypothesis_rows(found, shown), (0, 1))
    show_sentences(suspicion_sentences(found, shown))
    if found.telling is None:
        return
    show_gap()
    show_sentences(telling_sentences(found))
    show_table(("answer", "leaves"), reply_rows(found, shown))
    if (more := len(found.telling.replies) - shown) > 0:
        show_sentences([f"And {more} more."])
