"""mmsat bench."""

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
    """Names of families with commas between them."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Each of them."""
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
@click.option("--part", type=Choice(tuple(PARTS)), help="Run one of the two parts only.")
@click.option(
    "--families",
    type=FamilyList(),
    default=(),
    help="Measure these families (A,B,C); else all.",
)
@click.option(
    "--timeout",
    "seconds",
    cls=options.Option,
    formerly=("--seconds",),
    type=Number(1, 10_000),
    default=1,
    help="Stop each process of auto after N seconds of processor time.",
)
@click.option(
    "--boards",
    type=Number(1, MOST_BOARDS),
    default=BOARDS,
    help="Make N boards of each kind and size.",
)
@options.seed("Number of the first board of each kind and size.", 0, MOST_BOARDS - 1)
@click.option("--most", type=Number(1), help="Make boards of sizes up to N.")
@click.option("--paper", is_flag=True, help="Measure nothing; write what is there as a paper.")
@options.executor
@click.option(
    "-o",
    "--output",
    type=OutputFolder(),
    default="hardness",
    help="Write the record, figures and paper into DIR.",
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
    """Measure how hard boards are, and write it down as a paper.

    transition: random and planted boards at growing numbers of rows, by solvers that share nothing.
    growth: every family at growing sizes, until auto does not decide most boards in time, and
    whether linear algebra refutes them.

    The record, boards.jsonl, is written chunk by chunk; what is in it is not measured again, so a
    study that was interrupted goes on. paper.html is a page of two columns that prints on A4. More
    processes find the same verdicts and steps; only seconds are those of a busier machine.
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
        found = find_all(record)
        figures = draw_figures(found)
        again = shlex.join(["mmsat", "bench", study, "-o", output])
        texts = {f"{name}.svg": text for name, text in figures.items()}
        texts[PAPER] = write_paper(record, found, figures, again)
        for name, text in texts.items():
            atomic_write(folder / name, [text])
        for path in (record.path, *map(folder.joinpath, texts)):
            click.echo(str(path))
    if job.code:
        say("interrupted; the same command goes on from here")
    leave(job.code)
