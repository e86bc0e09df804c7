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
from mmsat.cli.exit_codes import FAILURE, INTERRUPTED, SUCCESS
from mmsat.cli.output import is_quiet
from mmsat.cli.time_limit import TimeLimitInterrupt, requested_seconds
from mmsat.render.terminal import terminal_width

if TYPE_CHECKING:
    import click

MIN_PROGRAM_BYTES = 128 << 20
"""Minimum number of bytes for the program and its libraries, in addition to the requested limit."""


def limit_memory(ctx: click.Context, _: click.Parameter, value: int) -> int:
    """Limit the data of this process, and of each that it starts, until the command ends.

    This is the callback of --memory; `value` is the limit in bytes. The limit is set on Linux only.
    """
    if sys.platform == "linux":
        import resource

        soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_DATA)
        bytes_ = value + max(MIN_PROGRAM_BYTES, 2 * data_bytes())
        bytes_ = bytes_ if hard_limit == resource.RLIM_INFINITY else min(bytes_, hard_limit)
        resource.setrlimit(resource.RLIMIT_DATA, (bytes_, hard_limit))
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

    def __init__(self, doing: str, *, is_silent: bool = False) -> None:
        """Start the clock; the line appears after a moment.

        `doing` is the message until the first report. The time limit is the --timeout of the
        running command. If `is_silent`, no line is shown.
        """
        self.is_shown = sys.stderr.isatty() and not is_silent and not is_quiet()
        self.limit = requested_seconds()
        self.started = monotonic()
        self.next = self.started + FIRST_UPDATE_SECONDS
        self.message = doing
        self.share: float | None = None
        self.width = 0

    def tell(self, message: str, share: float | None = None) -> None:
        """Report progress: a message, and the completed fraction (0 to 1; None if unknown).

        The line is updated at most every UPDATE_SECONDS.
        """
        self.message, self.share = message, share
        self.show()

    def count(self, noun: str, done: str) -> Callable[[int, int], None]:
        """Return a callback that reports a number of a total: `3 of 10 codes played`."""

        def tell(part: int, whole: int) -> None:
            self.tell(f"{part:,} of {quantity(whole, noun)} {done}", part / whole)

        return tell

    def follow(
        self,
        pieces: Iterable[str],
        describe: Callable[[int, int], str],
        total: int | None = None,
    ) -> Iterator[str]:
        """Yield pieces of text unchanged, and report progress after each piece.

        - `describe`: makes the message from the number of pieces and their total length.
        - `total`: the number of all pieces, None if it is unknown.
        """
        size = 0
        for number, piece in enumerate(pieces, 1):
            yield piece
            size += len(piece)
            self.tell(describe(number, size), number / total if total else None)

    def show(self) -> None:
        """Update the line on the terminal, if the last update is UPDATE_SECONDS ago."""
        if self.message and self.is_shown and monotonic() >= self.next:
            self.next = monotonic() + UPDATE_SECONDS
            line = f"{self.message}{timing(self.seconds, self.share, self.limit)}"
            line = line[: terminal_width(2) - 1]
            sys.stderr.write(f"\r{line:<{self.width}}")
            sys.stderr.flush()
            self.width = len(line)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return monotonic() - self.started

    def clear(self) -> None:
        """Erase the line."""
        if self.width:
            sys.stderr.write(f"\r{'':<{self.width}}\r")
            sys.stderr.flush()
            self.width = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Update the line by a timer during the body, and erase it at the end.

        So the elapsed time is shown even if the body reports no progress. The timer may already
        run for the time limit of the command (`interrupt_after`). Then each tick calls that
        handler, too, and the timer is set to the remaining time at the end.
        """
        if not self.is_shown:
            yield
            return
        import signal

        before = signal.getsignal(signal.SIGALRM)

        def tick(number: int, frame: Any) -> None:
            self.show()
            if callable(before):  # the handler of the time limit, which checks the time itself
                before(number, frame)

        signal.signal(signal.SIGALRM, tick)
        remaining, _ = signal.setitimer(signal.ITIMER_REAL, FIRST_UPDATE_SECONDS, UPDATE_SECONDS)
        end = monotonic() + remaining
        try:
            yield
        finally:
            signal.signal(signal.SIGALRM, before)
            # a timer of 0 would be off, so a limit that has passed rings after a millisecond
            remaining_now = max(end - monotonic(), 0.001) if remaining else 0
            signal.setitimer(signal.ITIMER_REAL, remaining_now)
            self.clear()


def timing(seconds: float, share: float | None, limit: float | None = None) -> str:
    """Return the completed fraction, the elapsed time and the remaining time, in words.

    The remaining time is extrapolated from the completed fraction `share`, and is bounded by the
    time limit. It is omitted if neither is known.
    """
    done = "" if share is None or share <= 0 else f", {share:.0%} done"
    estimate = inf if share is None or share < MIN_ESTIMATED_SHARE else seconds / share - seconds
    bound = inf if limit is None else max(0, limit - seconds)
    qualifier = "about" if estimate <= bound else "at most"
    left = (
        "" if min(estimate, bound) == inf else f", {qualifier} {clock(min(estimate, bound))} left"
    )
    return f"{done}, {clock(seconds)} so far{left}"


def clock(seconds: float) -> str:
    """Return a time in words: 12 s, 3 min 5 s, 2 h 10 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Job(Generic[T]):
    """A long job that returns its best answer so far if Ctrl-C or the time limit ends it.

    - `known`: the answer before the job has found any.
    - `doing`: the message of the progress line until the first answer.
    - `describe`: makes the message of the progress line from an answer.
    - `share`: returns the completed fraction for an answer, None if it is unknown.
    - `prints`: whether the job itself prints; then no progress line is shown if standard
      output is a terminal.

    After `run`, `code` is the exit code: success, failure (time limit) or interrupted.
    """

    def __init__(
        self,
        known: T,
        doing: str,
        describe: Callable[[T], str] | None = None,
        *,
        share: Callable[[T], float | None] = lambda _: None,
        prints: bool = False,
    ) -> None:
        self.known = known
        self.describe = describe
        self.share = share
        self.progress = Progress(doing, is_silent=prints and sys.stdout.isatty())
        self.code = SUCCESS

    def note(self, known: T) -> None:
        """Store a better answer, and show it in the progress line."""
        self.known = known
        if self.describe is not None:
            self.progress.tell(self.describe(known), self.share(known))

    def run(self, work: Callable[[], T]) -> T:
        """Return the answer of `work`, or the last stored one if it is interrupted."""
        try:
            with self.progress.running():
                self.known = work()
        except TimeLimitInterrupt:
            self.code = FAILURE
        except KeyboardInterrupt:
            self.code = INTERRUPTED
        return self.known
