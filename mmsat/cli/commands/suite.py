"""The command `mmsat suite`."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

import click

from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.output import Job, late_message, leave_early, print_json, say
from mmsat.cli.parameters import Name, Number, OutputFolder
from mmsat.solving.encode import COMPETITIONS
from mmsat.studies.suites import PLANS, SuiteInstanceJson, SuiteRequest, open_suite, write_suite

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
    help="sat, pb, maxsat, counting or minizinc.",
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
        leave_early(job.code, f"{late_message()}. Run the same command again to resume.")
    say(f"{output}: {quantity(len(suite.instances), 'instance')}")
