"""The command `mmsat audit`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

import mmsat
from mmsat.auditing.judge import DEPTHS
from mmsat.cli import options
from mmsat.cli.output import leave_early, print_result, say
from mmsat.cli.parameters import Choice, File, OutputFolder, OutputPlace, refuse
from mmsat.cli.progress import Job
from mmsat.english import quantity
from mmsat.errors import InputError, MmsatError
from mmsat.render.reports.summary import check_folder, draw
from mmsat.tasks import open_executor

if TYPE_CHECKING:
    from mmsat.auditing.summary import Summary
    from mmsat.game.game import Game


@options.command(
    "audit",
    "mmsat generate --game 4x6 --games 40 --slips 0.1 -o games.jsonl",
    "mmsat audit games.jsonl -o told.csv",
    "mmsat audit games.jsonl -o told.csv -o plots --depth review",
)
@click.argument("logs", nargs=-1, required=True, type=File())
@click.option(
    "-o",
    "--output",
    type=OutputPlace(),
    multiple=True,
    required=True,
    help="Write the records (.jsonl, .csv, .parquet), or draw plots into a folder.",
)
@click.option(
    "--game",
    type=options.GameName(),
    help="Set the game of logs that do not name it, such as daily-word.",
)
@click.option(
    "--depth",
    type=Choice(DEPTHS),
    default="reasons",
    help="verdict: whether codes are left; reasons: why not; review: skill and luck too.",
)
@options.executor
@click.option("--plots", type=OutputFolder(), hidden=True, help="The older name of -o DIR.")
@options.weights
@options.as_json
def command(
    logs: tuple[str, ...],
    *,
    output: tuple[str, ...],
    game: Game | None,
    depth: str,
    processes: int,
    dask: str | None,
    plots: str | None,
    weights: str | None,
    as_json: bool,
) -> None:
    """Judge every game of logs: verdict, wrong row, codes left, skill and luck.

    LOGS are files of JSON lines, CSV, Parquet, Arrow or grids that players share, or folders of
    board files. A table has a column `board`, or one row per guess with columns such as
    id,turn,guess,black,white. Writes one record per game to OUTPUT, lists what cannot be read in
    OUTPUT.rejected.jsonl, and prints a summary. Rerun the command to resume an interrupted audit.
    """
    files = [place for place in output if os.path.splitext(place)[1]]
    folders = [check_folder(place) for place in (*output, plots) if place and place not in files]
    if len(files) != 1:
        refuse("--output", "one file for the records", ", ".join(files))
    records = files[0]
    job: Job[Summary | None] = Job(None, "judging games")
    try:
        with open_executor(processes, dask) as executor:
            summary = job.run(
                lambda: mmsat.audit(
                    logs,
                    records,
                    game=game,
                    depth=depth,
                    weights=options.weights_text(weights),
                    executor=executor,
                    on_progress=lambda done, share: job.progress.tell(
                        f"{quantity(done, 'game')} judged", share
                    ),
                )
            )
    except InputError:
        raise
    except (MmsatError, OSError):
        print_resume_hint(records)
        raise
    if summary is None:
        print_resume_hint(records)
        leave_early(job.code)
    for folder in folders:
        for path in draw(summary, folder):
            say(os.fspath(path))
    print_result(summary, as_json=as_json)


def print_resume_hint(output: str) -> None:
    """Print how to resume an interrupted audit."""
    if os.path.exists(f"{output}.part"):
        say(f"what is done is in {output}.part; the same command goes on")
