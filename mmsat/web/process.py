"""A worker as the server sees it."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import socket
from contextlib import suppress
from typing import Any

from mmsat.solving.worker import without_main
from mmsat.web.limits import Limits
from mmsat.web.worker import serve

CONTEXT = multiprocessing.get_context("forkserver")
WARM = "mmsat.web.warm"
LINE = 1 << 26
"""The bytes of a message at most."""


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
        with theirs, without_main():
            process = CONTEXT.Process(target=serve, args=(theirs, memory), daemon=True)
            process.start()
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
