"""The commands for experiments with hard boards: `mmsat study` and `suite`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click

from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.commands.generate import FAMILY
from mmsat.cli.output import (
    FAILURE,
    Job,
    leave,
    leave_early,
    print_json,
    print_message,
    say,
    time_limit_message,
)
from mmsat.cli.parameters import Choice, Name, Number, OutputFolder, misuse, refuse_combination
from mmsat.render.paper import draw_figures, write_paper
from mmsat.solving.encode import COMPETITIONS
from mmsat.studies import MAX_BOARDS, RECORD_NAME, Record
from mmsat.studies.findings import find_all
from mmsat.studies.study import (
    BOARDS,
    Request,
    require_boards,
    study_cross_check,
    study_growth,
    study_transition,
)
from mmsat.studies.suites import PLANS, SuiteInstanceJson, SuiteRequest, open_suite, write_suite

if TYPE_CHECKING:
    from concurrent.futures import Executor


STUDY_PARTS = {
    "transition": study_transition,
    "cross-check": study_cross_check,
    "growth": study_growth,
}
"""The parts of the study, in the order in which they run."""
REPORT_FILE = "paper.html"
"""The name of the report in the output folder."""


class FamilyList(click.ParamType[tuple[str, ...]]):
    """Comma-separated names of families."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names; raise InputError for unknown ones."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in str(value).split(",")]
        return tuple(FAMILY.convert(word, param, ctx) for word in words if word)


@options.command(
    "study",
    "mmsat study hardness --families permanent --count 4 --max-size 10 -o study",
    "mmsat study hardness --part transition --count 2 --max-size 8 -o study",
)
@click.argument("study", type=Choice(("hardness",)))
@click.option("--part", type=Choice(tuple(STUDY_PARTS)), help="Run only one of the parts.")
@click.option("--families", type=FamilyList(), default=(), help="Measure only the families A,B,C.")
@click.option(
    "--solver-timeout",
    "seconds",
    type=Number(1, 10_000),
    default=1,
    help="CPU time limit in seconds of each solver process of auto.",
)
@options.count(BOARDS, "boards of each kind and size", MAX_BOARDS)
@options.seed(0, "Number of the first board of each kind and size.", MAX_BOARDS - 1)
@click.option("--max-size", type=Number(1), help="Maximum size of the boards.")
@click.option(
    "--paper", is_flag=True, help="Measure nothing; write the report from the existing record."
)
@click.option(
    "--restart", is_flag=True, help="First discard the recorded measurements of the parts."
)
@options.executor
@click.option(
    "-o",
    "--output",
    type=OutputFolder(),
    default="hardness",
    help="Write the record, the figures and the report into DIR.",
)
def study_command(
    study: str,
    *,
    part: str | None,
    families: tuple[str, ...],
    seconds: int,
    count: int,
    seed: int,
    max_size: int | None,
    paper: bool,
    restart: bool,
    jobs: int,
    dask: str | None,
    output: str,
) -> None:
    """Measure how hard boards are, and write a report in HTML.

    Part `transition`: random and planted boards around the predicted threshold. Part `cross-check`:
    CP-SAT on some boards that only the lattice decided. Part `growth`: every family at growing
    sizes, until auto decides at most half of the boards in time.

    The record boards.jsonl is written in chunks: the same command, without --restart, resumes an
    interrupted study. Numbers of steps depend on the version of the code, so different versions are
    not mixed in a part. The report, paper.html, prints on A4.
    """
    folder = Path(output)
    record = Record(folder / RECORD_NAME)
    request = Request(families, count, seed, seconds, max_size)
    selected = [part] if part else [*STUDY_PARTS]
    if not paper:
        require_boards(request, selected)
    elif not record.chunks:
        misuse(f"--paper requires measurements, and {record.path} has none.")
    folder.mkdir(parents=True, exist_ok=True)
    if restart:
        if paper:
            refuse_combination(
                "--restart", ["--paper"], "--paper reads the record that --restart deletes."
            )
        record.discard(selected)
    job: Job[None] = Job(None, "measuring")

    def measure(executor: Executor | None) -> None:
        for name, run in STUDY_PARTS.items():
            if name in selected:
                run(record, request, executor, job.progress.report)

    if not paper:
        with options.open_workers(jobs, dask) as executor:
            job.run(lambda: measure(executor))
    if record.chunks:
        findings = find_all(record)
        figures = draw_figures(findings)
        rerun = shlex.join(["mmsat", "study", study, "-o", output])
        texts = {f"{name}.svg": text for name, text in figures.items()}
        texts[REPORT_FILE] = write_paper(record, findings, figures, rerun)
        for name, text in texts.items():
            atomic_write(folder / name, [text])
        for path in (record.path, *map(folder.joinpath, texts)):
            click.echo(str(path))
    if job.code:
        reason = time_limit_message() if job.code == FAILURE else "interrupted"
        print_message(f"{reason}. Run the same command again to resume.")
    leave(job.code)


MAX_SCALE = 1000
"""Maximum scale in percent."""


class SuiteJson(TypedDict):
    """A suite that was written."""

    competition: str
    """Kind of solvers, as in --for."""
    folder: str
    instances: list[SuiteInstanceJson]


@options.command(
    "suite",
    "mmsat suite --for sat --count 2 --scale 20 -o suite",
    "mmsat suite --for sat --count 4 --scale 20 -o suite",
    "mmsat suite --for counting --count 3 --scale 40 --seed 7 -o counting --json",
)
@click.option(
    "--for",
    "competition",
    type=Name("competition", lambda: COMPETITIONS),
    metavar="KIND",
    required=True,
    help="sat, pb, maxsat, counting, projected or minizinc.",
)
@click.option(
    "-o", "--output", type=OutputFolder(), required=True, help="New folder, or one to resume."
)
@options.seed(0, "Number of the suite; suites share no boards.", 10**9)
@options.count(len(PLANS["sat"]), "instances", len(PLANS["sat"]))
@click.option(
    "--scale",
    type=Number(1, MAX_SCALE),
    default=100,
    help="Sizes of the boards, in percent of those for competitions.",
)
@click.option(
    "--solver-timeout",
    "seconds",
    type=Number(1, 100_000),
    default=10,
    help="Time in seconds for each verdict, count, optimum or proof.",
)
@options.as_json
def suite_command(
    competition: str,
    *,
    output: str,
    seed: int,
    count: int,
    scale: int,
    seconds: int,
    as_json: bool,
) -> None:
    """Write a suite of instances for a solver competition.

    The folder has the instances in the exact format of the competition (CNF, OPB, WCNF or MiniZinc
    data with its model), an index with verdicts, counts and hashes, proofs of inconsistent
    instances that are found in time, a description in LaTeX, and the license.

    The same command resumes an interrupted suite, and a larger --count extends it. The instances
    depend only on --for, --seed and --scale. `mmsat generate` makes single families.
    """
    request = SuiteRequest(competition, seed, scale)
    suite = open_suite(Path(output), request)
    job: Job[None] = Job(None, "making the first instance")
    report_progress = job.progress.count("instance", "written")
    job.run(lambda: write_suite(suite, count, seconds, report_progress))
    if as_json:
        document: SuiteJson = {
            "competition": competition,
            "folder": output,
            "instances": [*suite.instances.values()],
        }
        print_json(document)
    if job.code:
        leave_early(job.code, f"{time_limit_message()}. Run the same command again to resume.")
    say(f"{output}: {quantity(len(suite.instances), 'instance')}")
