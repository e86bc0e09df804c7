"""--suspect: what the scores of some rows may have been, found and printed."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from mmsat.cli.exits import FAILURE
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import say
from mmsat.results import Suspicion

if TYPE_CHECKING:
    from mmsat.board import Board


class Rows(click.ParamType[tuple[int, ...]]):
    """Numbers of rows, from 1, with commas; the value counts from 0."""

    name = "rows"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The numbers."""
        if isinstance(value, tuple):
            return value
        if not re.fullmatch(r"\s*[0-9]{1,9}(\s*,\s*[0-9]{1,9})*\s*", value):
            self.fail(f"{value!r} are no rows; write numbers such as 3 or 3,5", param, ctx)
        return tuple(int(number) - 1 for number in value.split(","))


def find_suspicion(
    board: Board, suspects: tuple[int, ...], *, limit: int, seed: int | None, timeout: float | None
) -> tuple[Suspicion, int]:
    """What is found in time or until Ctrl-C, and the exit code."""
    from mmsat.diagnosis.suspect import checked, suspect  # noqa: PLC0415  (loads the engines)

    so_far = [Suspicion.unknown(board, checked(board, suspects))]

    def note(suspicion: Suspicion) -> None:
        so_far[:] = [suspicion]
        work.tell(f"{len(suspicion.hypotheses)} hypotheses so far")

    with interruptible() as work:
        so_far[:] = [
            suspect(board, suspects, timeout=timeout, limit=limit, seed=seed, on_progress=note)
        ]
    (found,) = so_far
    code = work.code
    if work.is_interrupted:
        say("interrupted")
    elif not found.all_hypotheses and len(found.hypotheses) < limit:
        say("the time was up")
        code = FAILURE
    return found, code


def print_suspicion(suspicion: Suspicion, *, everything: bool) -> None:
    """Print the board with its suspects, the hypotheses, and the guess that tells them apart."""
    from mmsat.diagnosis.suspicion_sentences import (  # noqa: PLC0415
        SHOWN,
        hypothesis_rows,
        reply_rows,
        suspicion_sentences,
        telling_sentences,
    )
    from mmsat.render.board import BoardTable  # noqa: PLC0415
    from mmsat.render.table import paragraphs, table  # noqa: PLC0415
    from mmsat.render.terminal import show, style, wrap_width  # noqa: PLC0415

    shown = sys.maxsize if everything else SHOWN
    width = wrap_width()
    board = BoardTable(suspicion.board, style(), suspicion.suspects, meaning="suspect")
    show(board.lines(every_row=everything))
    show([[]])
    if suspicion.hypotheses:
        heads = ("if", "codes", "the scores")
        show(table(heads, hypothesis_rows(suspicion, shown), width, numbers=(0, 1)))
    show(paragraphs(suspicion_sentences(suspicion, shown), width))
    if suspicion.telling is None:
        return
    show([[]])
    show(paragraphs(telling_sentences(suspicion), width))
    show(table(("answer", "leaves"), reply_rows(suspicion, shown), width))
    if (more := len(suspicion.telling.replies) - shown) > 0:
        show(paragraphs([f"And {more} more."], width))
