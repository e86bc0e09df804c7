"""Scheduling of questions: lanes of worker processes, round-robin per client.

A *lane* is a group of worker processes with a time limit, and a queue of questions for each client.
Every question starts in the quick lane. If it is not answered within a fraction of a second, it is
stopped and restarted in the medium lane, and after some seconds in the slow lane. The workers of
each lane have a lower priority than those of the lane before. Therefore, a large number of hard
boards does not delay simple ones for long, even if a short stall of the machine stops a simple
question in the quick lane. In each lane, clients take turns, however many questions they have.
"""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
import signal
import socket
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any

from mmsat.solving.worker import without_main
from mmsat.web.worker import (
    GATEWAY_TIMEOUT,
    LATE_MESSAGE,
    UNAVAILABLE,
    UNPROCESSABLE,
    error_document,
    serve,
)

Message = dict[str, Any]
"""A JSON object that is sent to a worker or received from it; see worker.py."""
LANE_NICENESS = (0, 5, 10)
"""The niceness of the workers of the quick, the medium and the slow lane."""
MEDIUM_FACTOR = 10
"""The time limit of the medium lane, as a multiple of that of the quick lane."""
WORKER_DIED = "The process that worked on this ended, probably because memory ran out."
SERVER_FULL = "Too many requests are waiting; try again in a moment."
CLIENT_LIMIT_REACHED = (
    "Too many of your requests are waiting; cancel some, or try again in a moment."
)
NO_WORKER = "The server cannot start a process for this request; try again in a moment."
QUEUE_TIMEOUT = "No process was free for this request in time; try again in a moment."
CONTEXT = multiprocessing.get_context("forkserver")
"""Starts workers as forks of a process that has imported all modules."""
PRELOAD_MODULE = "mmsat.web.warm"
"""The module that the fork server imports before it forks the first worker."""
START_ATTEMPTS = 8
"""Number of consecutive attempts to start a worker."""
FIRST_PAUSE, MAX_PAUSE = 0.1, 2.0
"""Seconds between two attempts: the first pause, which is doubled after each attempt, and the
maximum."""
MAX_MESSAGE_BYTES = 1 << 26
"""Maximum size of a message in bytes."""
LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """The limits of a server. Times are in seconds, sizes in bytes."""

    workers: int = os.cpu_count() or 1
    """Number of workers in each lane, and thus of questions that are processed at once."""
    quick_seconds: float = 0.3
    """Time limit of a question in the quick lane, after which it moves to the medium lane."""
    seconds: float = 60.0
    """Time limit that is passed to the library, which may return a partial answer before it."""
    grace_seconds: float = 2.0
    """Time after `seconds` at which a worker without an answer is killed."""
    memory: int = 1 << 31
    """Maximum memory of each process of a worker."""
    max_body: int = 1 << 18
    """Maximum size of the body of a request, and of its query string."""
    body_seconds: float = 5.0
    """Time limit for receiving the body of a request."""
    max_client_questions: int = 64
    """Maximum number of questions of one client that wait or run."""
    max_questions: int = 4096
    """Maximum number of questions of all clients that wait or run."""
    plugins: tuple[str, ...] = ()
    """The plug-ins that questions may use, by name or reference."""


class LateError(Exception):
    """The time limit of a lane passed before the question was answered."""


class NoWorkerError(Exception):
    """No worker is available for a question. The argument is the message for the client."""


