"""The command `mmsat optimal`."""

from typing import Any

import click

from mmsat._util.arguments import OBJECTIVES
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, leave
from mmsat.cli.options import save_tree
from mmsat.cli.output import leave_early, print_result
from mmsat.cli.parameters import Choice, Number
from mmsat.cli.progress import Job
from mmsat.game.game import Game
from mmsat.game.words import read_words
from mmsat.strategy.optimal.search import BEAM, Search, Standing


@options.command(
    "optimal",
    "mmsat optimal 4x6",
    "mmsat optimal 4x6 --max-guesses 5 --json",
    "mmsat optimal 4x6 --consistent-only -o tree.json",
    "mmsat analyze --strategy tree:tree.json",
    "mmsat optimal 3x5d --objective worst-then-average",
    "mmsat optimal 3x3p --hard",
)
@options.game
@click.option("--max-guesses", type=Number(1, 64), help="Find every code within N guesses.")
@options.consistent_only
@options.hard
@options.file("--guesses", help="File with more words to guess, one per line.")
@click.option(
    "--objective",
    type=Choice(OBJECTIVES),
    default="average",
    metavar="OBJECTIVE",
    help="Minimize the average, the worst case (worst), or worst-then-average.",
)
@click.option(
    "--beam",
    type=Number(1, 1000),
    default=BEAM,
    help="Width of the beam search before the complete search of a large game.",
)
@options.file("-o", "--output", "save", help="Save the tree as JSON.")
@options.file("--checkpoint", help="Save progress in FILE, and resume from it.")
@options.jobs(None)
@options.timeout
@options.as_json
def command(
    game: Game,
    *,
    save: str | None,
    checkpoint: str | None,
    guesses: str | None,
    timeout: float | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Find the best strategy of a game, and prove that it is the best.

    GAME is a size such as 4x6 or 4x10d, a name that `mmsat games` lists, or game:FILE, with up to
    32,768 codes and 254 different scores. The search is complete, and its strategy is played
    against every code.

    With --max-guesses N, prints whether N guesses are always enough (exit code 1 if not). At the
    time limit or after Ctrl-C, prints the best strategy so far and a lower bound (exit code 1 or
    130).
    """
    words = read_words(guesses, game.pegs, game.spelled.names).space.codes if guesses else ()
    search = Search(game, checkpoint=checkpoint, guesses=words, **settings)
    job: Job[None] = Job(None, "looking for strategies")
    job.run(
        lambda: search.run(
            timeout, lambda standing: job.progress.report(describe(standing), standing.done or None)
        )
    )
    optimum = search.result
    if save is not None and optimum.tree is not None:
        save_tree(optimum.tree, save)
    print_result(optimum, as_json=as_json)
    if not optimum.is_proven:
        leave_early(job.code or FAILURE)
    leave(FAILURE if optimum.analysis is None else job.code)


def describe(standing: Standing) -> str:
    """Return the message of the progress line."""
    best = "no strategy yet" if standing.best is None else f"best total {standing.best:,}"
    return f"{best}, lower bound {standing.bound:,}"
