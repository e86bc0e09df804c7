"""Who is worked for, and when: two lanes of workers, fair by client.

Every question starts in the quick lane, whose workers answer what takes a moment. A question that
takes longer gives its place away and goes to the slow lane, whose workers run where the quick ones
leave time. So a flood of hard boards never keeps a simple one waiting for long. In each lane
clients take turns, however many questions each of them has.
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
from mmsat.web.faults import BUSY, LATE, UNFIT, tell
from mmsat.web.worker import LATE_WORDS, serve

Message = dict[str, Any]
NICE = 10
"""What the slow lane leaves to the quick one."""
DIED = "The process that worked on this ended, most likely for want of memory."
CROWDED = "Too many questions wait already; ask again in a moment."
GREEDY = "You have too many questions waiting; end some, or ask again in a moment."
NO_WORKER = "The server cannot start a process for this question now; try again in a moment."
LONG_QUEUE = "No process was free for this question in time; try again in a moment."
CONTEXT = multiprocessing.get_context("forkserver")
WARM = "mmsat.web.warm"
START_ATTEMPTS = 8
"""How often starting a worker is tried in a row."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds between two attempts: the first pause, and the limit of its doubling."""
LINE = 1 << 26
"""The bytes of a message at most."""
LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """The bounds of a server. Times are in seconds, memory is in bytes."""

    workers: int = os.cpu_count() or 1
    """How many questions are worked on at once in each lane."""
    patience: float = 0.3
    """How long a question has in the quick lane before it goes to the slow one."""
    seconds: float = 60.0
    """How long a question may take in all; the library is told, so that it says what it knows."""
    grace: float = 2.0
    """How much later a worker that did not end by itself is ended."""
    memory: int = 1 << 31
    """What each process of a worker may take."""
    body: int = 1 << 18
    """The bytes of a request, of its body and of its address alike."""
    reading: float = 5.0
    """How long a client may take to send a body."""
    waiting: int = 64
    """How many questions of one client may wait or run at once."""
    crowd: int = 4096
    """How many questions of all clients may."""


class LateError(Exception):
    """A lane's time for a question was up."""


class NoWorkerError(Exception):
    """No worker can take a question now; the argument is the message for the client."""


