"""A short fault injection campaign injects all faults, finds planted defects, and resumes."""

from __future__ import annotations

import ast
import random
import re
import sys
from pathlib import Path

import pytest

import mmsat
from benchmarks import faults
from benchmarks.faults import jobs, trials
from benchmarks.faults.jobs import JOBS, WRITERS, Job
from benchmarks.faults.trials import TRIALS, BrokenError
from tests.support import tiers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="faults are done by Linux")
CASES = [(part, case) for part, (_, cases) in TRIALS.items() for case in cases]
CLOCKS = re.compile(
    r"system_clock|high_resolution_clock|_until\b|gettimeofday|clock_gettime|<ctime>|<time\.h>|\btime\("
)
"""What in C++ may read the clock of the day."""
QUICK = [
    ("kill", "generate"),
    ("kill", "proof"),
    ("full", "encode"),
    ("library", "pysat"),
    ("library", "ortools"),
]
KILLS = ("killed", "killed as a file took the place of another")
ENDS = {*KILLS, *(f"{kill}, then done" for kill in KILLS), "done", "told", "answered"}


def run(part, case, seed, folder):
    return TRIALS[part][0](case, random.Random(f"{part} {case} {seed}"), folder / part / case)


@pytest.mark.long
@pytest.mark.parametrize(("part", "case"), QUICK)
def test_what_is_quick(part, case, tmp_path):
    for seed in range(tiers.share(6, least=2)):
        assert run(part, case, seed, tmp_path) in ENDS


@pytest.mark.slow
@pytest.mark.parametrize(("part", "case"), CASES)
def test_each_fault_in_each_case(part, case, tmp_path):
    for seed in range(3):
        run(part, case, seed, tmp_path)


def careless(code):
    """A command that writes its file by some code."""
    return Job("careless", (), ("out.txt",), prelude=f"import os, sys, time; {code}; sys.exit()")


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("f = open('out.txt', 'w'); f.write('x' * 9999); f.flush(); time.sleep(9)", "half written"),
        ("open('.out.txt', 'w').close(); time.sleep(9)", "left behind"),
    ],
)
def test_a_planted_fault_is_found(code, word, tmp_path, monkeypatch):
    job = careless(code)
    monkeypatch.setattr(trials, "JOBS", (job,))
    monkeypatch.setattr(trials, "whole", lambda _: trials.Whole({"out.txt": b"whole"}, 0.0, 5))
    source = random.Random()
    monkeypatch.setattr(source, "random", lambda: 0)
    with pytest.raises(BrokenError, match=word):
        trials.kill("careless", source, tmp_path / "folder")


def test_a_planted_orphan_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.faults.processes.PATIENCE", 0)
    command = [sys.executable, "-c", "import os, time; os.fork() or time.sleep(9)"]
    running = trials.Running(command, tmp_path)
    with pytest.raises(BrokenError, match="processes are left"):
        running.end()


def test_a_campaign_goes_on_and_tells_what_is_broken(tmp_path, monkeypatch, capsys):
    done = []

    def trial(case, rng, folder):
        del rng, folder
        done.append(case)
        if case == "bad":
            raise BrokenError("it\nbroke")
        return "told"

    monkeypatch.setattr(faults, "TRIALS", {"some": (trial, ("good", "bad"))})
    for times in (1, 2, 2):
        assert faults.main(["some", "--times", str(times), "-o", str(tmp_path)]) == 1
    assert done == ["good", "bad"] * 2
    output = capsys.readouterr()
    assert "| some | bad | broken 2 |" in output.out
    assert "it\nbroke" in output.err


def test_every_writer_says_what_it_writes():
    assert len({job.name for job in WRITERS}) == len(WRITERS)
    assert {*JOBS} < {*WRITERS}
    assert jobs.BUSY in next(job for job in JOBS if job.name == "optimal").command[2]


def test_no_deadline_is_on_a_clock_that_can_be_set():
    """Neither the package nor the kernel uses `time.time` or today's date.

    Solvers' own time limits are not used either, because OR-Tools uses the adjustable clock.
    """
    package, read = Path(mmsat.__file__).parent, 0
    for path in package.rglob("*.py"):
        read += 1
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in {"time", "datetime"}:
                names = {alias.name for alias in node.names}
                assert names <= {"monotonic", "process_time", "perf_counter", "sleep"}, path
            if isinstance(node, ast.Import):
                assert not {alias.name for alias in node.names} & {"time", "datetime"}, path
            if isinstance(node, ast.Attribute):
                assert node.attr != "max_time_in_seconds", path
    assert read > 180  # fewer than 200 modules, of 68,000 lines
    kernel = [*package.glob("_core/**/*.[chi]pp"), *package.glob("_core/**/*.inc")]
    for path in kernel:
        assert not CLOCKS.search(path.read_text("utf-8")), path
    assert len(kernel) > 30
