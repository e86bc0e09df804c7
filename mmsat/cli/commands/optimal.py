"""mmsat optimal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmsat.cli import options, playing
from mmsat.cli.exits import FAILURE, SUCCESS, leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say

if TYPE_CHECKING:
    from mmsat.game.game import Game
    from mmsat.strategy.optimal.optimum import Optimum
    from mmsat.strategy.optimal.search import Standing

EPILOG = options.examples(
    "mmsat optimal 4x6",
    "mmsat optimal 4x6 --max-guesses 5 --json",
    "mmsat optimal 4x6 --consistent-only --save tree.json",
    "mmsat analyze 4x6 --strategy tree:tree.json",
    "mmsat optimal 3x5! --objective worst-then-average",
)


@click.command(
    "optimal", short_help="Find the best strategy of a game, and prove it.", epilog=EPILOG
)
@playing.game
@click.option("--max-guesses", type=click.IntRange(1, 64), help="Find every code within so many.")
@playing.consistent_only
@click.option(
    "--objective",
    type=click.Choice(("average", "worst", "worst-then-average")),
    default="average",
    show_default=True,
    help="The least total, the fewest guesses in the worst case, or the least total among those.",
)
@click.option("--save", type=click.Path(dir_okay=False), help="Write the tree as JSON.")
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False),
    help="Keep what is found in a file, and go on from there.",
)
@click.option("--cores", type=click.IntRange(1, 1024), help="Use so many cores; all by default.")
@click.option("--timeout", type=options.Seconds(), help="Stop after so many seconds (exit code 1).")
@options.as_json
def command(
    game: Game,
    *,
    max_guesses: int | None,
    consistent_only: bool,
    objective: str,
    save: str | None,
    checkpoint: str | None,
    cores: int | None,
    timeout: float | None,
    as_json: bool,
) -> None:
    """Find the best strategy of a game, and prove that none is better.

    GAME is as for mmsat analyze, with up to 32,768 codes. The search is complete; its strategy is
    played against every code by the plain scorer. When the time is up, or at Ctrl-C, the best
    strategy so far is told with a bound that none can beat (exit code 1 or 130).
    """
    from mmsat.solving.deadline import Deadline  # noqa: PLC0415
    from mmsat.strategy.optimal.search import Search  # noqa: PLC0415  (loads the kernel)

    search = Search(
        game,
        max_guesses=max_guesses,
        consistent_only=consistent_only,
        objective=objective,
        cores=cores,
        checkpoint=None if checkpoint is None else Path(checkpoint),
    )
    with interruptible() as work:
        search.run(Deadline(timeout), lambda standing: work.tell(told(standing)))
    found = search.result
    if save is not None and found.tree is not None:
        from mmsat.cli.commands.analyze import keep  # noqa: PLC0415

        keep(found.tree, Path(save))
    if as_json:
        print_json(found.to_dict())
    else:
        print_optimum(found)
    if not found.is_proven:
        say("interrupted" if work.is_interrupted else "the time was up")
    is_failure = not found.is_proven or found.analysis is None
    leave(work.code or (FAILURE if is_failure else SUCCESS))


def told(standing: Standing) -> str:
    """A line of progress."""
    best = "none yet" if standing.best is None else f"{standing.best:,}"
    return (
        f"{standing.doing}: best {best}, bound {standing.bound:,}, "
        f"{100 * standing.done:.0f}% of first guesses, {standing.sets:,} sets"
    )


def print_optimum(found: Optimum) -> None:
    """Print the strategy's figures, and what is proven."""
    if found.analysis is not None:
        from mmsat.cli.commands.analyze import print_analysis  # noqa: PLC0415

        print_analysis(found.analysis)
        click.echo()
    click.echo(verdict(found))


def verdict(found: Optimum) -> str:
    """What is proven, in a sentence."""
    limits = "" if found.max_guesses is None else f" within {found.max_guesses} guesses"
    kind = "consistent strategy" if found.consistent_only else "strategy"
    if found.analysis is None:
        if found.is_proven:
            return f"No {kind} finds every code{limits}."
        return "No strategy was found in time."
    if found.objective == "worst":
        fewer = f"No {kind} finds every code in fewer than {found.bound} guesses"
        return f"{fewer}." if found.is_proven else f"{fewer}; this one may not be best."
    if found.is_proven:
        return f"No {kind} has a lower total{limits}."
    return f"No {kind} has a total below {found.bound:,}{limits}; this one may not be best."
