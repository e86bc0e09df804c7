"""Run work in this process if it is small, otherwise in a process that a deadline can kill.

Some solvers in C++ do not check the time while they run, and no solver does while its model is
built. Therefore a separate process is needed to stop them (worker.py). Work that checks the clock
itself needs a separate process only if it is large, because its setup can exceed the deadline.
"""

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

from mmsat.errors import TimeLimitError
from mmsat.game.board import Board
from mmsat.limits import LIMITS
from mmsat.solving.deadline import Deadline, TimeUpError

T = TypeVar("T")
Found = TypeVar("Found")
WORKER = "mmsat.solving.worker"
"""The module that starts processes. It is imported on first use: it loads slowly, and small boards
do not need it."""


class ProgressMessage(tuple[Any, ...]):
    """A progress message from work in another process, sent before its result."""

    __slots__ = ()


def is_large(board: Board) -> bool:
    """Return whether even the setup of a search in this process could exceed a deadline."""
    return board.game.pegs * (len(board.rows) + board.game.colors) > LIMITS.large_board


def run(deadline: Deadline, function: Callable[..., T], *args: Any, is_small: bool = False) -> T:
    """Return the function's result or raise its exception; raises TimeUpError at the deadline.

    See stream.
    """
    result: T = next(stream(deadline, _once, function, *args, is_small=is_small))
    return result


def finish(
    timeout: float | None,
    on_progress: Callable[..., None] | None,
    function: Callable[..., T],
    *args: Any,
    work: str,
    advice: str = "",
    **settings: Any,
) -> T:
    """Return the result of a function that reports its progress, within `timeout` seconds.

    Without a limit it runs in this process, otherwise in a process that is killed at the time
    limit. Then TimeLimitError names the `work`, and may give some `advice`.
    """
    report_progress = on_progress or (lambda *_: None)
    call = partial(function, *args, **settings)
    deadline = Deadline(timeout)
    if timeout is None or _is_inside(deadline):
        return call(on_progress=report_progress)
    items = stream_and_tell(deadline, report_progress, partial(_once, call))
    with closing(items):
        try:
            return next(items)
        except TimeUpError:
            raise TimeLimitError(work, timeout, advice) from None


def stream_and_tell(
    deadline: Deadline, tell: Callable[..., None], function: Callable[..., Iterator[T]]
) -> Generator[T, None, None]:
    """Yield the items of a generator in another process, and pass its progress to `tell`."""
    from mmsat.solving.worker import work_and_tell

    items: Any = stream(deadline, work_and_tell, function)
    with closing(items):
        for item in items:
            if isinstance(item, ProgressMessage):
                tell(*item)
            else:
                yield item


def within(timeout: float | None, function: Callable[..., T], *args: Any, work: str) -> T:
    """Return the result of a function, within `timeout` seconds, in another process if limited.

    TimeLimitError names the `work`.
    """
    if timeout is None:
        return function(*args)
    try:
        return run(Deadline(timeout), function, *args)
    except TimeUpError:
        raise TimeLimitError(work, timeout) from None


def _once(function: Callable[..., T], *args: Any, **settings: Any) -> Iterator[T]:
    """Yield the result of a function, as a generator of one item."""
    yield function(*args, **settings)


def stream(
    deadline: Deadline,
    function: Callable[..., Iterator[T]],
    *args: Any,
    is_small: bool = False,
) -> Generator[T, None, None]:
    """Yield the items of a generator, as they come, from another process.

    Small work, which checks the clock regularly, runs in this process. So does work inside a worker
    process that ends no later. Raises the generator's exception, or TimeUpError at the deadline.
    Closing this iterator ends the process.

    The function, its arguments and its items must support pickling.
    """
    if deadline.passed:
        raise TimeUpError
    if is_small or _is_inside(deadline):
        yield from function(*args)
    else:
        from mmsat.solving import worker

        yield from worker.stream(deadline, function, *args)


def gather(
    deadline: Deadline,
    found: Found,
    update: Callable[[Found, Any], Found],
    on_progress: Callable[[Found], None] | None,
    function: Callable[..., Iterator[Any]],
    *args: Any,
) -> Found:
    """Return `found` updated with all items of a generator, or with those before the deadline.

    `on_progress` is called with the intermediate result after each item.
    """
    work = stream(deadline, function, *args)
    try:
        for item in work:
            found = update(found, item)
            if on_progress is not None:
                on_progress(found)
    except TimeUpError:
        pass
    finally:
        work.close()
    return found


def _is_inside(deadline: Deadline) -> bool:
    """Return whether this process is a worker that will be killed no later than the deadline."""
    worker = sys.modules.get(WORKER)
    return worker is not None and worker.ends_before(deadline)
