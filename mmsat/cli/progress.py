"""Long work on a terminal: a line that tells how far it is, and Ctrl-C that keeps what is known."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Any, Generic, TypeVar

from mmsat.cli.exit_codes import FAILURE, INTERRUPTED, SUCCESS
from mmsat.cli.time_limit import TimeLimitInterrupt, requested_seconds
from mmsat.english import quantity
from mmsat.render.terminal import terminal_width

T = TypeVar("T")
OFTEN = 0.2
"""Seconds between two reports of progress."""
FIRST = 0.5
"""Seconds before the first: short jobs need none."""
LEAST = 0.01
"""The share that must be done before the rest can be guessed."""


class Progress:
    """A line on standard error that tells how far a long job is; only on a terminal."""

    def __init__(self, doing: str, *, is_silent: bool = False) -> None:
        """Be silent for a moment. `doing` is what is told until there is news.

        The time limit is the --timeout of the command that runs.
        """
        self.is_shown = sys.stderr.isatty() and not is_silent
        self.limit = requested_seconds()
        self.started = monotonic()
        self.next = self.started + FIRST
        self.message = doing
        self.share: float | None = None
        self.width = 0

    def tell(self, message: str, share: float | None = None) -> None:
        """Take the news: what is done, and the share of it that is, from 0 to 1, if that is known.

        They are shown unless the line is as good as new.
        """
        self.message, self.share = message, share
        self.show()

    def count(self, noun: str, done: str) -> Callable[[int, int], None]:
        """What takes how many of how many are done: `3 of 10 codes played`."""

        def tell(part: int, whole: int) -> None:
            self.tell(f"{part:,} of {quantity(whole, noun)} {done}", part / whole)

        return tell

    def follow(
        self,
        pieces: Iterable[str],
        describe: Callable[[int, int], str],
        many: int | None = None,
    ) -> Iterator[str]:
        """Hand on pieces of text, and describe after each how many they were, and how long in all.

        The share is of so many pieces, where that is known.
        """
        size = 0
        for number, piece in enumerate(pieces, 1):
            yield piece
            size += len(piece)
            self.tell(describe(number, size), number / many if many else None)

    def show(self) -> None:
        """Write over the last line, unless that is new."""
        if self.message and self.is_shown and monotonic() >= self.next:
            self.next = monotonic() + OFTEN
            line = f"{self.message}{timing(self.seconds, self.share, self.limit)}"
            line = line[: terminal_width(2) - 1]
            sys.stderr.write(f"\r{line:<{self.width}}")
            sys.stderr.flush()
            self.width = len(line)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return monotonic() - self.started

    def clear(self) -> None:
        """Take the line away."""
        if self.width:
            sys.stderr.write(f"\r{'':<{self.width}}\r")
            sys.stderr.flush()
            self.width = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Show the time while work goes on that tells nothing, and clear the line at its end."""
        if not self.is_shown:
            yield
            return
        import signal  # noqa: PLC0415  (a pipe needs no ticks)

        before = signal.getsignal(signal.SIGALRM)

        def tick(number: int, frame: Any) -> None:
            self.show()
            if callable(before):  # the time limit of the command, which looks at the clock itself
                before(number, frame)

        signal.signal(signal.SIGALRM, tick)
        remaining, _ = signal.setitimer(signal.ITIMER_REAL, FIRST, OFTEN)
        end = monotonic() + remaining
        try:
            yield
        finally:
            signal.signal(signal.SIGALRM, before)
            rest = max(end - monotonic(), 0.001) if remaining else 0
            signal.setitimer(signal.ITIMER_REAL, rest)
            self.clear()


def timing(seconds: float, share: float | None, limit: float | None = None) -> str:
    """What is done, the time that it took, and how much more it takes, in words.

    That is guessed from the share, and is at most what is left of the time limit.
    """
    done = "" if share is None or share <= 0 else f", {share:.0%} done"
    rest = inf if share is None or share < LEAST else seconds / share - seconds
    most = inf if limit is None else max(0, limit - seconds)
    told = "about" if rest <= most else "at most"
    left = "" if min(rest, most) == inf else f", {told} {clock(min(rest, most))} left"
    return f"{done}, {clock(seconds)} so far{left}"


def clock(seconds: float) -> str:
    """A time in words: 12 s, 3 min 5 s, 2 h 10 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Job(Generic[T]):
    """A long piece of work that Ctrl-C ends with what is known so far.

    `known` is the answer before anything is found out. `describe` puts an answer into a line of
    progress, and `share` tells what part of the whole it is, where that is known; `doing` says what
    is done until there is one. With `prints`, the work itself prints, and is its own progress where
    that is a terminal. `code` is the exit code of an interruption once there was one, else that of
    success.
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
        """Keep a better answer, and tell of it on a terminal."""
        self.known = known
        if self.describe is not None:
            self.progress.tell(self.describe(known), self.share(known))

    def run(self, work: Callable[[], T]) -> T:
        """The answer of the work, or at Ctrl-C the last that was noted."""
        try:
            with self.progress.running():
                self.known = work()
        except TimeLimitInterrupt:
            self.code = FAILURE
        except KeyboardInterrupt:
            self.code = INTERRUPTED
        return self.known
