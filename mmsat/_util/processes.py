"""Run many tasks in an executor: local processes, or the workers of a Dask scheduler.

All bulk work goes through `in_order`, so that the output does not depend on the executor.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from contextlib import contextmanager
from itertools import starmap
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from mmsat.errors import Fault, InputError, MmsatError, requiring_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

T = TypeVar("T")
MAX_PENDING_TASKS = 64
"""Maximum number of submitted tasks whose results have not been yielded. It bounds the memory."""
MAX_JOIN_SECONDS = 0.5
"""Maximum waiting time for the thread that manages a process pool, after the processes ended."""
CONNECT_TIMEOUT = "10s"
"""Timeout for connecting to a scheduler."""


@contextmanager
def restoring_timer() -> Iterator[None]:
    """Restore the timer of the process, and the handler of its signal, after the body.

    The timer is set to the time that remains. Solvers of python-sat and the progress line use the
    timer, which may already be in use for the time limit of a command.
    """
    if not hasattr(signal, "setitimer"):  # on Windows
        yield
        return
    handler = signal.getsignal(signal.SIGALRM)
    remaining, interval = signal.getitimer(signal.ITIMER_REAL)
    end_time = monotonic() + remaining
    try:
        yield
    finally:
        # The timer stops first, because the default handler would end the process.
        signal.setitimer(signal.ITIMER_REAL, 0)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
        if remaining:  # 0 would switch the timer off: at least 1 ms, if the time has passed
            signal.setitimer(signal.ITIMER_REAL, max(end_time - monotonic(), 0.001), interval)


def in_order(
    executor: Executor | None, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[T]:
    """Yield the results of a function for many tuples of arguments, in the order of the tasks.

    Without an executor, the tasks run one after the other in this process. With an executor,
    function and arguments are pickled. A task is read from the iterable when it is submitted, and
    at most MAX_PENDING_TASKS are pending. Tasks that have not started are canceled when the
    iterator is closed, or for a process pool, when the pool is shut down.

    Raises the exceptions of the function, and MmsatError if a worker or the scheduler ended.
    """
    if executor is None:
        yield from starmap(function, tasks)
        return
    from concurrent.futures import (
        BrokenExecutor,
        CancelledError,
        ProcessPoolExecutor,
    )

    waiting: deque[Future[T]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, *task))
            if len(waiting) >= MAX_PENDING_TASKS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except (BrokenExecutor, CancelledError) as error:
        message = "the worker processes ended: probably memory ran out, or a Dask scheduler stopped"
        raise MmsatError(message) from error
    finally:
        # In Python 3.11, canceling can break the thread that manages a process pool. A pool cancels
        # its tasks itself when it is shut down.
        if not isinstance(executor, ProcessPoolExecutor):
            for future in waiting:
                future.cancel()


@contextmanager
def open_executor(jobs: int = 1, dask: str | None = None) -> Iterator[Executor | None]:
    """Open a process pool or a Dask executor; yield None to work in this process.

    - `jobs`: the number of processes; 1 yields None.
    - `dask`: the address of a Dask scheduler, which is used instead.

    At the end of the context, running tasks are stopped without waiting for them. Raises InputError
    if both are requested or the scheduler does not answer, and MissingError if the extra `dask` is
    not installed.
    """
    if dask is not None and jobs > 1:
        raise InputError.of("the arguments", "jobs=1 with dask", f"jobs={jobs}")
    if dask is not None:
        with _dask_executor(dask) as executor:
            yield executor
    elif jobs == 1:
        yield None
    else:
        with _process_pool(jobs) as executor:
            yield executor


@contextmanager
def _process_pool(num_processes: int) -> Iterator[Executor]:
    """Open a pool of local processes, and kill them at the end of the context."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    earlier_children = {*multiprocessing.active_children()}
    earlier_threads = {*threading.enumerate()}
    pool = ProcessPoolExecutor(num_processes, initializer=obey_parent, initargs=(os.getpid(),))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a Ctrl-C during a fork gets lost
    try:
        pool.submit(int)  # starts the processes, and a thread that manages them
        threads = {*threading.enumerate()} - earlier_threads
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in {*multiprocessing.active_children()} - earlier_children:
            process.kill()
        # Wait for the thread: if Python exits while it closes its pipe, Python 3.11 writes to the
        # closed pipe and prints an error.
        for thread in threads:
            thread.join(MAX_JOIN_SECONDS)


@contextmanager
def _dask_executor(address: str) -> Iterator[Executor]:
    """Open an executor on the workers of the Dask scheduler at an address."""
    with requiring_extra("--dask needs the extra dask: pip install 'mmsat[dask]'"):
        from distributed import Client
        from distributed.scheduler import KilledWorker
    try:
        client = Client(address, set_as_default=False, timeout=CONNECT_TIMEOUT)
    except (OSError, ValueError) as error:
        rule = f"no scheduler answered within {CONNECT_TIMEOUT}"
        expected = "the address of a Dask scheduler, such as tcp://HOST:8786"
        fault = Fault(rule, address, expected, part="--dask")
        raise InputError([fault], "the options") from error
    executor = client.get_executor(pure=False)
    try:
        yield executor
    except KilledWorker as error:
        raise MmsatError(str(error)) from error
    finally:
        executor.shutdown(wait=False)
        client.close()


def obey_parent(parent_pid: int | None = None) -> None:
    """Ignore Ctrl-C, which the parent process handles, and end when the parent process ends.

    If `parent_pid` is not the process id of the parent, the parent has already ended, and this
    process ends at once.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1  # from linux/prctl.h: the signal to send when the parent ends
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if parent_pid not in {None, os.getppid()}:
        os._exit(1)


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
