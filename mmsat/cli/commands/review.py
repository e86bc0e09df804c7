"""The command `mmsat review`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mmsat
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, SUCCESS, leave
from mmsat.cli.output import leave_early, print_result, say
from mmsat.cli.progress import Job
from mmsat.render.reports.games import draw_review

if TYPE_CHECKING:
    from mmsat.game.board import Board
    from mmsat.play.review_result import Review


@options.command(
    "review",
    "mmsat review 4x6/1122=1.1/1345=0.2/2416=1.1",
    "mmsat review daily-word/CRANE=-Y---/TRAIL=YY-Y- --json",
    "mmsat review daily-word/CRANE=-Y---/TRAIL=YY-Y- --hard",
)
@options.board
@options.as_json
@options.weights
@options.picture("Draw the game to FILE: .svg, .png or .pdf.")
@options.hard
@options.solver_options("seed", "timeout")
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    plot: str | None,
    hard: bool,
    seed: int | None,
    weights: str | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """Review a played game guess by guess: skill, luck, and the best guess instead.

    Cost: expected number of guesses with optimal play, or if that takes too long to compute,
    expected number of remaining codes. Skill: cost of the best guess divided by the cost of this
    guess. Luck: how much better the score was than expected.

    If the scores contradict each other, only the guesses before the contradiction are reviewed
    (exit code 1). mmsat/play/reviews.md has the definitions.
    """
    job: Job[Review | None] = Job(None, "reviewing guesses")
    parsed_weights = options.read_weights(board, weights)
    result = job.run(
        lambda: mmsat.review(
            board,
            seed=seed,
            weights=parsed_weights,
            hard=hard,
            timeout=timeout,
            on_progress=job.progress.count("guess", "reviewed"),
        )
    )
    if result is None:
        leave_early(job.code)
    if plot is not None and result.moves:
        draw_review(result, plot)
        say(f"{plot}: {quantity(len(result.moves), 'guess')}")
    print_result(result, as_json=as_json, in_full=verbose)
    if verbose:
        say(f"reviewed in {result.seconds:.3f} s")
    leave(SUCCESS if result.is_consistent else FAILURE)
