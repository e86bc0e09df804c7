"""What is measured of the boards of a point, wherever the work is done, and where that was."""

import platform
import subprocess
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

import mmsat
from mmsat.board import Board
from mmsat.encoding.ortools import cp_model
from mmsat.errors import InputError, InternalError, MmsatError, SizeError
from mmsat.results.verdict import Status
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import run
from mmsat.solving.sat import pysat
from mmsat.studies.contradictions import is_degenerate, name_refutation
from mmsat.studies.point import Point
from mmsat.studies.solvers import solve

PACKAGES = ("python-sat", "ortools", "numpy")
PATIENCE = 300
"""Seconds on the clock for each of the processor's: a busy machine is nobody's fault."""
MOST_CELLS = {"cp": 10_000, "cadical": 1_500}
"""Pegs times rows up to which solvers are asked: beyond, they mostly write their models."""
STRINGS = ("status", "degenerate")
LETTERS = {Status.CONSISTENT: "c", Status.INCONSISTENT: "i", Status.UNKNOWN: "?"}


def measure(
    point: Point, first: int, many: int, solvers: dict[str, float], seconds: int
) -> dict[str, Any]:
    """Measure some boards of a point, by number: of each thing a list or a string, by board.

    One number stands for as many that are equal.
    `solvers` have budgets. `seconds` of the processor are what `auto` has in each of its processes;
    0 leaves it out. Raises InternalError where two disagree on a board.
    """
    cp_model(), pysat()  # loaded here, so that no board's seconds tell of it
    told: dict[str, Any] = point._asdict() | {"first": first, "boards": many, "on": environment()}
    told["limit"] = seconds
    try:
        lines = [_measure(point, number, solvers, seconds) for number in range(first, first + many)]
    except (InputError, SizeError) as error:  # the family has no boards of the size
        return told | {"boards": 0, "why": str(error)}
    for name in dict.fromkeys(name for line in lines for name in line):
        column = [line.get(name) for line in lines]
        is_same = all(each == column[0] for each in column) and name != "refuted"
        told[name] = (
            "".join(map(str, column)) if name in STRINGS else column[0] if is_same else column
        )
    return told


def _measure(point: Point, number: int, solvers: dict[str, float], seconds: int) -> dict[str, Any]:
    started = process_time()
    made = point.make(number)
    board = made.board
    told: dict[str, Any] = {"pegs": board.game.pegs, "scored": len(board.rows)}
    if point.part == "growth":
        told["made"] = round(process_time() - started, 2)
    found = {made.status}
    if seconds:
        status, told["auto"] = decide_limited(board, seconds)
        told["auto"] = None if status is Status.UNKNOWN else round(told["auto"], 4)
        found.add(status)
    cells = board.game.pegs * len(board.rows)
    for name, budget in solvers.items():
        if cells > MOST_CELLS.get(name, cells):
            continue
        effort = solve(name, board, budget)
        found.add(effort.status)
        is_known = effort.status is not Status.UNKNOWN
        told[f"{name} steps"] = effort.steps if is_known else None
        if effort.branches is not None:
            told[f"{name} branches"] = effort.branches if is_known else None
        told[f"{name} seconds"] = round(effort.seconds, 4)
    found -= {Status.UNKNOWN}
    if len(found) > 1:
        verdicts = ", ".join(sorted(found))
        raise InternalError(f"solvers and construction say {verdicts} of {board}")
    status = found.pop() if found else Status.UNKNOWN
    told["status"] = LETTERS[status]
    if point.part == "transition":
        told["degenerate"] = str(int(point.answer == "any" and is_degenerate(board)))
    elif point.answer != "consistent":
        told["refuted"] = name_refutation(board)
    return told


def decide_limited(board: Board, seconds: int) -> tuple[Status, float]:
    """The verdict of `auto`, and the seconds of the processor that all its processes took.

    Each of them has so many at most.
    """
    try:
        return run(Deadline(seconds * PATIENCE), _decide, board, seconds)
    except (MmsatError, TimeUpError) as error:
        if isinstance(error, InternalError):
            raise
        return Status.UNKNOWN, float(seconds)


def _decide(board: Board, seconds: int) -> tuple[Status, float]:
    import resource  # noqa: PLC0415  (not on Windows)

    started = int(process_time()) + 1
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (started + seconds - 1, most))
    status = find_engine("auto").decide(board, Deadline(seconds * PATIENCE), 0).status
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return status, sum(each.ru_utime + each.ru_stime for each in used)


@lru_cache
def environment() -> dict[str, str]:
    """What the work is done with, and on which machine."""
    found = {"mmsat": mmsat.__version__, "commit": _commit(), "python": platform.python_version()}
    found |= {package: version(package) for package in PACKAGES}
    return found | {"machine": f"{platform.system()} {platform.machine()}", "processor": _cpu()}


def _commit() -> str:
    """The commit that is run, where it is run from a checkout; "+" where files differ from it."""
    try:
        answers = [
            subprocess.run(  # noqa: S603
                ["git", "-C", Path(__file__).parent, *words],  # noqa: S607
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            for words in (("rev-parse", "--short=12", "HEAD"), ("status", "--porcelain", "."))
        ]
    except (OSError, subprocess.CalledProcessError):
        return ""
    return answers[0] + "+" * bool(answers[1])


def _cpu() -> str:
    """The name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
