"""Process trees from /proc: members, used time and remaining processes."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

PROC = Path("/proc")
PATIENCE = 20
"""Seconds in which orphans have to end, on a busy machine."""


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    results = [pid]
    for result in results:
        for task in _list(PROC / str(result) / "task"):
            with suppress(OSError):
                results += map(int, (task / "children").read_text("ascii").split())
    return results


def spent(pid: int) -> float:
    """Return the processor seconds of a process and of its living descendants."""
    total = 0
    for entry in family(pid):
        for task in _list(PROC / str(entry) / "task"):
            with suppress(OSError):
                total += int((task / "schedstat").read_text("ascii").split()[0])
    return total / 1e9


def waited(pid: int) -> float:
    """Return the seconds in which a process was ready to run while others ran."""
    with suppress(OSError):
        return int((PROC / str(pid) / "schedstat").read_text("ascii").split()[1]) / 1e9
    return 0.0


def resident(pid: int) -> float:
    """Return the memory of a process tree in MiB; shared pages count once."""
    total = 0
    for entry in family(pid):
        with suppress(OSError):
            lines = (PROC / str(entry) / "smaps_rollup").read_text("ascii").splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def left(session: int) -> list[str]:
    """Return the command lines of the processes of a session that do not end within PATIENCE."""
    until = monotonic() + PATIENCE
    while (result := _members(session)) and monotonic() < until:
        sleep(0.05)
    return result


def _members(session: int) -> list[str]:
    results = []
    for process in _list(PROC):
        with suppress(OSError, ValueError, IndexError):
            state, _, _, its_session = (
                (process / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[:4]
            )
            if process.name.isdigit() and int(its_session) == session and state != "Z":
                results.append((process / "cmdline").read_text("utf-8").replace("\0", " "))
    return results


def _list(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [*folder.iterdir()]
    return []
