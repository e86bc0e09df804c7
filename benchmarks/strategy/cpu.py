"""Processor time of a call: on a busy machine the quickest of some runs tells most."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def quickest(work: Callable[[], object], rounds: int) -> float:
    """The least processor time, in seconds, of so many calls after one that warms up."""
    times = []
    work()
    for _ in range(rounds):
        started = process_time()
        work()
        times.append(process_time() - started)
    return min(times)
