"""Long jobs: a progress line, Ctrl-C that keeps the partial result, and a memory limit.

The progress line is shown on terminals only. The operating system enforces the memory limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mmsat._util.text import quantity
from mmsat.cli.output import (
    FAILURE,
    INTERRUPTED,
    SUCCESS,
    TimeLimitInterrupt,
    is_quiet,
    requested_seconds,
)
from mmsat.render.terminal import terminal_width

if TYPE_CHECKING:
    import click

MIN_PROGRAM_BYTES = 128 << 20
"""Minimum number of bytes for the program and its libraries, in addition to the requested limit."""


def limit_memory(ctx: click.Context, _: click.Parameter, value: int) -> int:
    """Limit the memory for data of this process and of its child processes until the command ends.

    This is the callback of --memory; `value` is the limit in bytes. The limit is set on Linux only.
    """
    if sys.platform == "linux":
        import resource

        soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_DATA)
        new_limit = value + max(MIN_PROGRAM_BYTES, 2 * data_bytes())
        new_limit = (
            new_limit if hard_limit == resource.RLIM_INFINITY else min(new_limit, hard_limit)
        )
        resource.setrlimit(resource.RLIMIT_DATA, (new_limit, hard_limit))
        # restored by the root context, because the context of a wrong command line is not closed
        limits = (soft_limit, hard_limit)
        ctx.find_root().call_on_close(lambda: resource.setrlimit(resource.RLIMIT_DATA, limits))
    return value


def data_bytes() -> int:
    """Return the number of bytes of data of this process, as reported by Linux.

    It is large if the command is called inside a large process.
    """
    with open("/proc/self/status", encoding="ascii") as status:
        (size,) = (line.split()[1] for line in status if line.startswith("VmData:"))
    return int(size) << 10


T = TypeVar("T")
UPDATE_SECONDS = 0.2
"""Seconds between two updates of the progress line."""
FIRST_UPDATE_SECONDS = 0.5
"""Seconds before the progress line first appears, so that short jobs show none."""
MIN_ESTIMATED_SHARE = 0.01
"""Minimum completed fraction from which the remaining time is estimated."""


class Progress:
    """A progress line on standard error, if that is a terminal and --quiet is not given."""

    def __init__(self, message: str, *, is_silent: bool = False) -> None:
        """Start the clock; the line appears after FIRST_UPDATE_SECONDS.

        `message` is shown until the first report. The time limit is the --timeout of the running
        command. If `is_silent`, no line is shown.
        """
        self.is_shown = sys.stderr.isatty() and not is_silent and not is_quiet()
        self.limit = requested_seconds()
        self.start_time = monotonic()
        self.next_update = self.start_time + FIRST_UPDATE_SECONDS
        self.message = message
        self.share: float | None = None
        self.width = 0

    def report(self, message: str, share: float | None = None) -> None:
        """Report progress: a message, and the completed fraction (0 to 1; None if unknown)."""
        self.message, self.share = message, share
        self.show()

    def count(self, noun: str, participle: str) -> Callable[[int, int], None]:
        """Return a callback that reports a number and its total: `3 of 10 codes played`."""

        def report(number: int, total: int) -> None:
            self.report(f"{number:,} of {quantity(total, noun)} {participle}", number / total)

        return report

    def follow(
        self,
        pieces: Iterable[str],
        describe: Callable[[int, int], str],
        total: int | None = None,
    ) -> Iterator[str]:
        """Yield pieces of text unchanged, and report progress after each piece.

        - `describe`: makes the message from the number of pieces and their total length.
        - `total`: the number of pieces, None if it is unknown.
        """
        size = 0
        for number, piece in enumerate(pieces, 1):
            yield piece
            size += len(piece)
            self.report(describe(number, size), number / total if total else None)

    def show(self) -> None:
        """Update the line on the terminal, at most every UPDATE_SECONDS."""
        if self.message and self.is_shown and monotonic() >= self.next_update:
            self.next_update = monotonic() + UPDATE_SECONDS
            line = f"{self.message}{timing(self.seconds, self.share, self.limit)}"
            line = line[: terminal_width(2) - 1]
            sys.stderr.write(f"\r{line:<{self.width}}")
            sys.stderr.flush()
            self.width = len(line)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return monotonic() - self.start_time

    def clear(self) -> None:
        """Erase the line."""
        if self.width:
            sys.stderr.write(f"\r{'':<{self.width}}\r")
            sys.stderr.flush()
            self.width = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Update the line by a timer during the body, and erase it at the end.

        So the elapsed time is shown even if the body reports no progress. If the timer is already
        used for the time limit of the command (`interrupt_after`), each tick also calls the handler
        of the limit, and at the end the timer is set to the remaining time.
        """
        if not self.is_shown:
            yield
            return
        import signal

        previous_handler = signal.getsignal(signal.SIGALRM)

        def tick(number: int, frame: Any) -> None:
            self.show()
            if callable(previous_handler):  # the handler of the time limit, which checks the time
                previous_handler(number, frame)

        signal.signal(signal.SIGALRM, tick)
        remaining, _ = signal.setitimer(signal.ITIMER_REAL, FIRST_UPDATE_SECONDS, UPDATE_SECONDS)
        limit_time = monotonic() + remaining
        try:
            yield
        finally:
            signal.signal(signal.SIGALRM, previous_handler)
            # 0 would switch the timer off; if the limit has passed, it rings after a millisecond
            remaining_now = max(limit_time - monotonic(), 0.001) if remaining else 0
            signal.setitimer(signal.ITIMER_REAL, remaining_now)
            self.clear()


