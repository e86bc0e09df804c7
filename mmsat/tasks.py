"""Many tasks for one executor: processes here, or the workers of a scheduler elsewhere.

Everything in bulk goes through `in_order`, so that what comes out does not depend on who does it.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager
from itertools import starmap
from typing import TYPE_CHECKING, Any, TypeVar

from mmsat.errors import Fault, InputError, MissingError, MmsatError
from mmsat.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

T = TypeVar("T")
AHEAD = 64
"""Tasks that are on the way at most, so that memory is bounded however many there are."""
CONNECTING = "10s"
"""How long a scheduler is waited for."""


def in_order(
    executor: Executor | None, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[T]:
    """The results of a function for many arguments, in order, wherever the work is done.

    Without an executor that is here, one task after the other. With one, function and arguments are
    pickled; tasks are taken from the iterator as they are sent, and at most AHEAD are on the way or
    wait for an earlier one. Those that have not begun are canceled when the iterator is closed; a
    pool of processes does so when it is shut down.

    Raises what the function raises, and MmsatError where whoever works is gone.
    """
    if executor is None:
        yield from starmap(function, tasks)
        return
    from concurrent.futures import (  # noqa: PLC0415  (loads for this)
        BrokenExecutor,
        CancelledError,
        ProcessPoolExecutor,
    )

    waiting: deque[Future[T]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, *task))
            if len(waiting) >= AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except (BrokenExecutor, CancelledError) as error:
        message = "who did the work is gone: a process was killed, for want of memory most likely"
        raise MmsatError(f"{message}, or a scheduler ended") from error
    finally:
        if not isinstance(executor, ProcessPoolExecutor):  # whose thread may fail at it in 3.11
            for future in waiting:
                future.cancel()


@contextmanager
def open_executor(processes: int = 1, dask: str | None = None) -> Iterator[Executor | None]:
    """So many processes here, or the workers of the Dask scheduler at an address, or None for here.

    All is ended with the context, also what still works, without waiting for it. Raises InputError
    for both at once, and MissingError without the extra dask.
    """
    if dask is not None and processes > 1:
        both = "--processes and --dask"
        raise InputError.of("the options", "one of them", both, "work is done here or there")
    if dask is not None:
        with _workers(dask) as executor:
            yield executor
    elif processes == 1:
        yield None
    else:
        with _processes(processes) as executor:
            yield executor


@contextmanager
def _processes(many: int) -> Iterator[Executor]:
    import multiprocessing  # noqa: PLC0415  (takes long to load)
    import signal  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    before = {*multiprocessing.active_children()}
    obey = load("mmsat.solving.worker:obey_parent")
    pool = ProcessPoolExecutor(many, initializer=obey, initargs=(os.getpid(),))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a Ctrl-C amid a fork would be lost
    try:
        pool.submit(int)  # starts the processes
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in {*multiprocessing.active_children()} - before:
            process.kill()


@contextmanager
def _workers(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
        from distributed.scheduler import KilledWorker  # noqa: PLC0415
    except ImportError:
        message = "--dask needs the extra dask: pip install 'mmsat[dask]'"
        raise MissingError(message) from None
    try:
        client = Client(address, set_as_default=False, timeout=CONNECTING)
    except (OSError, ValueError) as error:
        rule = f"a scheduler answers within {CONNECTING}"
        fault = Fault(rule, address, "an address such as tcp://HOST:8786", part="--dask")
        raise InputError([fault], "the options") from error
    executor = client.get_executor(pure=False)
    try:
        yield executor
    except KilledWorker as error:
        raise MmsatError(str(error)) from error
    finally:
        executor.shutdown(wait=False)
        client.close()
