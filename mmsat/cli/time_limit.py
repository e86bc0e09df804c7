"""The time limit of a command: its message, and an alarm for work that does not check the time."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from mmsat._util.text import duration

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUESTED = "mmsat.timeout"
"""Key of the requested seconds in the `meta` of the click context."""


class TimeLimitInterrupt(KeyboardInterrupt):
    """The time limit passed. The command ends as after Ctrl-C, and keeps its partial result."""


def requested_seconds() -> float | None:
    """Return the --timeout of the running command in seconds, None without a limit."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(REQUESTED)


def late_message() -> str:
    """Return the message of a command that reached its time limit."""
    seconds = requested_seconds()
    return "not finished in time" if seconds is None else f"not finished within {duration(seconds)}"


@contextmanager
def interrupt_after(seconds: float | None) -> Iterator[None]:
    """Raise TimeLimitInterrupt in the body after a number of seconds; None means no limit.

    Progress.running uses the same signal for its ticks, and calls the handler of this function at
    each tick. Python ignores exceptions in callbacks of the garbage collector and in finalizers; an
    interrupt that was ignored there is raised again.
    """
    if seconds is None:
        yield
        return
    end_time = monotonic() + seconds

    def raise_if_late(*_: Any) -> None:
        if monotonic() >= end_time:
            raise TimeLimitInterrupt

    def retry(ignored: Any) -> None:
        if isinstance(ignored.exc_value, TimeLimitInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
        else:
            previous_hook(ignored)

    previous_hook, sys.unraisablehook = sys.unraisablehook, retry
    previous_handler = signal.signal(signal.SIGALRM, raise_if_late)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)
        sys.unraisablehook = previous_hook
