"""Where work is done: in this process while it is small, else in one that a deadline can end.

Solvers in C++ do not all look up from their work, and none does while its model is being built, so
that it takes a process of its own to end them (worker.py). Work that looks at the clock itself
needs one only where it is large, as it would be set up for too long.
"""

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

from mmsat.board import Board
from mmsat.errors import TimeLimitError
from mmsat.limits import LIMITS
from mmsat.registry import load
from mmsat.solving.deadline import Deadline, TimeUpError

T = TypeVar("T")
Found = TypeVar("Found")
WORKER = "mmsat.solving.worker"
"""What has processes, by name: it takes long to load, and small boards do without."""


class News(tuple[Any, ...]):
    """What work in another process tells of its progress, before it has its result."""

    __slots__ = ()


def is_large(board: Board) -> bool:
    """Whether not even a search may be set up in this process, as it would overrun a deadline."""
    return board.game.pegs * (len(board.rows) + board.game.colors) > LIMITS.large_board


def run(
    deadline: Deadline, function: Callable[..., T] | str, *args: Any, is_small: bool = False
) -> T:
    """The function's result, or its exception; raises TimeUpError at the deadline.

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

    Without a limit it runs in this process, else in one that is killed at the time limit. Then
    TimeLimitError names the `work`, and may give some `advice`.
    """
    tell = on_progress or (lambda *_: None)
    call = partial(function, *args, **settings)
    deadline = Deadline(timeout)
    if timeout is None or _is_inside(deadline):
        return call(on_progress=tell)
    items = stream_and_tell(deadline, tell, partial(_once, call))
    with closing(items):
        try:
            return next(items)
        except TimeUpError:
            raise TimeLimitError(work, timeout, advice) from None


def stream_and_tell(
    deadline: Deadline, tell: Callable[..., None], function: Callable[..., Iterator[T]]
) -> Generator[T, None, None]:
    """The items of a generator that tells its progress as it goes, from a process of its own."""
    items: Any = stream(deadline, f"{WORKER}:work_and_tell", function)
    with closing(items):
        for item in items:
            if isinstance(item, News):
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


def _once(function: Callable[..., T] | str, *args: Any, **settings: Any) -> Iterator[T]:
    yield _resolve(function)(*args, **settings)


def stream(
    deadline: Deadline,
    function: Callable[..., Iterator[T]] | str,
    *args: Any,
    is_small: bool = False,
) -> Generator[T, None, None]:
    """The items of a generator, as they come, from a process of its own.

    Small work, which looks at the clock now and then, is done in this process; so is work inside of
    a process that ends no later. Raises the generator's exception, or TimeUpError at the deadline.
    Closing this iterator ends the process.

    The function can be a name, `module:function`, of what is not to be loaded before. It can be
    pickled, and so can its arguments and its items.
    """
    if deadline.passed:
        raise TimeUpError
    if is_small or _is_inside(deadline):
        yield from _resolve(function)(*args)
    else:
        yield from load(f"{WORKER}:stream")(deadline, _resolve(function), *args)


def gather(
    deadline: Deadline,
    found: Found,
    update: Callable[[Found, Any], Found],
    on_progress: Callable[[Found], None] | None,
    function: Callable[..., Iterator[Any]],
    *args: Any,
) -> Found:
    """What is found with all items of a generator, or with those that came before the deadline.

    It is told after each item.
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


def _resolve(function: Callable[..., T] | str) -> Callable[..., T]:
    resolved: Callable[..., T] = load(function) if isinstance(function, str) else function
    return resolved


def _is_inside(deadline: Deadline) -> bool:
    """Whether this process is a worker that will be killed before such a deadline."""
    worker = sys.modules.get(WORKER)
    return worker is not None and worker.ends_before(deadline)
