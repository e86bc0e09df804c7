"""Timing of whole processes and of calls, which are measured in turn in one run."""

from __future__ import annotations

import subprocess
import sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def seconds(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Return the duration of one call, in wall time or in process time."""
    started = clock()
    work()
    return clock() - started


def cpu_clock() -> float:
    """Return the CPU seconds of this process and of all processes that it has waited for."""
    usages = map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def process(*arguments: str) -> Callable[[], object]:
    """Return a function that runs this Python with some arguments; its exit code is ignored."""
    command = [sys.executable, *arguments]
    return lambda: subprocess.run(command, capture_output=True, check=False)


def in_turn(
    works: Sequence[Callable[[], object]], rounds: int, clock: Callable[[], float] = perf_counter
) -> list[float]:
    """Return the median time of each function. They are called in turn, so drift affects all."""
    for work in works:
        work()  # warm-up
    times = [[seconds(work, clock) for work in works] for _ in range(rounds)]
    return [median(column) for column in zip(*times, strict=True)]


def report(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Print a titled table of two columns."""
    width = max(len(name) for name, _ in rows)
    print(f"\n{title}")
    for name, value in rows:
        print(f"  {name:<{width}}  {value}")
