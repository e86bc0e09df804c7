"""Measure the instances of a suite that `mmsat suite` wrote, and write its description again.

    python -m benchmarks suite DIR [--limit 3600] [--solver "NAME=COMMAND"] ...

`mmsat check` decides each board, within the time limit, and each COMMAND runs with the file of the
instance as its last argument, such as `--solver "MiniSat=minisat -verb=0"`. Without --solver, sat
suites are measured with MiniSat for 60 seconds, because the SAT Competition asks for instances that
MiniSat does not solve in a minute. The processor seconds of all processes of a run are written to
DIR/times.csv, with `>` if there was no answer. Runs that are in the file are not repeated. Every
answer must agree with the verdict in the index.
"""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.timing import cpu_clock
from mmsat.studies.suites import (
    INDEX_FILE,
    INSTANCES,
    REQUEST_FILE,
    TIMES_FILE,
    Suite,
    SuiteRequest,
    read_index,
    read_times,
    write_texts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.studies.suites import SuiteInstanceJson

MINISAT = "MiniSat=minisat -verb=0 -cpu-lim=66"
OURS = "mmsat"
VERDICTS = {10: "consistent", 20: "inconsistent"}
"""The verdict by the exit code of a SAT solver."""


class Solver(NamedTuple):
    """A solver of the comparison."""

    name: str
    command: list[str]
    limit: float
    """Time limit of a run in seconds of wall time."""


def main(words: Sequence[str]) -> int:
    """Measure what is missing, and write the description."""
    options = parser().parse_args(words)
    request = json.loads((options.folder / REQUEST_FILE).read_text("utf-8"))
    del request["mmsat"]
    instances = {line["name"]: line for line in read_index(options.folder / INDEX_FILE)}
    suite = Suite(SuiteRequest(**request), options.folder, instances)
    solvers = [
        Solver(name, shlex.split(command), options.limit)
        for name, _, command in (text.partition("=") for text in options.solver)
    ]
    if not solvers and suite.request.competition == "sat":
        name, _, command = MINISAT.partition("=")
        solvers = [Solver(name, shlex.split(command), options.limit)]
    check = [sys.executable, "-m", "mmsat", "check", "--reason", "0", "-"]
    measure(suite, [*solvers, Solver(OURS, check, options.limit)])
    write_texts(suite)
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    created = argparse.ArgumentParser(prog="python -m benchmarks suite", description=__doc__)
    created.add_argument("folder", type=Path, help="the folder of the suite")
    created.add_argument("--limit", type=float, default=3600.0, help="seconds for each run [3600]")
    created.add_argument("--solver", action="append", default=[], help="NAME=COMMAND")
    return created


def measure(suite: Suite, solvers: Sequence[Solver]) -> None:
    """Measure the runs that are missing in the file of times, and add them."""
    file = suite.folder / TIMES_FILE
    times = read_times(file)
    is_new = not file.exists()
    with file.open("a", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        if is_new:
            writer.writerow(("name", "solver", "seconds"))
        for solver in solvers:
            for name, instance in suite.instances.items():
                if name not in times.get(solver.name, {}):
                    seconds = time_run(solver, suite.folder / INSTANCES / name, instance)
                    writer.writerow((name, solver.name, seconds))
                    lines.flush()
                    print(f"{solver.name} {name} {seconds}")


def time_run(solver: Solver, file: Path, instance: SuiteInstanceJson) -> str:
    """Return the processor seconds of a run as text; raise AssertionError for a wrong answer."""
    is_ours = solver.name == OURS
    command = solver.command if is_ours else [*solver.command, str(file)]
    started = cpu_clock()
    try:
        exit_code = subprocess.run(
            command,
            input=instance["board"] if is_ours else None,
            stdout=subprocess.DEVNULL,
            text=True,
            timeout=solver.limit,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return f">{solver.limit:g}"
    seconds = cpu_clock() - started
    verdict = VERDICTS.get(exit_code)
    if verdict and {verdict, instance["verdict"]} == {*VERDICTS.values()}:
        raise AssertionError(f"{solver.name}: {file.name} is {instance['verdict']}, not {verdict}")
    is_answered = verdict or (not is_ours and file.suffix != ".cnf")
    return f"{seconds:.1f}" if is_answered else f">{seconds:.0f}"
