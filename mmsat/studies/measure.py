"""Measurements of the boards of a point, and the environment in which they were made."""

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
WALL_SECONDS_PER_CPU_SECOND = 300
"""Seconds of wall-clock time allowed per second of CPU time, because the machine may be busy."""
MAX_CELLS = {"cp": 10_000, "cadical": 1_500}
"""Maximum of pegs times rows for each solver: above, most of its time goes into the model."""
STRING_QUANTITIES = ("status", "degenerate")
"""Quantities that are stored as a string with one character per board."""
LETTERS = {Status.CONSISTENT: "c", Status.INCONSISTENT: "i", Status.UNKNOWN: "?"}


def measure(
    point: Point, first: int, count: int, solvers: dict[str, float], seconds: int
) -> dict[str, Any]:
    """Measure `count` boards of a point from board number `first`, and return a chunk of a record.

    Each quantity is a list or a string with one item per board, or a single value if all boards
    have the same one. `solvers` gives the budget of each solver. `seconds` limits the CPU time of
    each process of `auto`; with 0, `auto` is not run. Raises InternalError if two solvers disagree
    on a board.
    """
    cp_model(), pysat()  # loaded here, so that no board's time includes it
    chunk: dict[str, Any] = point._asdict() | {"first": first, "boards": count, "on": environment()}
    chunk["limit"] = seconds
    try:
        lines = [
            _measure(point, number, solvers, seconds) for number in range(first, first + count)
        ]
    except (InputError, SizeError) as error:  # the family has no boards of this size
        return chunk | {"boards": 0, "why": str(error)}
    for name in dict.fromkeys(name for line in lines for name in line):
        column = [line.get(name) for line in lines]
        is_same = all(value == column[0] for value in column) and name != "refuted"
        if name in STRING_QUANTITIES:
            chunk[name] = "".join(map(str, column))
        else:
            chunk[name] = column[0] if is_same else column
    return chunk


def _measure(point: Point, number: int, solvers: dict[str, float], seconds: int) -> dict[str, Any]:
    started = process_time()
    generated = point.make(number)
    board = generated.board
    measured: dict[str, Any] = {"pegs": board.game.pegs, "scored": len(board.rows)}
    if point.part == "growth":
        measured["made"] = round(process_time() - started, 2)
    statuses = {generated.status}
    if seconds:
        status, measured["auto"] = decide_limited(board, seconds)
        measured["auto"] = None if status is Status.UNKNOWN else round(measured["auto"], 4)
        statuses.add(status)
    cells = board.game.pegs * len(board.rows)
    for name, budget in solvers.items():
        if cells > MAX_CELLS.get(name, cells):
            continue
        effort = solve(name, board, budget)
        statuses.add(effort.status)
        is_decided = effort.status is not Status.UNKNOWN
        measured[f"{name} steps"] = effort.steps if is_decided else None
        if effort.branches is not None:
            measured[f"{name} branches"] = effort.branches if is_decided else None
        measured[f"{name} seconds"] = round(effort.seconds, 4)
    statuses -= {Status.UNKNOWN}
    if len(statuses) > 1:
        verdicts = ", ".join(sorted(statuses))
        raise InternalError(f"solvers and construction disagree, {verdicts}: {board}")
    status = statuses.pop() if statuses else Status.UNKNOWN
    measured["status"] = LETTERS[status]
    if point.part == "transition":
        measured["degenerate"] = str(int(point.answer == "any" and is_degenerate(board)))
    elif point.answer != "consistent":
        measured["refuted"] = name_refutation(board)
    return measured


def decide_limited(board: Board, seconds: int) -> tuple[Status, float]:
    """Return the verdict of `auto` and the CPU time, in seconds, of all its processes.

    `seconds` limits the CPU time of each process.
    """
    try:
        return run(Deadline(seconds * WALL_SECONDS_PER_CPU_SECOND), _decide, board, seconds)
    except (MmsatError, TimeUpError) as error:
        if isinstance(error, InternalError):
            raise
        return Status.UNKNOWN, float(seconds)


def _decide(board: Board, seconds: int) -> tuple[Status, float]:
    import resource

    started = int(process_time()) + 1
    _, hard_limit = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (started + seconds - 1, hard_limit))
    deadline = Deadline(seconds * WALL_SECONDS_PER_CPU_SECOND)
    status = find_engine("auto").decide(board, deadline, 0).status
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return status, sum(usage.ru_utime + usage.ru_stime for usage in used)


@lru_cache
def environment() -> dict[str, str]:
    """Return the versions of the software and the type of the machine."""
    versions = {
        "mmsat": mmsat.__version__,
        "commit": _commit(),
        "python": platform.python_version(),
    }
    versions |= {package: version(package) for package in PACKAGES}
    return versions | {"machine": f"{platform.system()} {platform.machine()}", "processor": _cpu()}


def _commit() -> str:
    """Return the commit of the checkout, with "+" if files differ from it, else ""."""
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
    """Return the name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
