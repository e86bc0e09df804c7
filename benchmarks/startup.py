"""Start-up: the CPU time of whole processes, as ratios to bare Python in the same run."""

from __future__ import annotations

import os
import sys
from statistics import median

from benchmarks.timing import report

CONSISTENT = "4x6/1122=1.1/3345=0.2"
SLIPPED = "4x6/1122=1.1/1122=0.2/3345=0.2"
ROUNDS = 11
EXIT_CODES = (0, 10, 20)
"""Exit codes of success, consistent and inconsistent boards."""
MMSAT = ("-c", "from mmsat.cli import main; main()")
"""The code of the installed program."""
WORKS = {
    "python, doing nothing": ("-c", "pass"),
    "import click": ("-c", "import click"),
    "import mmsat": ("-c", "import mmsat"),
    "mmsat --help": (*MMSAT, "--help"),
    "mmsat check, consistent": (*MMSAT, "check", CONSISTENT),
    "mmsat check, with conflict and correction": (*MMSAT, "check", SLIPPED),
    "mmsat explain": (*MMSAT, "explain", SLIPPED),
    "mmsat optimal 4x6": (*MMSAT, "optimal", "4x6"),
}
TARGETS = {"import mmsat": 2.0, "mmsat check, consistent": 6.0, "mmsat optimal 4x6": 12.0}


def cpu_seconds(*arguments: str) -> float:
    """Return the user and system time of this Python with some arguments, its children included.

    Byte code is kept, as it is where mmsat is installed; the warm-up writes it.
    """
    silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
    command = [sys.executable, *arguments]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = os.posix_spawn(sys.executable, command, kept, file_actions=silent)
    _, status, used = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) not in EXIT_CODES:
        raise RuntimeError(f"{command} failed")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run the commands in turn, so that drift affects all equally, and compare the medians."""
    for arguments in WORKS.values():
        cpu_seconds(*arguments)  # warm-up
    times = [[cpu_seconds(*work) for work in WORKS.values()] for _ in range(ROUNDS)]
    medians = dict(zip(WORKS, map(median, zip(*times, strict=True)), strict=True))
    bare, *_ = medians.values()
    rows = []
    for name, seconds in medians.items():
        target = f"   (at most {TARGETS[name]:g} wanted)" if name in TARGETS else ""
        rows.append((name, f"{1000 * seconds:6.0f} ms   {seconds / bare:5.1f} times{target}"))
    report(f"Start-up, CPU time, median of {ROUNDS} processes each, in turn", rows)
