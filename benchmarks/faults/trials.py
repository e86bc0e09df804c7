"""Single trials: a fault at a place chosen by the seed, and the properties that hold afterwards."""

from __future__ import annotations

import fcntl
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.faults.jobs import JOBS, RUN, WRITERS, Job, read_output
from benchmarks.faults.processes import family, left, spent

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 600
"""Seconds after which a run hangs."""
MOST_SAID = 1 << 20
"""Bytes that a run may print before it is read."""
LOOK = 0.01
"""Seconds between two looks at a run: more of them cost as much as what runs."""
ROOT = Path(__file__).parents[2]
RACED = "sat-9-inconsistent", "six-colors-14-consistent"
"""Boards of instances/hard that two solvers race for."""
ERROR = "Error: "
PART = ".part"
"""The end of the name that a file has for an instant, as it takes the place of another."""


class BrokenError(Exception):
    """A property does not hold."""


class Whole(NamedTuple):
    """A run that nobody disturbs."""

    told: dict[str, object]
    seconds: float
    """Of the processor."""
    most: int
    """Bytes of its largest file."""


class Running:
    """A command that runs in a folder and in its own session."""

    def __init__(self, command: list[str], folder: Path, *limits: tuple[int, int]) -> None:
        """Start it; a limit is a resource and how much of it there is."""

        def hold() -> None:
            for name, most in limits:
                resource.setrlimit(name, (most, most))

        reader, writer = os.pipe()  # a file would be full as well
        fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, MOST_SAID)
        self.errors = os.fdopen(reader, "rb")
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=writer,
            start_new_session=True,
            preexec_fn=hold,  # noqa: PLW1509  (this process has one thread)
        )
        os.close(writer)

    def until(self, is_due: Callable[[int], bool]) -> bool:
        """Wait until something is due; False where the process ends before."""
        while os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if is_due(self.process.pid):
                return True
            sleep(LOOK)
        return False

    def end(self, by: int = 0) -> tuple[int, str]:
        """Return the exit code and the output. No process may remain."""
        if by:
            self.process.send_signal(by)
        self.process.wait(LONGEST)
        with self.errors:
            if orphans := left(self.process.pid):
                raise BrokenError(f"processes are left: {orphans}")
            errors = self.errors.read().decode()
        if "Traceback" in errors:
            raise BrokenError(errors)
        return self.process.returncode, errors


