"""Measure time and memory of a process tree, and stop it at a limit of either.

Time is wall time, or the total processor time of all processes if that is less. On a quiet machine
the two are equal for one thread; on a busy machine, waiting is not counted. Memory is the sum of
the resident memory of all processes, sampled twenty times per second, or the peak that the process
itself reports, whichever is larger. Memory shared after a fork counts for each process, so the sum
is an upper bound. Linux only.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from select import select
from tempfile import TemporaryFile
from time import monotonic, perf_counter, sleep
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_MIB = 4096
"""Maximum memory of a run in MiB. A run with more is ended."""
BUSY = 4
"""Maximum wall time of a run on a busy machine, as a multiple of the limit."""
LOOK = 0.05
"""Seconds between two measurements of the memory."""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024
ROOT = Path(__file__).parents[2]


class Run(NamedTuple):
    """The result of a run."""

    outcome: str
    """ended, time, memory, or failed."""
    output: str
    """Standard output. It is complete if the process ended."""
    note: str
    """The last line of standard error."""
    seconds: float
    """Wall time of the run, at most the limit; the processor time if that is less."""
    mib: float
    """The maximum memory that was measured."""


def measure(command: Sequence[str], limit: float, most_mib: float = MOST_MIB) -> Run:
    """Run a command, from the root of the checkout, and end it with all its children in time."""
    with TemporaryFile() as out, TemporaryFile() as errors:
        started, spent = perf_counter(), _spent()
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=out, stderr=errors, start_new_session=True
        )
        try:
            outcome, maximum = _watch(process, limit, most_mib)
            seconds = perf_counter() - started
        finally:
            _end(process)  # also processes that the ended process has started
        if outcome == "ended":
            seconds = min(seconds, _spent() - spent)
        texts = [_text(entry) for entry in (out, errors)]
    if outcome == "ended" and process.returncode != 0:
        outcome = "failed"
    lines = texts[1].strip().splitlines() or [""]
    return Run(outcome, texts[0], lines[-1], min(seconds, limit), maximum / 1024)


def _watch(process: subprocess.Popen[bytes], limit: float, most_mib: float) -> tuple[str, int]:
    """Wait for the end of a run; return its outcome, and its maximum memory in KiB."""
    started, maximum = monotonic(), 0
    ended = os.pidfd_open(process.pid)  # reports the end at once, unlike Popen.wait, which polls
    try:
        while (passed := monotonic() - started) < BUSY * limit:
            if (remaining := limit - min(passed, used(process.pid))) <= 0:
                break
            if select([ended], [], [], min(LOOK, remaining))[0]:
                return "ended", maximum
            maximum = max(maximum, sum(resident(entry) for entry in family(process.pid)))
            if maximum > 1024 * most_mib:
                return "memory", maximum
        return "time", maximum
    finally:
        os.close(ended)


def _spent() -> float:
    """Return the processor seconds of all descendants that have been waited for."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def used(leader: int) -> float:
    """Return the processor seconds of a process and all its descendants, ended ones included."""
    ticks = 0
    for pid in family(leader):
        with suppress(FileNotFoundError, ProcessLookupError):
            stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
            ticks += sum(map(int, stat.rpartition(")")[2].split()[11:15]))
    return ticks / TICKS


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all processes of its session.

    MiniZinc starts its solver in a separate process group, so killing the first group is not
    enough. The process itself is waited for last, so that its number is not reused in the meantime.
    """
    while members := session(process.pid):
        for pid in members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        sleep(0.001)
    process.wait()


def session(leader: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    results = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            # The name of the program comes first, in parentheses, and may hold anything.
            words = (place / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(words[3]) == leader and words[0] not in "ZX":
                results.append(int(place.name))
    return results


def family(parent: int) -> list[int]:
    """Return a process and all its descendants."""
    try:
        threads = [*Path(f"/proc/{parent}/task").iterdir()]
        words = [(thread / "children").read_text(encoding="ascii").split() for thread in threads]
    except (FileNotFoundError, ProcessLookupError):
        return [parent]
    return [parent, *(pid for word in words for child in word for pid in family(int(child)))]


def resident(pid: int) -> int:
    """Return the current memory of a process in KiB; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_KIB
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
