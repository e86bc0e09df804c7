"""Run native work in a process of its own, where a deadline or Ctrl-C can end it at once.

Solvers in C++ do not all look up from their work, and none does while its model is being built.
A process can always be killed.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
import sys
import threading
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from mmsat.encode.ortools import WORKER
from mmsat.errors import MmsatError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from multiprocessing.connection import Connection

    from mmsat.solve.deadline import Deadline

T = TypeVar("T")

STARTING = threading.Lock()
"""Held while a process starts afresh; a fork would inherit it locked, and needs it not."""


class TimeUpError(Exception):
    """The deadline passed before the work was done."""


def run(deadline: Deadline, function: Callable[..., T], *args: Any) -> T:
    """The function's result, or its exception; raises TimeUpError at the deadline.

    The function can be pickled, and so can its arguments and its result.
    """
    result: T = next(stream(deadline, _once, function, *args))
    return result


def _once(function: Callable[..., T], *args: Any) -> Iterator[T]:
    yield function(*args)


def stream(
    deadline: Deadline, function: Callable[..., Iterator[T]], *args: Any
) -> Generator[T, None, None]:
    """The items of a generator that runs in the other process, as they come.

    Raises the generator's exception, or TimeUpError at the deadline. Closing this iterator ends
    the process.
    """
    if deadline.passed:
        raise TimeUpError
    # A fork starts in milliseconds, but only a process with one thread can be forked safely.
    forks = sys.platform == "linux" and threading.active_count() == 1
    context: Any = multiprocessing.get_context("fork" if forks else "spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(name=WORKER, target=_work, args=(theirs, function, args), daemon=True)
    try:
        with _as_parent(), nullcontext() if forks else _without_main():
            process.start()
        theirs.close()
        while True:
            if not ours.poll(deadline.left):
                raise TimeUpError
            kind, item = ours.recv()
            if kind == "end":
                return
            if kind == "error":
                raise item
            yield item
    except EOFError:
        process.join()
        raise MmsatError(_death(process.exitcode)) from None
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        ours.close()


class _Main(ModuleType):
    """The main module as a new process should see it: without a file that it would run again."""

    def __init__(self, main: ModuleType) -> None:
        super().__init__("__main__")
        self._main = main

    def __getattr__(self, name: str) -> Any:
        if name == "__file__":
            raise AttributeError(name)
        return getattr(self._main, name)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main module's file from a process that starts afresh.

    It would first run that file again, which is the user's script, and nothing there is needed.
    """
    with STARTING:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = _Main(main)
        try:
            yield
        finally:
            sys.modules["__main__"] = main


@contextmanager
def _as_parent() -> Iterator[None]:
    """Let this process have children even if it is a worker of a pool.

    Those may have none, lest children outlive them; the ones here end with their parent, see _work.
    """
    here = multiprocessing.current_process()
    daemon = here.daemon
    if daemon:
        here.daemon = False
    try:
        yield
    finally:
        if daemon:
            here.daemon = True


def _death(exitcode: int | None) -> str:
    killed = exitcode == -signal.SIGKILL
    reason = "was killed, most likely for want of memory" if killed else f"ended with {exitcode}"
    return f"the solver's process {reason}; try another engine"


def _work(pipe: Connection, function: Callable[..., Iterator[Any]], args: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's: it kills this process
    if sys.platform == "linux":
        die_with_parent = 1
        ctypes.CDLL(None).prctl(die_with_parent, signal.SIGKILL)
    try:
        for item in function(*args):
            pipe.send(("item", item))
        pipe.send(("end", None))
    except Exception as error:  # noqa: BLE001  (raised again in the parent)
        pipe.send(("error", error))
