"""mmsat check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mmsat.cli import options
from mmsat.cli.exits import leave_with
from mmsat.cli.output import print_json, say

if TYPE_CHECKING:
    from mmsat.answers import Verdict
    from mmsat.game.board import Board


@click.command("check", epilog=options.examples("mmsat check 4x6/1122=1.1/3345=0.2"))
@options.board
@options.as_json
@options.lies
@options.working("engine", "seed", "timeout")
@click.option(
    "--consistent-play", is_flag=True, help="Tell whether each guess fits what was known."
)
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    consistent_play: bool,
    engine: str,
    seed: int | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """Decide whether a code gets exactly these scores.

    Prints such a code, or else which rows can't all be right and the likeliest correction. Exit
    code 10 for consistent, 20 for inconsistent, 1 for undecided in time. In consistent play, each
    guess fits the scores of the rows before it. With --lies, a code may miss so many rows, or be
    off by so many key pegs in all (--by pegs).
    """
    from mmsat.explain.check import check  # noqa: PLC0415  (loads the engines)

    verdict = check(board, engine=engine, timeout=timeout, seed=seed, lies=lies, by=by)
    if as_json:
        unfit = [row + 1 for row in board.inconsistent_guesses()] if consistent_play else []
        print_json(verdict.to_dict() | ({"inconsistent_guesses": unfit} if consistent_play else {}))
    else:
        print_verdict(verdict, in_full=verbose, consistent_play=consistent_play)
    if verbose:
        choice = f" ({verdict.choice})" if verdict.choice else ""
        say(f"decided by {verdict.engine}{choice}; {verdict.seconds:.3f} s in all")
    leave_with(verdict.status)


def print_verdict(verdict: Verdict, *, in_full: bool, consistent_play: bool = False) -> None:
    """Print the board, with its code or with what is wrong marked, and the verdict in words.

    In full: every row, and where there is one, the proof of the conflict.
    """
    from mmsat.explain.sentences import play_sentence, verdict_sentences  # noqa: PLC0415
    from mmsat.render.board import BoardTable  # noqa: PLC0415
    from mmsat.render.table import paragraphs  # noqa: PLC0415
    from mmsat.render.terminal import show, style, wrap_width  # noqa: PLC0415

    marked = verdict.conflict.rows if verdict.conflict else ()
    changes = verdict.correction.changes if verdict.correction else ()
    told = {change.row: change.after for change in changes}
    meaning = "in conflict"
    if verdict.misses:
        told = {miss.row: miss.score for miss in verdict.misses}
        marked, meaning = tuple(told), "missed by the code"
    table = BoardTable(verdict.board, style(), marked, told, meaning)
    show(table.lines(every_row=in_full, code=verdict.witness))
    show([[]])
    said = verdict_sentences(verdict, proof=in_full)
    if consistent_play:
        said.append(play_sentence(verdict.board))
    show(paragraphs(said, wrap_width()))
