"""The commands about strategies and fixed guesses: `mmsat strategies`, `analyze` and `static`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, NoReturn, NotRequired, TypedDict, cast

import click

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.registry import PluginJson
from mmsat._util.results import NonEmpty
from mmsat._util.text import quantity
from mmsat.cli import options, output
from mmsat.cli.commands.guesses import StrategyName, read_opening
from mmsat.cli.commands.proofs import ProofFileJson, refuse_standard_output, write_proof
from mmsat.cli.options import save_tree, say_size
from mmsat.cli.output import (
    FAILURE,
    Job,
    leave,
    leave_early,
    print_json,
    print_message,
    print_result,
)
from mmsat.cli.parameters import Number, misuse, refuse_combination
from mmsat.errors import TimeLimitError
from mmsat.game.game import Game
from mmsat.render.reports import print_report
from mmsat.render.reports.strategies import drawing, outline
from mmsat.render.terminal import show_fields, show_gap, show_table
from mmsat.solving.deadline import Deadline
from mmsat.strategy.game_value import GameValueJson
from mmsat.strategy.static import SEED, StaticSearch, StaticStanding
from mmsat.strategy.strategies import STRATEGIES

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from fractions import Fraction

    from mmsat.strategy.analyze import Analysis, ComparisonJson
    from mmsat.strategy.game_value import GameValue

MAX_SAMPLE_CODES = 10_000_000
"""Maximum number of random codes of a sample."""
MAX_COMPARED_GUESSES = 12
"""The maximum number of guesses up to which a comparison shows the codes by number of guesses."""


class StrategyJson(TypedDict):
    """A strategy."""

    name: NonEmpty
    summary: NonEmpty
    """Description in one line."""
    source: NonEmpty
    """Publication."""


class StrategiesJson(TypedDict):
    """All strategies."""

    strategies: list[StrategyJson]
    plugins: NotRequired[list[PluginJson]]
    """The plug-ins; missing if there are none."""


class ValueOutputJson(GameValueJson):
    """The average number of guesses if both sides play optimal mixtures; printed with --value."""

    proof: NotRequired[ProofFileJson | None]
    """With --proof: the proof; null if none was written."""


@options.command("strategies", "mmsat strategies", "mmsat strategies knuth")
@click.argument("name", type=StrategyName(), required=False)
@options.as_json
def strategies_command(name: str | None, *, as_json: bool) -> None:
    """List the strategies, or describe one.

    `mmsat analyze --strategy NAME` plays a strategy against every code.
    """
    plugins = (
        output.installed_plugins(STRATEGIES)
        if name is None
        else output.find_plugin(STRATEGIES, name)
    )
    names = [*STRATEGIES] if name is None else [] if plugins else [name]
    kinds = [STRATEGIES[key] for key in names]
    facts: list[StrategyJson] = [
        {"name": kind.name, "summary": kind.summary, "source": kind.source} for kind in kinds
    ]
    if as_json:
        document: StrategiesJson = {"strategies": facts}
        if plugins:
            document["plugins"] = plugins
        print_json(document)
    elif name is None:
        rows = [[entry["name"], entry["summary"], entry["source"]] for entry in facts]
        show_table(["strategy", "how it guesses", "source"], rows)
        from mmsat.strategy.several import MULTI_BOARD_STRATEGIES

        show_gap()
        several = [[key, kind.summary] for key, kind in MULTI_BOARD_STRATEGIES.items()]
        show_table(["for several boards", "how it guesses"], several)
        output.show_plugins(plugins)
    elif plugins:
        output.show_plugin(plugins)
    else:
        (kind,) = kinds
        show_fields({"name": kind.name, "summary": kind.summary, "source": kind.source})


@options.command(
    "analyze",
    "mmsat analyze 4x6",
    "mmsat analyze 4x6 --strategy most-parts -o tree.json -o tree.svg",
    "mmsat analyze 4x6 --strategy tree:tree.json --json",
    "mmsat analyze 4x6 --strategy knuth --strategy entropy",
    "mmsat analyze 8x12 --strategy genetic --sample 2",
    "mmsat analyze 3x4p --strategy entropy --hard",
    "mmsat analyze 3x4 --value --proof value.proof",
)
@options.optional_game
@click.option(
    "--strategy",
    "strategies",
    type=StrategyName(),
    multiple=True,
    default=("knuth",),
    help="Name of a strategy; `mmsat strategies` lists them.",
)
@click.option("--opening", metavar="GUESSES", help="Start with these guesses, such as 1122,1345.")
@options.consistent_only
@options.hard
@click.option(
    "--sample", type=Number(1, MAX_SAMPLE_CODES), help="Play against N random codes, not all."
)
@options.executor
@options.file(
    "-o",
    "--output",
    multiple=True,
    endings=(".json", ".dot", ".svg"),
    help="Save the tree (.json) or draw it (.dot, .svg).",
)
@click.option("--table", is_flag=True, help="Print the tree, one line per guess.")
@click.option("--value", is_flag=True, help="Compute the exact value of the game.")
@options.file("--proof", help="With --value: write a proof, for `mmsat verify`.")
@options.as_json
@options.seed(0)
@options.timeout
def analyze_command(
    game: Game | None,
    *,
    strategies: tuple[str, ...],
    opening: str | None,
    consistent_only: bool,
    hard: bool,
    sample: int | None,
    jobs: int,
    dask: str | None,
    output: tuple[str, ...],
    table: bool,
    value: bool,
    proof: str | None,
    as_json: bool,
    seed: int,
    timeout: float | None,
) -> None:
    """Play a strategy against every possible code and count its guesses.

    GAME is a size such as 4x6 or 4x10d, a name that `mmsat games` lists, or game:FILE. It can be
    omitted with --strategy tree:FILE, a saved tree.

    --value computes the average number of guesses if both sides play optimally: the codemaker
    chooses the probabilities of the codes, and the codebreaker those of strategies. -o FILE.json
    then writes the codebreaker's trees to FILE-1.json, FILE-2.json and so on. --proof FILE proves
    the value of a game of up to 1,296 codes by the mixtures of both sides.
    """
    tree_files = [file for file in output if file.endswith(".json")]
    drawing_files = [file for file in output if not file.endswith(".json")]
    if game is None:
        from mmsat.strategy.strategies import TREE_PREFIX
        from mmsat.strategy.tree import load_tree

        if not all(strategy.startswith(TREE_PREFIX) for strategy in strategies):
            misuse("Missing argument GAME. Give a size such as 4x6, or a name of a game.")
        game = load_tree(strategies[0].removeprefix(TREE_PREFIX)).game
    if value:
        excluded_options = ("strategies", "opening", "consistent_only", "hard", "sample", "table")
        given = [options.option_name(name) for name in filter(options.is_chosen, excluded_options)]
        given += [f"--output {file}" for file in drawing_files]
        refuse_combination(
            "--value", given, "The value needs no strategy. --output FILE.json saves trees."
        )
        print_value(game, tree_files, proof, timeout=timeout, as_json=as_json)
    if proof is not None:
        misuse("--proof requires --value. `mmsat optimal --proof` proves an optimal strategy.")
    refuse_options(strategies, sample=sample, jobs=jobs, dask=dask)
    job: Job[list[Analysis]] = Job([], "playing codes")
    deadline = Deadline(timeout)

    def play(executor: Executor | None) -> list[Analysis]:
        guesses = read_opening(game, opening)
        for strategy in strategies:
            analysis = mmsat.analyze(
                game,
                strategy,
                opening=guesses,
                consistent_only=consistent_only,
                hard=hard,
                seed=seed,
                sample=sample,
                executor=executor,
                timeout=deadline.remaining,
                on_progress=job.progress.count("code", "played"),
            )
            job.note([*job.answer, analysis])
        return job.answer

    try:
        with options.open_workers(jobs, dask) as executor:
            job.run(lambda: play(executor))
    except TimeLimitError:
        if not job.answer:
            raise
        job.code = FAILURE
    if len(strategies) > 1 and job.answer:
        print_comparison(job.answer, as_json=as_json)
    if len(strategies) > 1 or not job.answer:
        leave_early(job.code)
    (analysis,) = job.answer
    strategy_tree = analysis.tree
    if strategy_tree is not None:
        for file in tree_files:
            save_tree(strategy_tree, file)
        for file in drawing_files:
            atomic_write(file, drawing(strategy_tree, file))
            say_size(strategy_tree, file)
    if as_json:
        print_json(analysis.to_dict())
    elif table and strategy_tree is not None:
        click.echo("\n".join(outline(strategy_tree)))
    else:
        print_report(analysis)


def refuse_options(
    strategies: tuple[str, ...], *, sample: int | None, jobs: int, dask: str | None
) -> None:
    """Raise a usage error for options that a sample or several strategies cannot be combined with.

    Also raise it for several processes without a sample.
    """
    given = [options.option_name(name) for name in ("output", "table") if options.is_chosen(name)]
    if len(strategies) > 1:
        refuse_combination("--strategy", given, "Give only one strategy.")
    if sample is not None:
        refuse_combination("--sample", given, "A sample has no tree. Omit --sample.")
    elif jobs > 1 or dask:
        misuse(f"{'--dask' if dask else '--jobs'} requires --sample.")


def print_comparison(analyses: list[Analysis], *, as_json: bool) -> None:
    """Print the results of several strategies, with one row per strategy."""
    if as_json:
        document: ComparisonJson = {"analyses": [analysis.to_dict() for analysis in analyses]}
        print_json(document)
        return
    errors = [analysis.standard_error for analysis in analyses]
    max_guesses = max(analysis.max for analysis in analyses)
    columns = range(1, max_guesses + 1 if max_guesses <= MAX_COMPARED_GUESSES else 1)
    heads = ["strategy", "guesses", "average", *(["error"] if any(errors) else []), "max"]
    rows = []
    for analysis, error in zip(analyses, errors, strict=True):
        codes = Counter(turn for _, turn in analysis.games)
        rows.append(
            [
                analysis.strategy,
                f"{analysis.total:,}",
                f"{float(analysis.average):.4f}",
                *([f"{error or 0:.4f}"] if any(errors) else []),
                str(analysis.max),
                *(str(codes[turn] or "-") for turn in columns),
            ]
        )
    show_table([*heads, *map(str, columns)], rows, range(1, len(heads) + len(columns)))


def print_value(
    game: Game,
    tree_files: list[str],
    proof: str | None,
    *,
    timeout: float | None,
    as_json: bool,
) -> NoReturn:
    """Compute and print the value of a game, and write its proof to the file `proof`.

    For each NAME.json in `tree_files`, write the codebreaker's trees to NAME-1.json, NAME-2.json
    and so on.
    """
    if proof is not None:
        from mmsat.strategy.optimal.prove import require_provable_value

        refuse_standard_output(proof)
        require_provable_value(game)
    job: Job[GameValue | None] = Job(None, "looking for the value")
    bounds: list[Fraction] = []  # the best upper bound so far, if there is one

    def note(searches: int, upper_bound: Fraction) -> None:
        bounds[:] = [upper_bound]
        search_count = quantity(searches, "search")
        job.progress.report(f"{search_count} done, the value is at most {float(upper_bound):.6f}")

    try:
        result = job.run(lambda: mmsat.game_value(game, timeout=timeout, on_progress=note))
    except TimeLimitError:
        if bounds:
            print_message(f"the value is at most {bounds[0]}")
        raise
    if result is None:
        messages = (f"the value is at most {bound}" for bound in bounds)
        print_message("; ".join(["interrupted", *messages]))
        leave(job.code)
    for file in tree_files:
        name, ending = os.path.splitext(file)
        for number, played in enumerate(result.codebreaker, 1):
            save_tree(played.tree, f"{name}-{number}{ending}")
    if not as_json:
        print_result(result, as_json=False)
        sys.stdout.flush()
    document = cast("ValueOutputJson", result.to_dict())
    exit_code: int | None = None
    if proof is not None:
        remaining = None if timeout is None else max(0.0, timeout - result.seconds)
        document["proof"], exit_code = write_proof(
            proof, mmsat.prove_value, result, timeout=remaining, exit_code=None
        )
    if as_json:
        print_json(document)
    leave(exit_code or 0)


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
def static_command(
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
    search = StaticSearch(game, max_guesses=max_guesses, seed=seed, checkpoint=checkpoint)
    job: Job[None] = Job(None, "looking for guesses")
    job.run(
        lambda: search.run(
            timeout,
            lambda standing: job.progress.report(
                describe_static_search(standing), standing.finished_fraction or None
            ),
        )
    )
    result = search.result
    print_result(result, as_json=as_json)
    if not result.is_proven:
        leave_early(job.code or FAILURE)
    leave(job.code if result.tells_all else FAILURE)


def describe_static_search(standing: StaticStanding) -> str:
    """Return the message of the progress line."""
    if standing.best_size is None:
        return f"no set of guesses yet, none has fewer than {standing.bound}"
    return f"{quantity(standing.best_size, 'guess')} suffice, {standing.bound} may"
