"""Run one rival: `python -m benchmarks.decide.one RIVAL FILE FOLDER LIMIT`.

The whole process is timed. The file contains a pickled board, so that large boards load quickly.
The result is printed as one line of JSON, with the peak memory of this process or of its largest
child process.
"""

from __future__ import annotations

import json
import pickle
import resource
import sys
from pathlib import Path

from benchmarks.decide.rivals import RIVALS, decide, die_with_parent

CORES = 2
"""Maximum number of cores per rival."""
SPARE = 10
"""Seconds of processor time by which a run may exceed the limit."""


def main(name: str, file: Path, folder: Path, limit: float) -> None:
    """Decide the board and print the result."""
    die_with_parent()
    # If run.py is killed, nothing that is started here may run forever.
    resource.setrlimit(resource.RLIMIT_CPU, 2 * (round(CORES * limit) + SPARE,))
    board = pickle.loads(file.read_bytes())  # noqa: S301  (run.py has just written it)
    decision = decide(RIVALS[name], board, folder)
    print(
        json.dumps(
            {
                "status": decision.status,
                "code": decision.code,
                "engine": decision.engine,
                "kib": peak(),
            }
        )
    )


def peak() -> int:
    """Return the peak memory in KiB of this process or of its ended children.

    That of this process is read from /proc, because `resource` includes the process that forked it.
    """
    text = Path("/proc/self/status").read_text(encoding="ascii")
    own = next(line for line in text.splitlines() if line.startswith("VmHWM:"))
    return max(int(own.split()[1]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4]))
