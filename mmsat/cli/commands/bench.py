"""The command `mmsat bench`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mmsat.cli import options
from mmsat.cli.commands.generate import FAMILY
from mmsat.cli.exit_codes import leave
from mmsat.cli.output import say
from mmsat.cli.parameters import Choice, Number, OutputFolder
from mmsat.cli.progress import Job
from mmsat.files import atomic_write
from mmsat.render.paper import draw_figures, write_paper
from mmsat.studies.findings import find_all
from mmsat.studies.point import MOST_BOARDS
from mmsat.studies.record import NAME, Record
from mmsat.studies.study import BOARDS, Request, study_growth, study_transition
from mmsat.tasks import open_executor

if TYPE_CHECKING:
    from concurrent.futures import Executor

PARTS = {"transition": study_transition, "growth": study_growth}
PAPER = "paper.html"


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
    "bench",
    "mmsat bench hardness --families permanent --boards 4 --most 10 -o study",
    "mmsat bench hardness --part transition --boards 2 --most 8 -o study",
)
@click.argument("study", type=Choice(("hardness",)))
@click.option("--part", type=Choice(tuple(PARTS)), help="Run only one of the two parts.")
@click.option(
    "--families",
    type=FamilyList(),
    default=(),
    help="Measure only these families (A,B,C).",
)
@click.option(
    "--timeout",
    "seconds",
    cls=options.Option,
    formerly=("--seconds",),
    type=Number(1, 10_000),
    default=1,
    help="Stop each process of auto after N seconds of CPU time.",
)
@click.option(
    "--boards",
    type=Number(1, MOST_BOARDS),
    default=BOARDS,
    help="Make N boards of each kind and size.",
)
@options.seed("Number of the first board of each kind and size.", 0, MOST_BOARDS - 1)
@click.option("--most", type=Number(1), help="Make boards of sizes up to N.")
@click.option(
    "--paper", is_flag=True, help="Measure nothing; write the report from the existing record."
)
@options.executor
@click.option(
    "-o",
    "--output",
    type=OutputFolder(),
    default="hardness",
    help="Write the record, the figures and the report into DIR.",
)
def command(
    study: str,
    *,
    part: str | None,
    families: tuple[str, ...],
    seconds: int,
    boards: int,
    seed: int,
    most: int | None,
    paper: bool,
    processes: int,
    dask: str | None,
    output: str,
) -> None:
    """Measure how hard boards are, and write a report in HTML.

    transition: random and planted boards with growing numbers of rows, decided by independent
    solvers. growth: every family at growing sizes, until auto fails to decide most boards in time;
    also measures whether linear algebra refutes them.

    The record, boards.jsonl, is written in chunks. A board that is in it is not measured again, so
    the same command resumes an interrupted study. paper.html has two columns and prints on A4. With
    more processes the verdicts and the numbers of steps stay the same; only the times change.
    """
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    record = Record(folder / NAME)
    request = Request(families, boards, seed, seconds, most)
    job: Job[None] = Job(None, "measuring")

    def measure(executor: Executor | None) -> None:
        for name, run in PARTS.items():
            if part in {None, name}:
                run(record, request, executor, job.progress.tell)

    if not paper:
        with open_executor(processes, dask) as executor:
            job.run(lambda: measure(executor))
    if record.chunks:
        findings = find_all(record)
        figures = draw_figures(findings)
        rerun = shlex.join(["mmsat", "bench", study, "-o", output])
        texts = {f"{name}.svg": text for name, text in figures.items()}
        texts[PAPER] = write_paper(record, findings, figures, rerun)
        for name, text in texts.items():
            atomic_write(folder / name, [text])
        for path in (record.path, *map(folder.joinpath, texts)):
            click.echo(str(path))
    if job.code:
        say("interrupted; the same command goes on from here")
    leave(job.code)