class Lane:
    """Some workers, and the clients who wait for one in turn."""

    def __init__(self, limits: Limits, patience: float, nice: int) -> None:
        """Workers have so many seconds for a question."""
        self.limits, self.patience, self.nice = limits, patience, nice
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.waiting: OrderedDict[str, deque[asyncio.Future[Worker]]] = OrderedDict()
        self.starting: set[asyncio.Task[None]] = set()
        self.missing = 0
        """Workers that could not be started. It is tried again at the next question."""
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
        worker.yield_to_others(self.nice)
        self.offer(worker)

    async def close(self) -> None:
        """End all workers, whatever they do."""
        self.is_open = False
        await asyncio.gather(*self.starting, return_exceptions=True)
        for worker in (*self.idle, *self.busy):
            worker.kill()

    def offer(self, worker: Worker) -> None:
        """Give a worker to the client whose turn it is."""
        while self.waiting:
            client, turns = self.waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self.waiting[client] = turns  # behind all others
            if not turn.done():
                turn.set_result(worker)
                return
        self.idle.append(worker)

    async def take(self, client: str) -> Worker:
        """Wait for a worker; raises NoWorkerError at the time limit."""
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
                raise NoWorkerError(LONG_QUEUE) from None
            raise

    def leave(self, client: str, turn: asyncio.Future[Worker]) -> None:
        """Give up a place in the queue, or the worker that it has just got."""
        turns = self.waiting.get(client, deque())
        if turn in turns:
            turns.remove(turn)
            if not turns:
                del self.waiting[client]
        elif turn.done() and not turn.cancelled() and turn.exception() is None:
            self.offer(turn.result())

    def end(self, worker: Worker) -> None:
        """End a worker, whatever it does, and start another."""
        worker.kill()
        self.replace()

    def replace(self) -> None:
        """Start another worker in the background."""
        task = asyncio.get_running_loop().create_task(self._replace())
        self.starting.add(task)
        task.add_done_callback(self.starting.discard)

    async def _replace(self) -> None:
        """Start another worker; if that fails, refuse the clients that no worker is left for."""
        try:
            await self.start()
        except Exception:  # noqa: BLE001  (logged by `start`)
            LOG.warning("a worker is missing; the next question that needs it tries again")
            self.missing += 1
            if not self.idle and not self.busy and len(self.starting) == 1:
                self.refuse_all()

    def refuse_all(self) -> None:
        """Refuse everyone who waits."""
        for turns in self.waiting.values():
            for turn in turns:
                if not turn.done():
                    turn.set_exception(NoWorkerError(NO_WORKER))
        self.waiting.clear()

    async def run(
        self, client: str, question: str, given: Message
    ) -> AsyncGenerator[Message, None]:
        """The messages about a question; raises LateError where the lane's time was up."""
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
            yield {"error": tell(UNFIT, DIED)}
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
        self.slow = Lane(limits, limits.seconds + limits.grace, NICE)
        self.jobs: dict[str, int] = {}

    async def open(self) -> None:
        """Start the workers of both lanes; the first one takes some seconds, as all is loaded."""
        for _ in range(self.limits.workers):
            await self.quick.start()
            await self.slow.start()

    async def close(self) -> None:
        """End every worker, whatever it does."""
        await self.quick.close()
        await self.slow.close()
        await asyncio.sleep(0)  # their sockets are closed by the loop

    async def ask(
        self, client: str, question: str, given: Message
    ) -> AsyncGenerator[Message, None]:
        """The messages about a question: notes, then the answer or the error.

        The slow lane begins anew. Its first notes, as many as the quick lane gave, are skipped,
        because they would take back what the client knows.
        """
        refusal = self.find_refusal(client)
        if refusal is not None:
            yield {"error": tell(BUSY, refusal)}
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
            yield {"error": tell(LATE, LATE_WORDS)}
        except NoWorkerError as error:
            LOG.warning("a question was refused: %s", error)
            yield {"error": tell(BUSY, str(error))}
        finally:
            self.jobs[client] -= 1
            if not self.jobs[client]:
                del self.jobs[client]

    def find_refusal(self, client: str) -> str | None:
        """Why a client has to wait before it may ask, or None."""
        if sum(self.jobs.values()) >= self.limits.crowd:
            return CROWDED
        return GREEDY if self.jobs.get(client, 0) >= self.limits.waiting else None


class Worker:
    """A process that answers one question at a time, and can be ended at any."""

    def __init__(self, link: socket.socket, process: Any) -> None:
        self.link, self.process = link, process
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    @classmethod
    async def start(cls, limits: Limits) -> Worker:
        """Fork one."""
        worker = await asyncio.to_thread(cls.fork, limits.memory)
        try:
            worker.reader, worker.writer = await asyncio.open_connection(
                sock=worker.link, limit=LINE
            )
        except BaseException:
            worker.kill()
            raise
        return worker

    @classmethod
    def fork(cls, memory: int) -> Worker:
        """Fork a process; the first one waits until everything is loaded."""
        CONTEXT.set_forkserver_preload([WARM])
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
        """Ask a question."""
        message = {"question": question, "given": given, "seconds": seconds}
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def receive(self) -> dict[str, Any]:
        """Wait for the next message; raises EOFError where the process has ended."""
        line = await self.reader.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message: dict[str, Any] = json.loads(line)
        return message

    def is_dead(self) -> bool:
        """Whether the process has ended, though nobody ended it."""
        return self.reader.at_eof()

    def yield_to_others(self, nice: int) -> None:
        """Let the process and all that it starts run where others leave time."""
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid, nice)

    def kill(self) -> None:
        """End the process and all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)  # where it had no group yet
        self.link.close()
        if hasattr(self, "writer"):
            self.writer.close()
