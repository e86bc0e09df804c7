"""The command `mmsat suggest`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import mmsat
from mmsat.cli import options
from mmsat.cli.output import leave_early, print_result, say
from mmsat.cli.parameters import refuse_with
from mmsat.cli.play_options import strategy as strategy_option
from mmsat.cli.progress import Job

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.game.board import Board
    from mmsat.strategy.several import SeveralSuggestion
    from mmsat.strategy.suggest import Suggestion


@options.command(
    "suggest",
    "mmsat suggest 4x6/1122=1.1/3345=0.2",
    "mmsat suggest 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1",
    "mmsat suggest daily-word/CRANE=-Y---/TRAIL=YY-Y- --hard",
    "mmsat suggest 24x6/112233445566112233445566=5.15 --json",
    "mmsat suggest 4x6/1122=1.1 4x6/1122=0.2",
)
@options.boards
@options.as_json
@options.weights
@options.lies
@strategy_option("auto", default="auto")
@options.consistent_only
@options.hard
@options.limit(3, "other good guesses", low=0, high=100)
@options.solver_options("seed", "timeout")
@options.verbose
def command(
    boards: tuple[Board, ...],
    *,
    as_json: bool,
    weights: str | None,
    verbose: bool,
    limit: int,
    **settings: Any,
) -> None:
    """Suggest the next guess, with reasons.

    Prints how many codes remain, how many the guess leaves on average and at worst, and the
    probability that it is the code; in small games also the best possible average number of
    guesses. If more than 50,000 codes remain, these numbers are estimates from 50,000 random codes.
    With --lies, a few scores may be wrong. Exit code 1 if the scores contradict each other.

    For several BOARDs of one game that share their guesses, suggests one guess for all unsolved
    boards.
    """
    settings["others"] = limit
    job: Job[Suggestion | SeveralSuggestion | None] = Job(None, "comparing guesses")
    call: Callable[..., Suggestion | SeveralSuggestion]
    if len(boards) > 1:
        call = several_call(boards, weights, **settings)
    else:
        parsed_weights = options.read_weights(boards[0], weights)
        call = partial(mmsat.suggest, boards[0], weights=parsed_weights, **settings)
    suggestion = job.run(lambda: call(on_progress=job.progress.report))
    if suggestion is None:
        leave_early(job.code)
    print_result(suggestion, as_json=as_json)
    if verbose:
        say(f"suggested by {suggestion.strategy} in {suggestion.seconds:.3f} s")


def several_call(
    boards: tuple[Board, ...], weights: str | None, **settings: Any
) -> partial[SeveralSuggestion]:
    """Return the call for several boards; raise InputError for options that need one board."""
    strategy = settings["strategy"]
    single_board_options = {
        "--weights": weights is not None,
        "--lies": settings["lies"] > 0,
        "--consistent-only": settings["consistent_only"],
        "--hard": settings["hard"],
        f"--strategy {strategy}": strategy != "auto",
    }
    refuse_with("Several boards", filter(single_board_options.get, single_board_options))
    shared = {name: settings[name] for name in ("seed", "others", "timeout")}
    return partial(mmsat.suggest_many, boards, **shared)
