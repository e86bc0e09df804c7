"""The command `mmsat analyze`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

import mmsat
from mmsat.cli import options
from mmsat.cli.exit_codes import leave
from mmsat.cli.output import leave_early, print_json, print_result, say
from mmsat.cli.parameters import Number, refuse
from mmsat.cli.play_options import StrategyName, read_opening
from mmsat.cli.progress import Job
from mmsat.cli.strategies import save_tree, say_size
from mmsat.english import quantity
from mmsat.errors import TimeLimitError
from mmsat.files import atomic_write
from mmsat.json_types import NonEmpty
from mmsat.render.reports import print_report
from mmsat.render.reports.tree import drawing, outline
from mmsat.render.terminal import show_table
from mmsat.strategy.selection import TREE_PREFIX
from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.tree_file import load_tree
from mmsat.tasks import open_executor

if TYPE_CHECKING:
    from fractions import Fraction

    from mmsat.game.game import Game
    from mmsat.strategy.analysis import Analysis
    from mmsat.strategy.game_value import GameValue

MAX_SAMPLE_CODES = 10_000_000


class StrategyJson(TypedDict):
    """A strategy."""

    name: NonEmpty
    summary: NonEmpty
    """Description in one line."""
    source: NonEmpty
    """Publication."""


class StrategiesJson(TypedDict):
    """All strategies; printed if no game is given."""

    strategies: list[StrategyJson]


@options.command(
    "analyze",
    "mmsat analyze",
    "mmsat analyze 4x6",
    "mmsat analyze 4x6 --strategy most-parts -o tree.json -o tree.svg",
    "mmsat analyze 4x6 --strategy tree:tree.json --json",
    "mmsat analyze 8x12 --strategy genetic --sample 2",
    "mmsat analyze 3x4p --strategy entropy --hard",
    "mmsat analyze 4x4 --value",
)
@options.optional_game
@click.option(
    "--strategy",
    type=StrategyName(),
    default="knuth",
    help="Choose a strategy by name; `mmsat analyze` lists them.",
)
@click.option(
    "--opening",
    metavar="GUESSES",
    help="Make these guesses first, regardless of the scores: 1122,1345.",
)
@options.consistent_only
@options.hard
@click.option(
    "--sample", type=Number(1, MAX_SAMPLE_CODES), help="Play N random codes instead of all."
)
@options.executor
@options.file("--tree", help="Play with a saved tree.")
@options.file(
    "-o",
    "--output",
    multiple=True,
    endings=(".json", ".dot", ".svg"),
    help="Write the tree (.json) or draw it (.dot, .svg).",
)
@options.file("--save", hidden=True, help="Older name of -o FILE.json.")
@options.file("--draw", hidden=True, endings=(".dot", ".svg"), help="Older name of -o FILE.svg.")
@click.option("--table", is_flag=True, help="Print the tree, one line per guess.")
@click.option(
    "--value",
    is_flag=True,
    help="Compute the exact value of the game (both sides may mix strategies).",
)
@options.as_json
@options.seed("Random seed, for repeatable results.", default=0)
@options.timeout
def command(
    game: Game | None,
    *,
    strategy: str,
    opening: str | None,
    consistent_only: bool,
    hard: bool,
    sample: int | None,
    processes: int,
    dask: str | None,
    tree: str | None,
    output: tuple[str, ...],
    save: str | None,
    draw: str | None,
    table: bool,
    value: bool,
    as_json: bool,
    seed: int,
    timeout: float | None,
) -> None:
    """Play a strategy against every possible code and count its guesses.

    GAME is a size such as 4x6 or 4x10d, a game's name, or game:FILE; it is not needed with a saved
    tree. Without GAME, lists the strategies. Every total is counted by playing the tree with the
    plain scorer.

    --value needs no strategy: the codemaker may choose some codes more often than others, the
    codebreaker may mix strategies, and the exact value of this game is printed, in guesses. -o
    FILE.json then writes the codebreaker's trees as FILE-1.json, FILE-2.json and so on.
    """
    for file in output:  # the endings are checked; --save and --draw are older options
        if file.endswith(".json"):
            save = file
        else:
            draw = file
    if tree is not None and options.is_chosen("strategy"):
        refuse("--strategy", "no strategy beside --tree", strategy)
    if tree is not None:
        strategy = f"{TREE_PREFIX}{tree}"
    if game is None and strategy.startswith(TREE_PREFIX):
        game = load_tree(strategy.removeprefix(TREE_PREFIX)).game
    if game is None:
        options_of_games = (
            "strategy",
            "opening",
            "consistent_only",
            "hard",
            "sample",
            "output",
            "save",
            "draw",
        )
        if any(map(options.is_chosen, (*options_of_games, "table", "value", "seed", "timeout"))):
            refuse("GAME", "a game such as 4x6", None, "these options need one")
        list_all(as_json=as_json)
        return
    if value:
        bound = consistent_only or hard
        if opening or bound or sample or tree or draw or table or options.is_chosen("strategy"):
            refuse("--value", "no other option but --output, --timeout and --json", "more")
        print_value(game, save=save, timeout=timeout, as_json=as_json)
        return
    if sample is not None and (save or draw or table):
        refuse("--sample", "no --output and no --table", "both", "a sample has no tree")
    if sample is None and (processes > 1 or dask):
        refuse("--processes and --dask", "--sample beside them", None, "a tree is grown here")
    job: Job[Analysis | None] = Job(None, "playing codes")
    with open_executor(processes, dask) as executor:
        analysis = job.run(
            lambda: mmsat.analyze(
                game,
                strategy,
                opening=read_opening(game, opening),
                consistent_only=consistent_only,
                hard=hard,
                seed=seed,
                sample=sample,
                executor=executor,
                timeout=timeout,
                on_progress=job.progress.count("code", "played"),
            )
        )
    if analysis is None:
        leave_early(job.code)
    strategy_tree = analysis.tree
    if strategy_tree is not None:
        if save is not None:
            save_tree(strategy_tree, save)
        if draw is not None:
            atomic_write(draw, drawing(strategy_tree, draw))
            say_size(strategy_tree, draw)
    if as_json:
        print_json(analysis.to_dict())
    elif table and strategy_tree is not None:
        click.echo("\n".join(outline(strategy_tree)))
    else:
        print_report(analysis)


def list_all(*, as_json: bool) -> None:
    """Print the table of strategies."""
    kinds = STRATEGIES.values()
    if as_json:
        document: StrategiesJson = {
            "strategies": [
                {"name": kind.name, "summary": kind.summary, "source": kind.source}
                for kind in kinds
            ]
        }
        print_json(document)
        return
    rows = [[kind.name, f"{kind.summary}; {kind.source}"] for kind in kinds]
    show_table(["strategy", "what it guesses; whose idea it is"], rows)


def print_value(game: Game, *, save: str | None, timeout: float | None, as_json: bool) -> None:
    """Compute and print the value of a game.

    If `save` is NAME.json, write the codebreaker's trees to NAME-1.json, NAME-2.json and so on.
    """
    job: Job[GameValue | None] = Job(None, "looking for the value")
    bounds: list[Fraction] = []

    def note(searches: int, most: Fraction) -> None:
        bounds[:] = [most]
        done = quantity(searches, "search")
        job.progress.tell(f"{done} done, the value is at most {float(most):.6f}")

    try:
        result = job.run(lambda: mmsat.game_value(game, timeout=timeout, on_progress=note))
    except TimeLimitError:
        if bounds:
            say(f"the value is at most {bounds[0]}")
        raise
    if result is None:
        say("; ".join(["interrupted", *(f"the value is at most {bound}" for bound in bounds)]))
        leave(job.code)
    if save is not None:
        name, ending = os.path.splitext(save)
        for number, played in enumerate(result.codebreaker, 1):
            save_tree(played.tree, f"{name}-{number}{ending}")
    print_result(result, as_json=as_json)
