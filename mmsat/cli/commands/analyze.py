"""mmsat analyze."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mmsat.cli import options, playing
from mmsat.cli.exits import leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say
from mmsat.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.game.game import Game
    from mmsat.render.spans import Line
    from mmsat.strategy.analysis import Analysis
    from mmsat.strategy.tree import StrategyTree

EPILOG = options.examples(
    "mmsat analyze",
    "mmsat analyze 4x6",
    "mmsat analyze 4x6 --strategy most-parts --save tree.json --draw tree.svg",
    "mmsat analyze 4x6 --strategy tree:tree.json --json",
    "mmsat analyze 8x12 --strategy genetic --sample 2",
    "mmsat analyze 4x4 --value",
)
LARGEST_SAMPLE = 10_000_000


@click.command("analyze", short_help="Play every code of a game by a strategy.", epilog=EPILOG)
@playing.optional_game
@playing.strategy
@click.option("--opening", help="First guesses that are forced, joined by commas: 1122,1345.")
@playing.consistent_only
@click.option(
    "--sample", type=click.IntRange(1, LARGEST_SAMPLE), help="Play so many random codes, not all."
)
@click.option("--tree", type=click.Path(dir_okay=False), help="As --strategy tree:FILE.")
@click.option("--save", type=click.Path(dir_okay=False), help="Write the tree as JSON.")
@click.option("--draw", type=click.Path(dir_okay=False), help="Draw the tree as .dot or .svg.")
@click.option("--table", is_flag=True, help="Print the tree, a line for each guess.")
@click.option("--value", is_flag=True, help="Find what the game is worth, each side at its best.")
@options.as_json
@click.option(
    "--seed",
    type=click.IntRange(0, options.LARGEST_SEED),
    default=0,
    show_default=True,
    help="For samples and for strategies that choose at random.",
)
def command(
    game: Game | None,
    *,
    strategy: str,
    opening: str | None,
    consistent_only: bool,
    sample: int | None,
    tree: str | None,
    save: str | None,
    draw: str | None,
    table: bool,
    value: bool,
    as_json: bool,
    seed: int,
) -> None:
    """Play every code of a game by a strategy, and tell how many guesses that takes.

    GAME is a size such as 4x6 or 4x10!, a game's name, or game:FILE; a saved tree knows its game.
    Alone, lists the strategies. Every total is counted by playing the tree with the plain scorer.

    With --value, there is no strategy: the codemaker may hide some codes more often than others,
    the codebreaker may mix strategies, and told is the average that neither can better, exactly;
    --save FILE.json then writes the codebreaker's trees, as FILE-1.json and so on.
    """
    from mmsat.render.tree import check_drawing, drawing, outline  # noqa: PLC0415
    from mmsat.strategy.analyze import analyze  # noqa: PLC0415
    from mmsat.strategy.file import load_tree  # noqa: PLC0415
    from mmsat.strategy.find import TREE  # noqa: PLC0415

    if tree is not None and is_chosen("strategy"):
        raise click.UsageError("--tree is a strategy of its own, so it takes no --strategy")
    if tree is not None:
        strategy = f"{TREE}{tree}"
    if game is None and strategy.startswith(TREE):
        game = load_tree(strategy.removeprefix(TREE)).game
    if game is None:
        options_of_games = ("strategy", "opening", "consistent_only", "sample", "save", "draw")
        if any(map(is_chosen, (*options_of_games, "table", "value", "seed"))):
            raise click.UsageError("these options need a GAME: mmsat analyze 4x6 ...")
        list_all(as_json=as_json)
        return
    if value:
        from mmsat.cli.valuing import tell_value  # noqa: PLC0415

        if opening or consistent_only or sample or tree or draw or table or is_chosen("strategy"):
            raise click.UsageError("--value takes no options but --save and --json")
        tell_value(game, save=save, as_json=as_json)
        return
    if sample is not None and (save or draw or table):
        raise click.UsageError("a sample has no tree, so it takes no --save, --draw and --table")
    picture = None if draw is None else check_drawing(Path(draw))
    with interruptible() as work:
        analysis = analyze(
            game,
            strategy,
            opening=playing.read_opening(game, opening),
            consistent_only=consistent_only,
            seed=seed,
            sample=sample,
            on_progress=lambda done, total: work.tell(f"{done:,} of {total:,} codes"),
        )
    if work.is_interrupted:
        say("interrupted")
        leave(work.code)
    grown = analysis.tree
    if grown is not None:
        if save is not None:
            keep(grown, Path(save))
        if picture is not None:
            atomic_write(picture, drawing(grown, picture.suffix))
            say(f"{picture}: {sum(1 for _ in grown.nodes()):,} guesses")
    if as_json:
        print_json(analysis.to_dict())
    elif table and grown is not None:
        click.echo("\n".join(outline(grown)))
    else:
        print_analysis(analysis)


def is_chosen(name: str) -> bool:
    """Whether an option was given, not left at its default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def list_all(*, as_json: bool) -> None:
    """Print the table of strategies."""
    from mmsat.render.table import table  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415
    from mmsat.strategy.strategies import STRATEGIES  # noqa: PLC0415

    kinds = STRATEGIES.values()
    if as_json:
        keys = ("name", "summary", "source")
        found = [{key: getattr(kind, key) for key in keys} for kind in kinds]
        print_json({"strategies": found})
        return
    rows = [[kind.name, f"{kind.summary}; {kind.source}"] for kind in kinds]
    show(table(["strategy", "what it guesses; whose idea it is"], rows, wrap_width()))