class Lane:
    """A group of workers, and the questions that wait for one of them."""

    def __init__(self, limits: Limits, max_seconds: float, niceness: int) -> None:
        """Create a lane without workers.

        - `max_seconds`: the time limit of a question in this lane.
        - `niceness`: the niceness of its workers.
        """
        self.limits, self.max_seconds, self.niceness = limits, max_seconds, niceness
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.waiting: OrderedDict[str, deque[asyncio.Future[Worker]]] = OrderedDict()
        """The waiting questions of each client, as futures. The result of a future is the worker
        that is assigned to the question."""
        self.starting: set[asyncio.Task[None]] = set()
        self.num_missing = 0
        """Number of workers that could not be started. The next question tries again."""
        self.is_open = True

    async def start(self) -> None:
        """Start one more worker. If all attempts fail, raise the last error."""
        pause = FIRST_PAUSE
        for attempt in range(1, START_ATTEMPTS + 1):
            try:
                worker = await Worker.start(self.limits)
                break
            except Exception as error:
                # For example OSError (no further file or process is available), EOFError (the fork
                # server ended) or RuntimeError (no thread can be started).
                LOG.warning("starting a worker failed (attempt %d): %r", attempt, error)
                if attempt == START_ATTEMPTS or not self.is_open:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)
        LOG.debug("worker %d started", worker.process.pid)
        worker.set_niceness(self.niceness)
        self.offer(worker)

    async def close(self) -> None:
        """Kill all workers, even if they are busy."""
        self.is_open = False
        await asyncio.gather(*self.starting, return_exceptions=True)
        for worker in (*self.idle, *self.busy):
            worker.kill()

    def offer(self, worker: Worker) -> None:
        """Assign a free worker to the next client, or add it to the idle workers.

        If the client has further questions, it moves to the end of the queue of clients.
        """
        while self.waiting:
            client, futures = self.waiting.popitem(last=False)
            future = futures.popleft()
            if futures:
                self.waiting[client] = futures  # at the end of the OrderedDict
            if not future.done():
                future.set_result(worker)
                return
        self.idle.append(worker)

    async def take(self, client: str) -> Worker:
        """Wait for a worker; raise NoWorkerError if none is free within the time limit."""
        while self.idle:
            worker = self.idle.pop()
            if not worker.is_dead():
                return worker
            self.end(worker)
        while self.num_missing:
            self.num_missing -= 1
            self.replace()
        future: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(client, deque()).append(future)
        try:
            async with asyncio.timeout(self.limits.seconds + self.limits.grace_seconds):
                return await future
        except (asyncio.CancelledError, TimeoutError) as error:
            self.leave(client, future)
            if isinstance(error, TimeoutError):
                raise NoWorkerError(QUEUE_TIMEOUT) from None
            raise

    def leave(self, client: str, future: asyncio.Future[Worker]) -> None:
        """Remove a waiting question from the queue, or pass on the worker assigned to it."""
        futures = self.waiting.get(client, deque())
        if future in futures:
            futures.remove(future)
            if not futures:
                del self.waiting[client]
        elif future.done() and not future.cancelled() and future.exception() is None:
            self.offer(future.result())

    def end(self, worker: Worker) -> None:
        """Kill a worker, and start another one in the background."""
        worker.kill()
        self.replace()

    def replace(self) -> None:
        """Start another worker in the background."""
        task = asyncio.get_running_loop().create_task(self._replace())
        self.starting.add(task)
        task.add_done_callback(self.starting.discard)

    async def _replace(self) -> None:
        """Start another worker; if that fails and none remains, refuse all waiting questions."""
        try:
            await self.start()
        except Exception:  # noqa: BLE001  (logged by `start`)
            LOG.warning("a worker is missing; the next request that needs it tries again")
            self.num_missing += 1
            is_only_start = len(self.starting) == 1  # the set still contains this task
            if not self.idle and not self.busy and is_only_start:
                self.refuse_all()

    def refuse_all(self) -> None:
        """Refuse all waiting questions."""
        for futures in self.waiting.values():
            for future in futures:
                if not future.done():
                    future.set_exception(NoWorkerError(NO_WORKER))
        self.waiting.clear()

    async def run(
        self, client: str, question: str, arguments: Message
    ) -> AsyncGenerator[Message, None]:
        """Yield the messages about a question; raise LateError if the time limit passes.

        The worker is killed and replaced if it did not answer, died, or marked its answer as its
        last one (`last`).
        """
        worker = await self.take(client)
        self.busy.add(worker)
        is_done = is_reusable = False
        try:
            end = monotonic() + self.max_seconds
            worker.send(question, arguments, self.limits.seconds)
            while not is_done:
                if monotonic() > end:
                    raise LateError
                # not `wait_for`: in Python 3.11, it loses a cancellation that comes with a message
                async with asyncio.timeout(end - monotonic()):
                    message = await worker.receive()
                is_done = "note" not in message
                is_reusable = is_done and not message.pop("last", False)
                yield message
        except TimeoutError:
            raise LateError from None
        except (EOFError, OSError, ValueError) as error:
            LOG.warning("worker %d ended while it answered: %r", worker.process.pid, error)
            yield {"error": error_document(UNPROCESSABLE, WORKER_DIED)}
        finally:
            self.busy.discard(worker)
            if is_reusable:
                self.offer(worker)
            else:
                self.end(worker)


