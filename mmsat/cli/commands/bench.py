"""mmsat bench."""

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import click

from mmsat.arguments import LARGEST_SEED
from mmsat.cli import options
from mmsat.cli.commands.generate import FAMILY
from mmsat.cli.exit_codes import leave
from mmsat.cli.output import say
from mmsat.cli.parameters import Choice, Number, OutputFolder, Seconds
from mmsat.cli.progress import Job
from mmsat.generators.generate import FAMILIES
from mmsat.render import plots
from mmsat.studies import growth, transition
from mmsat.studies.table import Table
from mmsat.tasks import open_executor

PARTS = ("growth", "transition")


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
    "mmsat bench hardness --families permanent --timeout 0.2 --steps 2 -o study",
    "mmsat bench hardness --part transition --boards 1 --most 8 -o study",
)
@click.argument("study", type=Choice(("hardness",)))
@click.option("--part", type=Choice(PARTS), help="Run one of the two parts only.")
@click.option(
    "--families",
    "chosen",
    type=FamilyList(),
    help="Measure these families (A,B,C); else all.",
)
@click.option(
    "--timeout",
    "seconds",
    cls=options.Option,
    formerly=("--seconds",),
    type=Seconds(),
    default=5.0,
    help="Stop each solver on each board after N seconds.",
)
@options.seed("Random seed of the first board of each size.", 0, LARGEST_SEED // 2)
@click.option("--steps", type=Number(1), default=12, help="Try up to N sizes of a family.")
@click.option("--boards", type=Number(1), default=40, help="Draw N random boards of each size.")
@click.option("--most", type=Number(1), help="Draw boards of up to N pegs.")
@options.executor
@click.option(
    "-o",
    "--output",
    type=OutputFolder(),
    default="hardness",
    help="Write tables and figures into DIR.",
)
def command(
    study: str,
    *,
    part: str | None,
    chosen: tuple[str, ...] | None,
    seconds: float,
    seed: int,
    steps: int,
    boards: int,
    most: int | None,
    processes: int,
    dask: str | None,
    output: str,
) -> None:
    """Measure how hard boards are, and draw it.

    growth: how time grows with size, family by family, until most boards take too long.
    transition: the share of consistent boards among random ones, and a solver's effort, over the
    rows per peg. Tables are written row by row; what is in them is not measured again, so a study
    that was interrupted goes on. More processes find the same boards and steps; seconds, which are
    taken where the work is done, are then those of a machine with other work to do.
    """
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    job: Job[None] = Job(None)
    settings: dict[str, Any] = {
        "seconds": seconds,
        "seed": seed,
        "on_progress": job.progress.tell,
    }

    def measure(executor: Executor | None) -> None:
        settings["executor"] = executor
        if part != "transition":
            every = chosen or tuple(FAMILIES)
            growth.study(folder, every, steps=steps, **settings)
        if part != "growth":
            sizes = {
                family: tuple(size for size in many if most is None or size <= most)
                for family, many in transition.SIZES.items()
                if chosen is None or family in chosen
            }
            transition.study(folder, boards=boards, sizes=sizes, **settings)

    with open_executor(processes, dask) as executor:
        job.run(lambda: measure(executor))
    for path in draw(folder):
        click.echo(str(path))
    if job.code:
        say("interrupted; the same command goes on from here")
    leave(job.code)


def draw(folder: Path) -> list[Path]:
    """Draw what the tables of a folder hold; the tables and the figures."""
    made: list[Path] = []
    figures: tuple[tuple[Any, Callable[[list[dict[str, str]]], list[Path]]], ...] = (
        (growth, lambda lines: plots.growth_figure(lines, folder, "seconds")),
        (growth, lambda lines: plots.growth_figure(lines, folder, "conflicts")),
        (transition, lambda lines: plots.transition_figure(lines, folder)),
    )
    for study, figure in figures:
        path = folder / study.NAME
        lines = list(Table(path, study.COLUMNS, len(study.KEYS)))
        if lines:
            made += [path] * (path not in made)
            made += figure(lines)
    return made
