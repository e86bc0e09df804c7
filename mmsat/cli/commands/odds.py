"""The command `mmsat odds`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mmsat
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE
from mmsat.cli.output import leave_early, print_json, say
from mmsat.cli.progress import Job
from mmsat.game.tolerance import Tolerance
from mmsat.render import heat
from mmsat.render.reports import print_report
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.isolation import run

if TYPE_CHECKING:
    from mmsat.counting.odds import Odds, OddsJson
    from mmsat.game.board import Board


@options.command(
    "odds", "mmsat odds 4x6/1122=1.1/3345=0.2", "mmsat odds 4x6/1122=1.1/3345=0.2 --json"
)
@options.board
@options.as_json
@options.weights
@options.lies
@options.picture("Draw the table to FILE: .svg, .png or .pdf.")
@options.memory
@options.solver_options("timeout")
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    plot: str | None,
    memory: int,
    timeout: float | None,
    weights: str | None,
) -> None:
    """Print the probability of every color at every peg.

    Each number is the exact percentage of the codes that get exactly these scores; with --lies, a
    few scores may be wrong. With --weights, it is the percentage of the total weight. --json also
    has the numbers of codes.
    """
    job: Job[Odds | None] = Job(None, "counting codes, color by color")
    codes = mmsat.codes(
        board, lies=lies, by=by, memory=memory, weights=options.read_weights(board, weights)
    )
    try:
        odds = job.run(lambda: run(Deadline(timeout), codes.odds))
    except TimeUpError:
        leave_early(FAILURE)
    if odds is None:
        leave_early(job.code)
    options.print_known_codes(board)
    if not odds.codes and (as_json or plot):  # otherwise the report has such a sentence
        say("no code gets these scores, so there are no probabilities")
    if plot is not None:
        heat.draw(odds, plot)
        say(f"{plot}: {quantity(board.game.pegs, 'peg')} by {quantity(board.game.colors, 'color')}")
    if as_json:
        document: OddsJson = {
            "board": str(board),
            **odds.to_dict(),
            **Tolerance(lies, by).optional_dict(),
        }
        print_json(document)
    elif plot is None:
        print_report(odds)
