"""Processes for native work, where a deadline or Ctrl-C can end it at once: they can be killed."""

from __future__ import annotations

import ctypes
import logging
import multiprocessing
import os
import signal
import sys
import threading
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from multiprocessing.connection import wait
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from mmsat.encoding.ortools import WORKER
from mmsat.errors import RECOVERABLE_ERRORS, DiedError, MmsatError, name_library
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import News

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from multiprocessing.connection import Connection


T = TypeVar("T")

_end: float | None = None
"""In a worker, the time at which it is killed ..."""
_pipe: Connection | None = None
"""... and where its items go."""
LOG = logging.getLogger(__name__)
STARTING = threading.Lock()
"""Held while a process starts afresh; a fork would inherit it locked, and needs it not."""


def stream(
    deadline: Deadline, function: Callable[..., Iterator[T]], *args: Any
) -> Generator[T, None, None]:
    """The items of a generator that runs in another process; see executor.stream."""
    with _Worker(function, args, deadline.end) as worker:
        while True:
            if not worker.pipe.poll(deadline.left):
                LOG.debug("process %d is ended at the time limit", worker.process.pid)
                raise TimeUpError
            kind, item = worker.receive()
            if kind == "end":
                return
            if kind == "error":
                raise item
            yield item


def tell(*news: Any) -> None:
    """In a worker: hand on news."""
    if _pipe is not None:
        _pipe.send(("item", News(news)))


def work_and_tell(function: Callable[..., Iterator[T]]) -> Iterator[T]:
    """In a worker: the items of a generator that tells its progress."""
    yield from function(on_progress=tell)


def ends_before(deadline: Deadline) -> bool:
    """Whether this process is a worker that is killed at the deadline, or before."""
    return _end is not None and _end <= deadline.end


def race(*jobs: tuple[Any, ...]) -> Any:
    """The result of the job that is done first: a function with its arguments.

    Each runs in a process of its own, and the others are ended at once. One that gives up, or
    whose process ends without an answer, is out; its error is raised once all are.
    """
    with ExitStack() as stack:
        workers = [stack.enter_context(_Worker(_once, job, _end)) for job in jobs]
        while True:
            ready = wait([worker.pipe for worker in workers])
            for worker in [each for each in workers if each.pipe in ready]:
                try:
                    kind, item = worker.receive()
                except MmsatError as error:
                    kind, item = "error", error
                if kind == "item":
                    return item
                workers.remove(worker)
                if not workers or not isinstance(item, RECOVERABLE_ERRORS):
                    raise item


class _Worker:
    """A process that runs a generator, and the end of the pipe where its items come out."""

    def __init__(
        self, function: Callable[..., Iterator[Any]], args: tuple[Any, ...], end: float | None
    ) -> None:
        # A fork starts in milliseconds, but only a process with one thread can be forked safely.
        self.forks = sys.platform == "linux" and threading.active_count() == 1
        context: Any = multiprocessing.get_context("fork" if self.forks else "spawn")
        self.pipe, self.theirs = context.Pipe(duplex=False)
        work = (self.theirs, function, args, end, os.getpid())
        self.process = context.Process(name=WORKER, target=_work, args=work, daemon=True)

    def __enter__(self) -> Self:
        """Start it."""
        try:
            with _as_parent(), nullcontext() if self.forks else without_main():
                self.process.start()
            self.theirs.close()
        except BaseException as error:
            LOG.info("starting a process failed: %r", error)
            self.__exit__()
            raise
        LOG.debug("process %d started (%s)", self.process.pid, "fork" if self.forks else "spawn")
        return self

    def __exit__(self, *_: object) -> None:
        """End it, whatever it does."""
        if self.process.pid is not None:
            self.process.kill()
            self.process.join()
        self.pipe.close()

    def receive(self) -> tuple[str, Any]:
        """What kind of message comes next, and what it has; waits for it."""
        try:
            message: tuple[str, Any] = self.pipe.recv()
        except (EOFError, OSError):  # amid a message, or before one
            self.process.join()
            LOG.info("process %d ended with %s", self.process.pid, self.process.exitcode)
            raise DiedError(_death(self.process.exitcode)) from None
        return message


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
def without_main() -> Iterator[None]:
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
    killed = exitcode in {-signal.SIGKILL, -signal.SIGABRT}
    reason = "was killed, most likely for want of memory" if killed else f"ended with {exitcode}"
    return f"the solver's process {reason}; try another engine"


def _once(function: Callable[..., T], *args: Any) -> Iterator[T]:
    yield function(*args)


def obey_parent(parent: int | None = None) -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, however it ends.

    `parent` is its number, by which it is seen to have ended before.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        die_with_parent = 1
        ctypes.CDLL(None).prctl(die_with_parent, signal.SIGKILL)
    if parent not in {None, os.getppid()}:
        os._exit(1)


def _work(
    pipe: Connection,
    function: Callable[..., Iterator[Any]],
    args: tuple[Any, ...],
    end: float | None,
    parent: int,
) -> None:
    global _end, _pipe  # all that a worker knows of itself
    _end, _pipe = end, pipe
    obey_parent(parent)
    try:
        for item in function(*args):
            pipe.send(("item", item))
        pipe.send(("end", None))
    except Exception as error:  # noqa: BLE001  (raised again in the parent)
        with suppress(MemoryError):  # then the parent sees that this process ended
            pipe.send(("error", name_library(error)))
