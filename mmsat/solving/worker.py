"""Processes that run solvers, which a deadline or Ctrl-C can kill at once."""

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
from mmsat.encoding.integer_models import WORKER
from mmsat.errors import RECOVERABLE_ERRORS, DiedError, MmsatError, convert_library_error
from mmsat.solving.deadline import Deadline, ProgressMessage, TimeUpError, once

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from multiprocessing.connection import Connection

T = TypeVar("T")

_end: float | None = None
"""In a worker: the time at which it is killed."""
_pipe: Connection | None = None
"""In a worker: the pipe to its parent."""
LOG = logging.getLogger(__name__)
logging.getLogger("mmsat").addHandler(logging.NullHandler())  # a library is silent by default
PRELOADED_MODULES = [
    "numpy",
    "mmsat.diagnosis.explain",
    "mmsat.counting.count",
    "mmsat.play.review",
]
"""The modules that the fork server imports, so that its processes start quickly. They and the
modules that they import are the ones that most calls need."""
SPAWN_LOCK = threading.Lock()
"""Held while a process is spawned. It is not held for a fork, because the child would inherit it
locked."""


def stream(
    deadline: Deadline, function: Callable[..., Iterator[T]], *args: Any
) -> Generator[T, None, None]:
    """Yield the items of a generator that runs in another process; see deadline.stream."""
    with _Worker(function, args, deadline.end) as worker:
        while True:
            if not worker.pipe.poll(deadline.remaining):
                LOG.debug("process %d is ended at the time limit", worker.process.pid)
                raise TimeUpError
            kind, item = worker.receive()
            if kind == "end":
                return
            if kind == "error":
                raise item
            yield item


def send_progress(*message: Any) -> None:
    """Send a progress message to the parent if this process is a worker."""
    if _pipe is not None:
        _pipe.send(("item", ProgressMessage(message)))


def forward_progress(function: Callable[..., Iterator[T]]) -> Iterator[T]:
    """Yield the items of a generator, and send its progress to the parent."""
    yield from function(on_progress=send_progress)


def ends_by(deadline: Deadline) -> bool:
    """Return whether this process is a worker that is killed no later than the deadline."""
    return _end is not None and _end <= deadline.end


def first_result(*jobs: tuple[Any, ...]) -> Any:
    """Return the result of the first job to finish. A job is a function with its arguments.

    Each job runs in a separate process, and the other processes are killed at once. A job that
    raises one of RECOVERABLE_ERRORS, or whose process dies, drops out. Its error is raised if no
    other job remains. Any other exception is raised at once.
    """
    with ExitStack() as stack:
        workers = [stack.enter_context(_Worker(once, job, _end)) for job in jobs]
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


def start_method() -> str:
    """Return how to start a process: fork, forkserver or spawn.

    A fork takes milliseconds, but is safe only in a process with one thread. If there are more, the
    new process is a fork of a fork server, a process with one thread that the first call starts and
    that ends with this process. On other systems than Linux, a new Python process is spawned, which
    takes about half a second.
    """
    if sys.platform != "linux":
        return "spawn"
    return "fork" if threading.active_count() == 1 else "forkserver"


class _Worker:
    """A process that runs a generator, and the receiving end of the pipe for its items."""

    def __init__(
        self, function: Callable[..., Iterator[Any]], args: tuple[Any, ...], end: float | None
    ) -> None:
        self.method = start_method()
        context: Any = multiprocessing.get_context(self.method)
        if self.method == "forkserver":
            context.set_forkserver_preload(PRELOADED_MODULES)  # no effect once the server runs
        self.pipe, self.sending_end = context.Pipe(duplex=False)
        # The parent process of a process that the fork server makes is the fork server.
        parent = None if self.method == "forkserver" else os.getpid()
        work = (self.sending_end, function, args, end, parent)
        self.process = context.Process(name=WORKER, target=_work, args=work, daemon=True)

    def __enter__(self) -> Self:
        """Start the process."""
        try:
            with _allow_children(), nullcontext() if self.method == "fork" else without_main():
                self.process.start()
            self.sending_end.close()
        except BaseException as error:
            LOG.info("starting a process failed: %r", error)
            self.__exit__()
            raise
        LOG.debug("process %d started (%s)", self.process.pid, self.method)
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the process if it was started."""
        if self.process.pid is not None:
            self.process.kill()
            self.process.join()
        self.pipe.close()

    def receive(self) -> tuple[str, Any]:
        """Wait for the next message, and return its kind and content."""
        try:
            message: tuple[str, Any] = self.pipe.recv()
        except (EOFError, OSError):  # the process ended before or during a message
            self.process.join()
            LOG.info("process %d ended with %s", self.process.pid, self.process.exitcode)
            raise DiedError(_death_message(self.process.exitcode)) from None
        return message


class _MainWithoutFile(ModuleType):
    """A proxy of the main module without `__file__`, so that a new process does not run it."""

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

    The new process would first run that file, which is the user's script.
    """
    with SPAWN_LOCK:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = _MainWithoutFile(main)
        try:
            yield
        finally:
            sys.modules["__main__"] = main


@contextmanager
def _allow_children() -> Iterator[None]:
    """Allow this process to start child processes even if it is a worker of a pool.

    Python forbids this to daemonic processes, because their children could outlive them. The
    children started here end with their parent (`obey_parent`).
    """
    this_process = multiprocessing.current_process()
    was_daemon = this_process.daemon
    if was_daemon:
        this_process.daemon = False
    try:
        yield
    finally:
        if was_daemon:
            this_process.daemon = True


def _death_message(exitcode: int | None) -> str:
    """Return the error message for a process that ended without a result."""
    # If memory runs out, the system sends SIGKILL, or native code calls abort() (SIGABRT).
    was_killed = exitcode in {-signal.SIGKILL, -signal.SIGABRT}
    reason = (
        "was killed, probably because memory ran out" if was_killed else f"ended with {exitcode}"
    )
    return f"the solver's process {reason}; try another engine"


def _work(
    pipe: Connection,
    function: Callable[..., Iterator[Any]],
    args: tuple[Any, ...],
    end: float | None,
    parent: int | None,
) -> None:
    """Run a generator in a worker, and send its items, its end or its exception."""
    global _end, _pipe  # constant while the worker runs
    _end, _pipe = end, pipe
    obey_parent(parent)
    try:
        for item in function(*args):
            pipe.send(("item", item))
        pipe.send(("end", None))
    except Exception as error:  # noqa: BLE001  (raised again in the parent)
        with suppress(MemoryError):  # without a message, the parent reports that the process died
            pipe.send(("error", convert_library_error(error)))
