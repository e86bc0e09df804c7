"""mmsat suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import mmsat
from mmsat.cli import options
from mmsat.cli.output import leave_early, print_result, say
from mmsat.cli.parameters import Number
from mmsat.cli.play_options import StrategyName
from mmsat.cli.progress import Job

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.results.suggestion import Suggestion


@options.command(
    "suggest",
    "mmsat suggest 4x6/1122=1.1/3345=0.2",
    "mmsat suggest 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1",
    "mmsat suggest daily-word/CRANE=-Y---/TRAIL=YY-Y- --hard",
    "mmsat suggest 24x6/112233445566112233445566=5.15 --json",
)
@options.board
@options.as_json
@options.weights
@options.lies
@click.option(
    "--strategy",
    type=StrategyName("auto"),
    default="auto",
    help="Choose a strategy by name; `mmsat analyze` lists them.",
)
@options.consistent_only
@options.hard
@click.option("--others", type=Number(0, 100), default=3, help="Name up to N other good guesses.")
@options.working("seed", "timeout")
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    weights: str | None,
    verbose: bool,
    **settings: Any,
) -> None:
    """Suggest the next guess, with reasons.

    Tells how many codes remain, how many the guess leaves on average and at worst, and the chance
    that it is the code; in small games also the best possible average of guesses. Beyond 50,000
    codes, figures are estimated from as many random codes. With --lies, codes may miss a few
    scores. Exit code 1 where the scores contradict each other.
    """
    job: Job[Suggestion | None] = Job(None, "comparing guesses")
    weighed = options.read_weights(board, weights)
    found = job.run(
        lambda: mmsat.suggest(board, weights=weighed, on_progress=job.progress.tell, **settings)
    )
    if found is None:
        leave_early(job.code)
    print_result(found, as_json=as_json)
    if verbose:
        say(f"suggested by {found.strategy} in {found.seconds:.3f} s")
