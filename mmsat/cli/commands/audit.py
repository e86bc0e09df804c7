"""The command `mmsat audit`."""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

import mmsat
from mmsat._util.files import is_folder
from mmsat._util.text import duration, quantity
from mmsat.auditing.judge import DEPTHS
from mmsat.auditing.output import open_records
from mmsat.cli import options
from mmsat.cli.output import FAILURE, Job, leave, leave_early, print_message, print_result, say
from mmsat.cli.parameters import Choice, File, OutputFolder, OutputPath, Value, misuse
from mmsat.errors import InputError, MmsatError
from mmsat.render.reports.games import draw_summary, make_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.auditing.summary import Summary
    from mmsat.cli.output import Progress
    from mmsat.game.game import Game


FIRST_LINE_SECONDS = 10.0
"""Time until the first line about the progress, if standard error is not a terminal."""


class ColumnRole(Value[tuple[str, str]]):
    """The role of a column of a table, and its name, as `ROLE=NAME`."""

    name = "role=name"
    expected = "ROLE=NAME, such as guess=attempt"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return the role and the name."""
        role, sign, name = value.partition("=")
        if not sign or not role or not name:
            self.refuse(value, param)
        return role, name


@options.command(
    "audit",
    "mmsat generate --game 4x6 --games 40 --slips 0.1 -o games.jsonl",
    "mmsat audit games.jsonl",
    "mmsat audit games.jsonl -o results.csv",
    "mmsat audit games.jsonl -o results.csv -o plots --depth review",
)
@click.argument("logs", nargs=-1, required=True, type=File())
@click.option(
    "-o",
    "--output",
    type=OutputPath(OutputFolder()),
    multiple=True,
    help="File for the records (.jsonl, .csv, .parquet), or folder for plots.",
)
@click.option(
    "--game",
    type=options.GameName(),
    help="Game of logs that do not name it, such as daily-word.",
)
@click.option(
    "--column",
    "columns",
    type=ColumnRole(),
    multiple=True,
    help="Role of a column that is not recognized, such as guess=attempt.",
)
@click.option(
    "--depth",
    type=Choice(DEPTHS),
    metavar="DEPTH",
    default="reasons",
    help="verdict: whether codes remain; reasons: why none remain; review: also skill and luck.",
)
@options.executor
@options.weights
@options.as_json
def audit_command(
    logs: tuple[str, ...],
    *,
    output: tuple[str, ...],
    game: Game | None,
    columns: tuple[tuple[str, str], ...],
    depth: str,
    jobs: int,
    dask: str | None,
    weights: str | None,
    as_json: bool,
) -> None:
    """Check every game of logs: verdict, wrong row, remaining codes, skill and luck.

    LOGS are files (JSON, JSON Lines, CSV, Parquet, Arrow, text) or folders of board files. A table
    has a column `board`, or one row per guess with columns such as id,turn,guess,black,white. A
    text has result grids that players share, or boards separated by blank lines or headings such as
    Game 2.

    Prints a summary. With -o, also writes one record per game to FILE and lists unreadable games in
    FILE.rejected.jsonl; run the same command again to resume an interrupted audit. Exit code 1 if
    no game could be read.
    """
    repeated = [role for role, number in Counter(role for role, _ in columns).items() if number > 1]
    if repeated:
        misuse(f"--column names several columns for the role {repeated[0]}. Give one.")
    files = [path for path in output if not is_folder(path)]
    folders = [make_folder(path) for path in output if path not in files]
    if len(files) != 1 and output:
        misuse(
            f"--output names {quantity(len(files), 'file')} for the records. "
            "Give exactly one file that ends in .jsonl, .csv or .parquet."
        )
    job: Job[Summary | None] = Job(None, "checking games")
    with ExitStack() as stack:
        records_file = stack.enter_context(open_records(files[0] if files else None))
        executor = stack.enter_context(options.open_workers(jobs, dask))
        try:
            summary = job.run(
                lambda: mmsat.audit(
                    logs,
                    records_file,
                    game=game,
                    columns=dict(columns),
                    depth=depth,
                    weights=options.weights_text(weights),
                    executor=executor,
                    on_progress=report_progress(job.progress),
                )
            )
            rejected_file = f"{records_file}.rejected.jsonl"
            first_fault = "" if summary is None else read_first_fault(rejected_file)
        except InputError:
            raise  # the same command would fail again
        except (MmsatError, OSError):
            print_resume_hint(*files)
            raise
    if summary is None:
        print_resume_hint(*files)
        leave_early(job.code)
    for folder in folders:
        for path in draw_summary(summary, folder):
            say(os.fspath(path))
    print_result(summary, as_json=as_json)
    if first_fault:
        say(first_fault)
        if files:
            say(f"{rejected_file} lists every unreadable record.")
    if not files:
        say("-o records.csv writes one record per game, and lists unreadable games.")
    if summary.rejected and not summary.games:
        leave(FAILURE)


def read_first_fault(file: str) -> str:
    """Return the first fault in a file of unreadable records; "" if it is missing or empty."""
    if not os.path.exists(file) or not os.path.getsize(file):
        return ""
    with open(file, encoding="utf-8") as lines:
        record = json.loads(next(lines))
    return f"The first unreadable record, in {record['source']}: {record['fault']}"


def report_progress(progress: Progress) -> Callable[[int, float], None]:
    """Return a callback that reports the number of games, and the fraction of all bytes read.

    Without a progress line on a terminal, it prints a line with an estimate of the remaining time,
    after FIRST_LINE_SECONDS and then whenever the elapsed time has doubled.
    """
    next_line = FIRST_LINE_SECONDS

    def report(done: int, share: float) -> None:
        nonlocal next_line
        message = f"{quantity(done, 'game')} checked"
        progress.report(message, share)
        seconds = progress.seconds
        if seconds >= next_line and 0 < share < 1 and not progress.is_shown:
            next_line = 2 * seconds
            remaining = duration(round(seconds * (1 - share) / share))
            say(f"{message} in {duration(round(seconds))}; about {remaining} to go")

    return report


def print_resume_hint(*outputs: str) -> None:
    """Print how to resume an interrupted audit that writes records."""
    for output in outputs:
        if os.path.exists(f"{output}.part"):
            print_message(
                f"The results so far are in {output}.part. Run the same command again to resume."
            )