def keep(tree: StrategyTree, path: Path) -> None:
    """Save a tree."""
    from mmsat.strategy.file import print_tree  # noqa: PLC0415

    atomic_write(path, [print_tree(tree)])
    say(f"{path}: {sum(1 for _ in tree.nodes()):,} guesses")


def print_analysis(analysis: Analysis) -> None:
    """Print the figures, the distribution, and the averages by kind of code."""
    from mmsat.render.table import fields  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415

    show(fields(figures(analysis), wrap_width()))
    show([[]])
    show(columns(analysis))


def figures(analysis: Analysis) -> dict[str, Any]:
    """What is known, by name."""
    from mmsat.notation.speller import speller  # noqa: PLC0415

    error = analysis.standard_error
    mean = f"{float(analysis.average):.4f}"
    exact = f" = {analysis.total:,}/{analysis.codes:,}"
    tree = analysis.tree
    return {
        "game": str(analysis.game),
        "strategy": analysis.strategy,
        "opening": tree and speller(analysis.game).print_code(tree.root.guess),
        "codes": f"{analysis.codes:,}{', drawn at random' * analysis.is_sample}",
        "guesses": f"{analysis.total:,}",
        "average": mean + (exact if error is None else f", standard error {error:.4f}"),
        "max": str(analysis.max),
    }


def columns(analysis: Analysis) -> Iterator[Line]:
    """How many codes take so many guesses, in all and for each kind of code."""
    from collections import Counter  # noqa: PLC0415

    from mmsat.render.table import table  # noqa: PLC0415

    last = analysis.max
    kinds = analysis.kinds

    def row(name: str, average: float, turns: Iterable[int]) -> list[str]:
        ends = Counter(turns)
        return [name, *(str(ends[turn] or "-") for turn in range(1, last + 1)), f"{average:.4f}"]

    heads = ["guesses", *map(str, range(1, last + 1)), "average"]
    rows = [row("codes", float(analysis.average), (turn for _, turn in analysis.games))]
    if len(kinds) > 1:
        rows += [
            row("+".join(map(str, kind.pattern)), float(kind.average), analysis.turns(kind))
            for kind in kinds
        ]
    return table(heads, rows, None, numbers=range(1, last + 1))
