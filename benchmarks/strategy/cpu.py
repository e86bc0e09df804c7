"""Processor time of a call; on a busy machine the minimum of several runs is most reliable."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def quickest(work: Callable[[], object], rounds: int) -> float:
    """Return the minimum processor time in seconds of several calls after a warm-up call."""
    times = []
    work()
    for _ in range(rounds):
        started = process_time()
        work()
        times.append(process_time() - started)
    return min(times)