def timing(seconds: float, share: float | None, limit: float | None = None) -> str:
    """Return the completed fraction, the elapsed time and the remaining time, in words.

    The remaining time is extrapolated from the completed fraction `share`, and is bounded by the
    time limit. It is omitted if neither is known.
    """
    share_text = "" if share is None or share <= 0 else f", {share:.0%} done"
    estimate = inf if share is None or share < MIN_ESTIMATED_SHARE else seconds / share - seconds
    bound = inf if limit is None else max(0, limit - seconds)
    qualifier = "about" if estimate <= bound else "at most"
    remaining_text = (
        "" if min(estimate, bound) == inf else f", {qualifier} {clock(min(estimate, bound))} left"
    )
    return f"{share_text}, {clock(seconds)} so far{remaining_text}"


def clock(seconds: float) -> str:
    """Return a time in words: 12 s, 3 min 5 s, 2 h 10 min."""
    whole_seconds = round(seconds)
    if whole_seconds < 60:
        return f"{whole_seconds} s"
    if whole_seconds < 3600:
        return f"{whole_seconds // 60} min {whole_seconds % 60} s"
    return f"{whole_seconds // 3600} h {whole_seconds % 3600 // 60} min"


class Job(Generic[T]):
    """A long job that returns its best answer so far if Ctrl-C or the time limit ends it.

    - `answer`: the initial answer, which is returned if the job finds none.
    - `message`: the message of the progress line until the first answer.
    - `describe`: makes the message of the progress line from an answer.
    - `share`: returns the completed fraction for an answer, None if it is unknown.
    - `prints`: whether the job itself prints; then no progress line is shown if standard output is
      a terminal.

    After `run`, `code` is the exit code: SUCCESS, FAILURE (time limit) or INTERRUPTED.
    """

    def __init__(
        self,
        answer: T,
        message: str,
        describe: Callable[[T], str] | None = None,
        *,
        share: Callable[[T], float | None] = lambda _: None,
        prints: bool = False,
    ) -> None:
        self.answer = answer
        self.describe = describe
        self.share = share
        self.progress = Progress(message, is_silent=prints and sys.stdout.isatty())
        self.code = SUCCESS

    def note(self, answer: T) -> None:
        """Store a better answer, and show it in the progress line."""
        self.answer = answer
        if self.describe is not None:
            self.progress.report(self.describe(answer), self.share(answer))

    def run(self, work: Callable[[], T]) -> T:
        """Return the answer of `work`; if it is interrupted, return the last stored answer."""
        try:
            with self.progress.running():
                self.answer = work()
        except TimeLimitInterrupt:
            self.code = FAILURE
        except KeyboardInterrupt:
            self.code = INTERRUPTED
        return self.answer