class Pool:
    """Answers the questions of clients within its limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        max_seconds = (
            limits.quick_seconds,
            MEDIUM_FACTOR * limits.quick_seconds,
            limits.seconds + limits.grace_seconds,
        )
        self.quick, self.medium, self.slow = self.lanes = tuple(
            Lane(limits, seconds, niceness)
            for seconds, niceness in zip(max_seconds, LANE_NICENESS, strict=True)
        )
        self.num_questions: dict[str, int] = {}
        """The number of questions of each client that wait or run."""

    async def open(self) -> None:
        """Start the workers of all lanes. The first one takes seconds, because of the imports."""
        for _ in range(self.limits.workers):
            for lane in self.lanes:
                await lane.start()

    async def close(self) -> None:
        """Kill all workers, even if they are busy."""
        for lane in self.lanes:
            await lane.close()
        await asyncio.sleep(0)  # the event loop closes the sockets in its next iteration

    async def ask(
        self, client: str, question: str, arguments: Message
    ) -> AsyncGenerator[Message, None]:
        """Yield the messages about a question: notes, then the answer or the error.

        Each lane restarts the question. If the lanes before yielded N notes, the first N notes of
        a lane are skipped, because they would replace later results by earlier ones.
        """
        refusal = self.find_refusal(client)
        if refusal is not None:
            yield {"error": error_document(UNAVAILABLE, refusal)}
            return
        self.num_questions[client] = self.num_questions.get(client, 0) + 1
        num_yielded = 0
        try:
            for lane in self.lanes:
                with suppress(LateError):
                    num_notes = 0
                    async with aclosing(lane.run(client, question, arguments)) as messages:
                        async for message in messages:
                            num_notes += 1
                            if "note" not in message or num_notes > num_yielded:
                                yield message
                    return
                num_yielded = max(num_yielded, num_notes)
            yield {"error": error_document(GATEWAY_TIMEOUT, LATE_MESSAGE)}
        except NoWorkerError as error:
            LOG.warning("a question was refused: %s", error)
            yield {"error": error_document(UNAVAILABLE, str(error))}
        finally:
            self.num_questions[client] -= 1
            if not self.num_questions[client]:
                del self.num_questions[client]

    def find_refusal(self, client: str) -> str | None:
        """Return the reason for refusing another question of a client, or None."""
        if sum(self.num_questions.values()) >= self.limits.max_questions:
            return SERVER_FULL
        if self.num_questions.get(client, 0) >= self.limits.max_client_questions:
            return CLIENT_LIMIT_REACHED
        return None


class Worker:
    """A process that answers one question at a time, and can be killed at any time."""

    def __init__(self, link: socket.socket, process: Any) -> None:
        self.link, self.process = link, process
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    @classmethod
    async def start(cls, limits: Limits) -> Worker:
        """Start a worker process, and connect to it."""
        worker = await asyncio.to_thread(cls.fork, limits)
        try:
            worker.reader, worker.writer = await asyncio.open_connection(
                sock=worker.link, limit=MAX_MESSAGE_BYTES
            )
        except BaseException:
            worker.kill()
            raise
        return worker

    @classmethod
    def fork(cls, limits: Limits) -> Worker:
        """Fork a process from the fork server. The first call waits for the server to import."""
        CONTEXT.set_forkserver_preload([PRELOAD_MODULE])
        own_end, worker_end = socket.socketpair()
        try:
            with worker_end, without_main():
                arguments = worker_end, limits.memory, limits.plugins
                process = CONTEXT.Process(target=serve, args=arguments, daemon=True)
                process.start()
        except BaseException:
            own_end.close()
            raise
        return cls(own_end, process)

    def send(self, question: str, arguments: dict[str, Any], seconds: float) -> None:
        """Send a question to the process."""
        message = {"question": question, "given": arguments, "seconds": seconds}
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def receive(self) -> dict[str, Any]:
        """Wait for the next message; raise EOFError if the process has ended."""
        line = await self.reader.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message: dict[str, Any] = json.loads(line)
        return message

    def is_dead(self) -> bool:
        """Return whether the process has ended by itself."""
        return self.reader.at_eof()

    def set_niceness(self, niceness: int) -> None:
        """Set the niceness of the process and of the processes that it starts."""
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid, niceness)

    def kill(self) -> None:
        """Kill the process and all processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)  # if it has not created its group yet
        if hasattr(self, "writer"):
            self.writer.transport.abort()  # drops an unsent question, and closes the socket
        else:
            self.link.close()
