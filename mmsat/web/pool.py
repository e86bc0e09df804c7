"""Scheduling of questions: a quick and a slow lane of worker processes, round-robin per client.

Every question starts in the quick lane. If it is not answered within a fraction of a second, it is
stopped and restarted in the slow lane, whose workers have a lower priority. So many hard boards do
not delay simple ones for long. In each lane, clients take turns, regardless of their numbers of
questions.
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
from mmsat.web.faults import GATEWAY_TIMEOUT, UNAVAILABLE, UNPROCESSABLE, error_document
from mmsat.web.worker import LATE_MESSAGE, serve

Message = dict[str, Any]
SLOW_LANE_NICENESS = 10
"""The niceness of the workers of the slow lane; those of the quick lane have 0."""
WORKER_DIED = "The process that worked on this ended, probably because memory ran out."
SERVER_FULL = "Too many requests are waiting; try again in a moment."
CLIENT_LIMIT_REACHED = (
    "Too many of your requests are waiting; cancel some, or try again in a moment."
)
NO_WORKER = "The server cannot start a process for this request; try again in a moment."
QUEUE_TIMEOUT = "No process was free for this request in time; try again in a moment."
CONTEXT = multiprocessing.get_context("forkserver")
PRELOAD_MODULE = "mmsat.web.warm"
START_ATTEMPTS = 8
"""Number of consecutive attempts to start a worker."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds between two attempts: the first pause, which is doubled up to the longest one."""
MAX_MESSAGE_BYTES = 1 << 26
"""Maximum size of a message in bytes."""
LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """The limits of a server. Times are in seconds, sizes in bytes."""

    workers: int = os.cpu_count() or 1
    """Number of workers in each lane, which is the number of questions processed at once."""
    patience: float = 0.3
    """Time limit of a question in the quick lane, after which it moves to the slow lane."""
    seconds: float = 60.0
    """Time limit that is passed to the library, which may return a partial answer in time."""
    grace: float = 2.0
    """Time after `seconds` at which a worker without an answer is killed."""
    memory: int = 1 << 31
    """Maximum memory of each process of a worker."""
    body: int = 1 << 18
    """Maximum size of the body of a request, and of its query string."""
    reading: float = 5.0
    """Time limit for receiving the body of a request."""
    waiting: int = 64
    """Maximum number of questions of one client that wait or run."""
    crowd: int = 4096
    """Maximum number of questions of all clients that wait or run."""


class LateError(Exception):
    """The time limit of a lane passed before the question was answered."""


class NoWorkerError(Exception):
    """No worker is available for a question; the argument is the message for the client."""


class Lane:
    """Workers, and the queues of the clients that wait for one."""

    def __init__(self, limits: Limits, patience: float, nice: int) -> None:
        """Create a lane without workers.

        - `patience`: the time limit of a question in this lane, in seconds.
        - `nice`: the niceness of its workers.
        """
        self.limits, self.patience, self.nice = limits, patience, nice
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.waiting: OrderedDict[str, deque[asyncio.Future[Worker]]] = OrderedDict()
        self.starting: set[asyncio.Task[None]] = set()
        self.missing = 0
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
                # Among others OSError (no file or process is left), EOFError (the fork server
                # ended) and RuntimeError (no thread can be started).
                LOG.warning("starting a worker failed (attempt %d): %r", attempt, error)
                if attempt == START_ATTEMPTS or not self.is_open:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        LOG.debug("worker %d started", worker.process.pid)
        worker.set_niceness(self.nice)
        self.offer(worker)

    async def close(self) -> None:
        """Kill all workers, even if they are busy."""
        self.is_open = False
        await asyncio.gather(*self.starting, return_exceptions=True)
        for worker in (*self.idle, *self.busy):
            worker.kill()

    def offer(self, worker: Worker) -> None:
        """Assign a free worker to the next client, or add it to the idle workers.

        The client moves to the end of the queue of clients, if it has further questions.
        """
        while self.waiting:
            client, turns = self.waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self.waiting[client] = turns  # at the end of the OrderedDict
            if not turn.done():
                turn.set_result(worker)
                return
        self.idle.append(worker)

    async def take(self, client: str) -> Worker:
        """Wait for a worker; raise NoWorkerError if none is free within the time limit."""
        while self.idle:
            worker = self.idle.pop()
            if not worker.is_dead():
                return worker
            self.end(worker)
        while self.missing:
            self.missing -= 1
            self.replace()
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(client, deque()).append(turn)
        try:
            async with asyncio.timeout(self.limits.seconds + self.limits.grace):
                return await turn
        except (asyncio.CancelledError, TimeoutError) as error:
            self.leave(client, turn)
            if isinstance(error, TimeoutError):
                raise NoWorkerError(QUEUE_TIMEOUT) from None
            raise

    def leave(self, client: str, turn: asyncio.Future[Worker]) -> None:
        """Remove a waiting question from the queue, or pass on the worker assigned to it."""
        turns = self.waiting.get(client, deque())
        if turn in turns:
            turns.remove(turn)
            if not turns:
                del self.waiting[client]
        elif turn.done() and not turn.cancelled() and turn.exception() is None:
            self.offer(turn.result())

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
        """Start another worker; if that fails and none is left, refuse all waiting questions."""
        try:
            await self.start()
        except Exception:  # noqa: BLE001  (logged by `start`)
            LOG.warning("a worker is missing; the next request that needs it tries again")
            self.missing += 1
            if not self.idle and not self.busy and len(self.starting) == 1:
                self.refuse_all()

    def refuse_all(self) -> None:
        """Refuse all waiting questions."""
        for turns in self.waiting.values():
            for turn in turns:
                if not turn.done():
                    turn.set_exception(NoWorkerError(NO_WORKER))
        self.waiting.clear()

    async def run(
        self, client: str, question: str, given: Message
    ) -> AsyncGenerator[Message, None]:
        """Yield the messages about a question; raise LateError when the lane's time limit passes.

        A worker that did not answer, died, or asked to be replaced (`last`) is killed and replaced.
        """
        worker = await self.take(client)
        self.busy.add(worker)
        is_done = is_well = False
        try:
            end = monotonic() + self.patience
            worker.send(question, given, self.limits.seconds)
            while not is_done:
                left = max(0.0, end - monotonic())
                message = await asyncio.wait_for(worker.receive(), left)
                is_done = "note" not in message
                is_well = is_done and not message.pop("last", False)
                yield message
        except TimeoutError:
            raise LateError from None
        except (EOFError, OSError, ValueError) as error:
            LOG.warning("worker %d ended while it answered: %r", worker.process.pid, error)
            yield {"error": error_document(UNPROCESSABLE, WORKER_DIED)}
        finally:
            self.busy.discard(worker)
            if is_well:
                self.offer(worker)
            else:
                self.end(worker)


