"""The command `mmsat static`."""

import click

from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, leave
from mmsat.cli.output import leave_early, print_result
from mmsat.cli.parameters import Number
from mmsat.cli.progress import Job
from mmsat.game.game import Game
from mmsat.strategy.static.search import SEED, Search, Standing


@options.command(
    "static",
    "mmsat static 4x5",
    "mmsat static 3x4b --json",
    "mmsat static 3x6w",
    "mmsat static 4x4 --max-guesses 3",
    "mmsat static 5x3 --checkpoint static.json",
)
@options.game
@click.option("--max-guesses", type=Number(1, 64), help="Only decide whether N guesses are enough.")
@options.seed(SEED)
@options.file("--checkpoint", help="Save progress in FILE, and resume from it.")
@options.timeout
@options.as_json
def command(
    game: Game,
    *,
    max_guesses: int | None,
    seed: int,
    checkpoint: str | None,
    timeout: float | None,
    as_json: bool,
) -> None:
    """Find the smallest set of guesses, fixed in advance, that identifies every code.

    GAME is a size such as 4x6 or 4x10d, a name that `mmsat games` lists, or game:FILE, with up to
    8,192 codes (16,384 with two colors and black scores only). All guesses are made before any
    score is known; the final guess of the code itself is not counted. A complete search proves
    that no smaller set is enough.

    With --max-guesses N, prints a set of N guesses, or proves that no such set exists (exit code
    1). At the time limit or after Ctrl-C, prints the best set so far and a lower bound (exit code 1
    or 130).
    """
    search = Search(game, max_guesses=max_guesses, seed=seed, checkpoint=checkpoint)
    job: Job[None] = Job(None, "looking for guesses")
    job.run(
        lambda: search.run(
            timeout, lambda standing: job.progress.report(describe(standing), standing.done or None)
        )
    )
    result = search.result
    print_result(result, as_json=as_json)
    if not result.is_proven:
        leave_early(job.code or FAILURE)
    leave(job.code if result.tells_all else FAILURE)


def describe(standing: Standing) -> str:
    """Return the message of the progress line."""
    if standing.best is None:
        return f"no set of guesses yet, none has fewer than {standing.bound}"
    return f"{quantity(standing.best, 'guess')} suffice, {standing.bound} may"
