"""Processes for native code, which a deadline or Ctrl-C can kill at once."""

from __future__ import annotations

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

from mmsat._util.processes import obey_parent
from mmsat.encoding.cp_sat import WORKER
from mmsat.errors import RECOVERABLE_ERRORS, DiedError, MmsatError, convert_library_error
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.isolation import ProgressMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from multiprocessing.connection import Connection

T = TypeVar("T")

_end: float | None = None
"""In a worker, the time at which it is killed."""
_pipe: Connection | None = None
"""In a worker, the pipe for its items."""
LOG = logging.getLogger(__name__)
logging.getLogger("mmsat").addHandler(logging.NullHandler())  # a library is silent by default
STARTING = threading.Lock()
"""Held while a process is spawned. A forked process would inherit it locked, and does not need
it."""


def stream(
    deadline: Deadline, function: Callable[..., Iterator[T]], *args: Any
) -> Generator[T, None, None]:
    """Yield the items of a generator that runs in another process; see executor.stream."""
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
    """Send a progress message, if this process is a worker."""
    if _pipe is not None:
        _pipe.send(("item", ProgressMessage(news)))


def work_and_tell(function: Callable[..., Iterator[T]]) -> Iterator[T]:
    """Yield the items of a generator that reports its progress by `on_progress`, in a worker."""
    yield from function(on_progress=tell)


def ends_before(deadline: Deadline) -> bool:
    """Return whether this process is a worker that is killed no later than the deadline."""
    return _end is not None and _end <= deadline.end


def race(*jobs: tuple[Any, ...]) -> Any:
    """Return the result of the first job to finish. A job is a function with its arguments.

    Each job runs in a separate process, and the other processes are killed at once. A job that
    raises one of RECOVERABLE_ERRORS, or whose process ends without an answer, drops out. Its error
    is raised if no other job remains. Any other exception is raised at once.
    """
    with ExitStack() as stack:
        workers = [stack.enter_context(_Worker(_once, job, _end)) for job in jobs]
        while True:
            ready = wait([worker.pipe for worker in workers])
            for worker in [candidate for candidate in workers if candidate.pipe in ready]:
                try:
                    kind, item = worker.receive()
                except MmsatError as error:
                    kind, item = "error", error
                if kind == "item":
                    LOG.debug("process %d was first", worker.process.pid)
                    return item
                LOG.debug("process %d dropped out: %r", worker.process.pid, item)
                workers.remove(worker)
                if not workers or not isinstance(item, RECOVERABLE_ERRORS):
                    raise item


class _Worker:
    """A process that runs a generator, and the receiving end of the pipe for its items."""

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
        """Start the process."""
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
        """Kill the process."""
        if self.process.pid is not None:
            self.process.kill()
            self.process.join()
        self.pipe.close()

    def receive(self) -> tuple[str, Any]:
        """Wait for the next message, and return its kind and content."""
        try:
            message: tuple[str, Any] = self.pipe.recv()
        except (EOFError, OSError):  # in the middle of a message, or before one
            self.process.join()
            LOG.info("process %d ended with %s", self.process.pid, self.process.exitcode)
            raise DiedError(_death(self.process.exitcode)) from None
        return message


class _Main(ModuleType):
    """A stand-in for the main module, without a file that a new process would run again."""

    def __init__(self, main: ModuleType) -> None:
        super().__init__("__main__")
        self._main = main

    def __getattr__(self, name: str) -> Any:
        if name == "__file__":
            raise AttributeError(name)
        return getattr(self._main, name)


@contextmanager
def without_main() -> Iterator[None]:
    """Hide the main module's file from a process that is spawned.

    The process would first run that file, which is the user's script, and does not need it.
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
    """Let this process have child processes even if it is a worker of a pool.

    Python forbids that for daemonic processes, because children could outlive them. The children
    here end with their parent, see _work.
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
    """Return a message about a process that ended without an answer."""
    killed = exitcode in {-signal.SIGKILL, -signal.SIGABRT}
    reason = "was killed, probably because memory ran out" if killed else f"ended with {exitcode}"
    return f"the solver's process {reason}; try another engine"


def _once(function: Callable[..., T], *args: Any) -> Iterator[T]:
    """Yield the result of a function."""
    yield function(*args)


def _work(
    pipe: Connection,
    function: Callable[..., Iterator[Any]],
    args: tuple[Any, ...],
    end: float | None,
    parent: int,
) -> None:
    """Run a generator in a worker, and send its items, its end or its exception."""
    global _end, _pipe  # the state of a worker
    _end, _pipe = end, pipe
    obey_parent(parent)
    try:
        for item in function(*args):
            pipe.send(("item", item))
        pipe.send(("end", None))
    except Exception as error:  # noqa: BLE001  (raised again in the parent)
        with suppress(MemoryError):  # the parent then sees that the process ended
            pipe.send(("error", convert_library_error(error)))