def prepare(job: Job, folder: Path) -> None:
    """Create an empty folder with the input files of the job."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if job.reads is not None:
        Running([sys.executable, "-c", RUN, *job.reads[1]], folder).end()


@lru_cache
def whole(job: Job) -> Whole:
    """Return the output of an undisturbed run."""
    with TemporaryDirectory() as name:
        folder, used = Path(name) / "folder", 0.0
        prepare(job, folder)

        def look(pid: int) -> bool:
            nonlocal used
            used = max(used, spent(pid))
            return False

        running = Running(job.command, folder)
        running.until(look)
        code, errors = running.end()
        if code != job.code:
            raise BrokenError(f"undisturbed, {job.name} ends with {code}: {errors}")
        sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
        return Whole(job.told(folder), used, max(sizes))


def check_files(job: Job, folder: Path, *, is_killed: bool = False) -> None:
    """Check that the folder contains only complete files and resumable files.

    After a kill there may be one more complete file that was about to replace another one.
    """
    wanted = whole(job).told
    for path in folder.rglob("*"):
        place = path
        if path.name.startswith("."):
            place = path.with_name(path.name[1:].removesuffix(PART))
            if not is_killed or path.suffix != PART or not place.exists():
                raise BrokenError(f"{path.name} is left behind")
        name = str(place.relative_to(folder))
        if name in wanted and name not in job.grows and read_output(path, name) != wanted[name]:
            raise BrokenError(f"{name} is half written")


def finish(job: Job, folder: Path) -> None:
    """Run the same command again so that it resumes with the same files."""
    code, errors = Running(job.command, folder).end()
    if code != job.code:
        raise BrokenError(f"ends with {code}: {errors}")
    if job.told(folder) != whole(job).told:
        raise BrokenError("other files than undisturbed")
    check_files(job, folder)


def kill(name: str, rng: random.Random, folder: Path) -> str:
    """Kill the job at a random point or during a write; existing files must be resumable.

    The folder of the last kill is used again: the same command is killed until it is done. In one
    of four trials, it is allowed to finish.
    """
    job = next(job for job in JOBS if job.name == name)
    if not folder.exists():
        prepare(job, folder)
    due, is_at_a_file = rng.random() * whole(job).seconds, rng.random() < 0.5
    goes_on = rng.random() < 0.25
    before = _state(folder)

    def is_due(pid: int) -> bool:
        return _state(folder) != before if is_at_a_file else spent(pid) >= due

    running = Running(job.command, folder)
    was_running = running.until(is_due)
    code, errors = running.end(signal.SIGKILL)
    is_killed = was_running and code == -signal.SIGKILL
    check_files(job, folder, is_killed=is_killed)
    is_amid = any(path.name.startswith(".") for path in folder.rglob("*"))
    text = "killed as a file took the place of another" if is_amid else "killed"
    if is_killed and not goes_on:
        return text
    if is_killed:
        finish(job, folder)
    elif code != job.code:
        raise BrokenError(f"ends with {code}: {errors}")
    elif job.told(folder) != whole(job).told:
        raise BrokenError("other files than undisturbed")
    shutil.rmtree(folder)
    return f"{text}, then done" if is_killed else "done"


def _state(folder: Path) -> list[tuple[str, int]]:
    with suppress(OSError):
        return [(path.name, path.stat().st_mtime_ns) for path in (folder, *folder.iterdir())]
    return []


NO_THREAD_DATA = "cannot allocate memory for thread-local data: ABORT\n"
"""The message of the C library if it ends a process (code 127) while a library is loaded."""


def one_line(code: int, errors: str, *words: str) -> None:
    """Check for exit code 1 and one error line; earlier notes are ignored."""
    lines = [line for line in errors.splitlines() if ERROR in line or (words and words[0] in line)]
    is_told = len(lines) == 1 and all(word in lines[0] for word in words)
    if code != 1 or not is_told or "which is a bug" in errors:
        raise BrokenError(f"ends with {code}, {words} expected: {errors}")


def full(name: str, rng: random.Random, folder: Path) -> str:
    """Run with a disk that is full after some bytes. With free space, the same command resumes."""
    job = next(job for job in WRITERS if job.name == name)
    prepare(job, folder)
    room = rng.randrange(whole(job).most)
    code, errors = Running(job.command, folder, (resource.RLIMIT_FSIZE, room)).end()
    check_files(job, folder)
    if code != job.code or ERROR in errors:
        one_line(code, errors, "File too large")
    finish(job, folder)
    return "told" if code == 1 else "done"


def read_only(name: str, rng: random.Random, folder: Path) -> str:
    """Write to a place where even root cannot write, or below a regular file."""
    job = next(job for job in WRITERS if job.name == name)
    prepare(job, folder)
    place = rng.choice(("/sys", "/dev/null"))
    files = {*job.writes, *job.grows}
    words = [f"{place}/{word}" if word in files else word for word in job.words]
    words = [f"{place}/study" if word in {"study", "."} else word for word in words]
    code, errors = Running([sys.executable, "-c", RUN, *words], folder).end()
    if code not in {1, 2} or ERROR not in errors or "which is a bug" in errors:
        raise BrokenError(f"ends with {code}: {errors}")
    check_files(job, folder)
    return "told"


def starve(name: str, rng: random.Random, folder: Path) -> str:
    """A tenth of the memory that is needed, or more, up to all."""
    job = next(job for job in WRITERS if job.name == name)
    prepare(job, folder)
    job = job._replace(prelude="")  # it imports modules before the command can report a fault
    bytes_ = int(rng.uniform(16, 160)) << 20
    code, errors = Running(job.command, folder, (resource.RLIMIT_AS, bytes_)).end()
    check_files(job, folder)
    is_ended_by_libc = (code, errors) == (127, NO_THREAD_DATA)
    if code != job.code and not is_ended_by_libc:
        one_line(code, errors, "emory")
    finish(job, folder)
    return "done" if code == job.code else "told"


def lose_racer(name: str, rng: random.Random, folder: Path) -> str:
    """Kill -9 of some process that works, at some instant: the right answer, or a clear word."""
    folder.mkdir(parents=True, exist_ok=True)
    board, verdict = ROOT / "instances" / "hard" / f"{name}.txt", name.rpartition("-")[2]
    due, chosen = rng.uniform(0.1, 0.7), rng.random()

    def is_due(pid: int) -> bool:
        return spent(pid) >= due and len(family(pid)) > 1

    running = Running([sys.executable, "-c", RUN, "check", str(board), "--reason", "0"], folder)
    killed = 0
    if running.until(is_due):
        workers = family(running.process.pid)[1:]
        if workers:
            with suppress(ProcessLookupError):
                os.kill(workers[int(chosen * len(workers))], signal.SIGKILL)
                killed = 1
    code, errors = running.end()
    if code != {"consistent": 10, "inconsistent": 20}[verdict]:
        one_line(code, errors, "killed")
        return "told"
    return "answered" if killed else "done"


BREAK = (
    "import random; from mmsat.{module} import {loader} as load; library = load(); "
    "rng = random.Random({seed}); real = library.{owner}.{method}; name = library.__name__; "
    "names = dict(__name__=name, real=real, rng=rng); "
    'exec(\'def call(*words, **more):\\n if rng.random() < {chance}: raise RuntimeError("boom")\\n'
    " return real(*words, **more)', names); "
    "library.{owner}.{method} = names['call']"
)
LIBRARIES = {
    "pysat": {
        "module": "solving.sat",
        "loader": "pysat",
        "owner": "Solver",
        "method": "solve_limited",
    },
    "ortools": {
        "module": "encoding.integer_models",
        "loader": "cp_model",
        "owner": "CpSolver",
        "method": "solve",
    },
}


def fail_library(name: str, rng: random.Random, folder: Path) -> str:
    """A library that raises at some calls: the other racer answers, or the library is named."""
    folder.mkdir(parents=True, exist_ok=True)
    prelude = BREAK.format(seed=rng.randrange(1000), chance=rng.choice((0.3, 1)), **LIBRARIES[name])
    board = rng.choice(RACED)
    words = "check", str(ROOT / "instances" / "hard" / f"{board}.txt"), "--reason", "0"
    engine = rng.choice(("auto", "cp" if name == "ortools" else "auto"))
    command = [sys.executable, "-c", f"{prelude}; {RUN}", *words, "--engine", engine]
    code, errors = Running(command, folder).end()
    if code == {"consistent": 10, "inconsistent": 20}[board.rpartition("-")[2]]:
        return "answered"
    one_line(code, errors, f"the library {name} failed")
    return "told"


SIGNALS = {"end": 0, "Ctrl-C": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGKILL": signal.SIGKILL}


def orphan(name: str, rng: random.Random, folder: Path) -> str:
    """The end of a command while its processes work, in each way: none of them is left."""
    folder.mkdir(parents=True, exist_ok=True)
    words = rng.choice(
        (
            ("check", str(ROOT / "instances/hard/six-colors-28-consistent.txt"), "--timeout", "3"),
            ("generate", "--games", "400", "--jobs", "2"),
            ("count", str(ROOT / "instances/hard/six-colors-28-consistent.txt"), "--timeout", "3"),
        )
    )
    due = rng.uniform(0.05, 0.8)
    running = Running([sys.executable, "-c", RUN, *words], folder)
    with_others = running.until(lambda pid: spent(pid) >= due and len(family(pid)) > 1)
    running.end(SIGNALS[name] if with_others else 0)
    return "with children" if with_others else "alone"


TRIALS: dict[str, tuple[Callable[[str, random.Random, Path], str], tuple[str, ...]]] = {
    "kill": (kill, tuple(job.name for job in JOBS)),
    "full": (full, tuple(job.name for job in WRITERS)),
    "read-only": (read_only, tuple(job.name for job in WRITERS if job.name != "explain")),
    "starve": (starve, tuple(job.name for job in WRITERS)),
    "racer": (lose_racer, RACED),
    "library": (fail_library, tuple(LIBRARIES)),
    "orphan": (orphan, tuple(SIGNALS)),
}
