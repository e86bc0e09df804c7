"""Resource use of a server's processes, from /proc (Linux)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Sample(NamedTuple):
    """The total resource use of all processes of a server."""

    memory: float
    """MiB; each shared page is divided among the processes that share it."""
    resident: float
    """MiB, with shared pages counted in every process."""
    processes: int
    threads: int
    files: int
    """Open file descriptors."""


class Family:
    """A process and all its descendants, even if their parent has ended."""

    def __init__(self, ancestor: int) -> None:
        self.known = {ancestor}

    def members(self) -> dict[int, list[str]]:
        """Return the running processes: number -> fields after the name in their stat file."""
        alive = {}
        for entry in PROC.glob("[0-9]*/stat"):
            try:
                alive[int(entry.parent.name)] = entry.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
        for number in sorted(alive):
            parent, group, session = map(int, alive[number][1:4])
            if self.known & {parent, group, session}:
                self.known.add(number)
        ended = "ZX"
        return {
            n: fields for n, fields in alive.items() if n in self.known and fields[0] not in ended
        }

    def sample(self) -> Sample:
        """Look at all of them."""
        members = self.members()
        memory = resident = files = 0
        for number in members:
            try:
                rollup = (PROC / str(number) / "smaps_rollup").read_text()
                memory += int(re.search(r"^Pss: +(\d+)", rollup, re.MULTILINE)[1])
                resident += int(re.search(r"^Rss: +(\d+)", rollup, re.MULTILINE)[1])
                files += len(list((PROC / str(number) / "fd").iterdir()))
            except (OSError, TypeError):
                continue
        threads = sum(int(fields[17]) for fields in members.values())
        return Sample(memory / 1024, resident / 1024, len(members), threads, files)

    def seconds(self) -> float:
        """Return the processor time of running processes and of finished children."""
        members = self.members()
        ticks = sum(int(tick) for fields in members.values() for tick in fields[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")
