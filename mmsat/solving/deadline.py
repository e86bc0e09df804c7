"""Deadlines, and functions that run until one passes.

A function runs in this process if its work is small, otherwise in a process that is killed at the
deadline. Some solvers in C++ do not check the time while they run, and no solver checks it while
its model is built. Only a separate process can be stopped then (worker.py). Work that checks the
clock itself needs a separate process only if it is large, because its setup can exceed the
deadline.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from mmsat.errors import TimeLimitError
from mmsat.game.board import Board
from mmsat.limits import LIMITS


class TimeUpError(Exception):
    """Raised if the deadline passes before the work is done."""


class Deadline:
    """A time limit of `seconds` from now; None means no limit."""

    def __init__(self, seconds: float | None = None) -> None:
        """Start the clock."""
        self.start = monotonic()
        self.end = math.inf if seconds is None else self.start + seconds

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        return monotonic() >= self.end

    @property
    def remaining(self) -> float | None:
        """The remaining seconds, at least 0; None means no limit."""
        return None if math.isinf(self.end) else max(0.0, self.end - monotonic())

    @property
    def elapsed(self) -> float:
        """The seconds since the deadline was created."""
        return monotonic() - self.start

    def shorten(self, seconds: float) -> None:
        """Move the deadline to this many seconds from now, unless it is earlier."""
        self.end = min(self.end, monotonic() + seconds)

    def within(self, seconds: float) -> Deadline:
        """Return the earlier of this deadline and a deadline in `seconds` from now."""
        remaining_seconds = self.remaining
        return Deadline(seconds if remaining_seconds is None else min(seconds, remaining_seconds))


T = TypeVar("T")
Result = TypeVar("Result")
WORKER_MODULE = "mmsat.solving.worker"
"""The module that starts processes. It is imported on first use, because it loads slowly and small
boards do not need it."""


class ProgressMessage(tuple[Any, ...]):
    """A progress message from work in another process, sent before its result."""

    __slots__ = ()


def is_large(board: Board) -> bool:
    """Return whether the setup of a search alone could exceed a deadline."""
    return board.game.pegs * (len(board.rows) + board.game.colors) > LIMITS.large_board


def run(deadline: Deadline, function: Callable[..., T], *args: Any, is_small: bool = False) -> T:
    """Return the result of a function; raises TimeUpError at the deadline.

    With `is_small`, the function runs in this process and must check the clock regularly. If it
    runs in another process, its arguments and its result must support pickling.
    """
    result: T = next(stream(deadline, once, function, *args, is_small=is_small))
    return result


def run_with_progress(
    timeout: float | None,
    on_progress: Callable[..., None] | None,
    function: Callable[..., T],
    *args: Any,
    task_name: str,
    advice: str = "",
    **settings: Any,
) -> T:
    """Return the result of a function that reports its progress, within `timeout` seconds.

    Without a time limit, or in a worker that is killed at that time or earlier, it runs in this
    process, otherwise in a process that is killed at the time limit. TimeLimitError then names the
    task, and gives the `advice` if there is any.
    """
    items = partial(once, partial(function, *args, **settings))
    return run_to_last(timeout, on_progress, items, task_name=task_name, advice=advice)


def run_to_last(
    timeout: float | None,
    on_progress: Callable[..., None] | None,
    function: Callable[..., Iterator[T]],
    *args: Any,
    task_name: str,
    advice: str = "",
    **settings: Any,
) -> T:
    """Return the last item that a generator yields within `timeout` seconds.

    The generator yields at least one item, and each is better than the one before it. It runs as a
    function does in `run_with_progress`. TimeLimitError is raised if the time limit passes before
    the first item.
    """
    report_progress = on_progress or (lambda *_: None)
    call = partial(function, *args, **settings)
    deadline = Deadline(timeout)
    if timeout is None or _is_worker_ending_by(deadline):
        *_, last = call(on_progress=report_progress)
        return last
    items: list[T] = []
    stream_of_items = stream_with_progress(deadline, report_progress, call)
    with closing(stream_of_items):
        try:
            items.extend(stream_of_items)
        except TimeUpError:
            if not items:
                raise TimeLimitError(task_name, timeout, advice) from None
    return items[-1]


def stream_with_progress(
    deadline: Deadline, report: Callable[..., None], function: Callable[..., Iterator[T]]
) -> Generator[T, None, None]:
    """Yield the items of a generator in another process; its progress is passed to `report`."""
    from mmsat.solving.worker import forward_progress

    items: Any = stream(deadline, forward_progress, function)
    with closing(items):
        for item in items:
            if isinstance(item, ProgressMessage):
                report(*item)
            else:
                yield item


def run_within(timeout: float | None, function: Callable[..., T], *args: Any, task_name: str) -> T:
    """Return the result of a function, or raise TimeLimitError after `timeout` seconds.

    With a time limit, the function runs in another process, except in a worker that is killed at
    that time or earlier. The error names the task.
    """
    if timeout is None:
        return function(*args)
    try:
        return run(Deadline(timeout), function, *args)
    except TimeUpError:
        raise TimeLimitError(task_name, timeout) from None


def once(function: Callable[..., T], *args: Any, **settings: Any) -> Iterator[T]:
    """Yield the result of a function as the only item."""
    yield function(*args, **settings)


def stream(
    deadline: Deadline,
    function: Callable[..., Iterator[T]],
    *args: Any,
    is_small: bool = False,
) -> Generator[T, None, None]:
    """Yield the items of a generator from another process as soon as they are available.

    The generator runs in this process if `is_small`, or if this process is a worker that ends no
    later than the deadline. A small generator must check the clock regularly. Raises the
    generator's exception, or TimeUpError at the deadline. Closing this iterator ends the other
    process.

    The function, its arguments and its items must support pickling.
    """
    if deadline.passed:
        raise TimeUpError
    if is_small or _is_worker_ending_by(deadline):
        yield from function(*args)
    else:
        from mmsat.solving import worker

        yield from worker.stream(deadline, function, *args)


def gather(
    deadline: Deadline,
    initial: Result,
    update: Callable[[Result, Any], Result],
    on_progress: Callable[[Result], None] | None,
    function: Callable[..., Iterator[Any]],
    *args: Any,
) -> Result:
    """Return `initial` updated with the items that a generator yields before the deadline.

    `on_progress` is called with the intermediate result after each item.
    """
    result = initial
    items = stream(deadline, function, *args)
    try:
        for item in items:
            result = update(result, item)
            if on_progress is not None:
                on_progress(result)
    except TimeUpError:
        pass
    finally:
        items.close()
    return result


def _is_worker_ending_by(deadline: Deadline) -> bool:
    """Return whether this process is a worker that will be killed no later than the deadline."""
    worker = sys.modules.get(WORKER_MODULE)
    return worker is not None and worker.ends_by(deadline)