class Pool:
    """Answers the questions of clients within its limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.quick = Lane(limits, limits.patience, 0)
        self.slow = Lane(limits, limits.seconds + limits.grace, SLOW_LANE_NICENESS)
        self.jobs: dict[str, int] = {}

    async def open(self) -> None:
        """Start the workers of both lanes; the first takes some seconds for the imports."""
        for _ in range(self.limits.workers):
            await self.quick.start()
            await self.slow.start()

    async def close(self) -> None:
        """Kill all workers, even if they are busy."""
        await self.quick.close()
        await self.slow.close()
        await asyncio.sleep(0)  # the event loop closes the sockets in its next iteration

    async def ask(
        self, client: str, question: str, given: Message
    ) -> AsyncGenerator[Message, None]:
        """Yield the messages about a question: notes, then the answer or the error.

        The slow lane restarts the question. As many of its first notes as the quick lane yielded
        are skipped, because they would replace later results by earlier ones.
        """
        refusal = self.find_refusal(client)
        if refusal is not None:
            yield {"error": error_document(UNAVAILABLE, refusal)}
            return
        self.jobs[client] = self.jobs.get(client, 0) + 1
        given_notes = 0
        try:
            try:
                async with aclosing(self.quick.run(client, question, given)) as messages:
                    async for message in messages:
                        yield message
                        given_notes += 1
            except LateError:
                async with aclosing(self.slow.run(client, question, given)) as messages:
                    async for message in messages:
                        if "note" in message and given_notes:
                            given_notes -= 1
                        else:
                            yield message
        except LateError:
            yield {"error": error_document(GATEWAY_TIMEOUT, LATE_MESSAGE)}
        except NoWorkerError as error:
            LOG.warning("a question was refused: %s", error)
            yield {"error": error_document(UNAVAILABLE, str(error))}
        finally:
            self.jobs[client] -= 1
            if not self.jobs[client]:
                del self.jobs[client]

    def find_refusal(self, client: str) -> str | None:
        """Return the reason for refusing another question of a client, or None."""
        if sum(self.jobs.values()) >= self.limits.crowd:
            return SERVER_FULL
        return CLIENT_LIMIT_REACHED if self.jobs.get(client, 0) >= self.limits.waiting else None


class Worker:
    """A process that answers one question at a time, and can be killed at any time."""

    def __init__(self, link: socket.socket, process: Any) -> None:
        self.link, self.process = link, process
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    @classmethod
    async def start(cls, limits: Limits) -> Worker:
        """Start a worker process, and connect to it."""
        worker = await asyncio.to_thread(cls.fork, limits.memory)
        try:
            worker.reader, worker.writer = await asyncio.open_connection(
                sock=worker.link, limit=MAX_MESSAGE_BYTES
            )
        except BaseException:
            worker.kill()
            raise
        return worker

    @classmethod
    def fork(cls, memory: int) -> Worker:
        """Fork a process from the fork server; the first call waits for the server's imports."""
        CONTEXT.set_forkserver_preload([PRELOAD_MODULE])
        ours, theirs = socket.socketpair()
        try:
            with theirs, without_main():
                process = CONTEXT.Process(target=serve, args=(theirs, memory), daemon=True)
                process.start()
        except BaseException:
            ours.close()
            raise
        return cls(ours, process)

    def send(self, question: str, given: dict[str, Any], seconds: float) -> None:
        """Send a question to the process."""
        message = {"question": question, "given": given, "seconds": seconds}
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

    def set_niceness(self, nice: int) -> None:
        """Lower the priority of the process and of the processes that it starts."""
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid, nice)

    def kill(self) -> None:
        """Kill the process and all processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)  # if it has not created its group yet
        self.link.close()
        if hasattr(self, "writer"):
            self.writer.close()
