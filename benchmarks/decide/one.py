"""One run: `python -m benchmarks.decide.one RIVAL FILE FOLDER LIMIT`, timed as a whole process.

The file holds a pickled board, so that large ones load at once. The answer goes to standard output
as one line of JSON, with the most memory that this process had, or the largest of its own.
"""

from __future__ import annotations

import json
import pickle
import resource
import sys
from pathlib import Path

from benchmarks.decide.rivals import RIVALS, decide, die_with_parent

CORES = 2
"""What a rival may use at most."""
SPARE = 10
"""Seconds of processor time above what the limit lets it have."""


def main(name: str, file: Path, folder: Path, limit: float) -> None:
    """Decide, and tell."""
    die_with_parent()
    # Should run.py itself be killed, nothing that is started here goes on for ever.
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
    """The most memory in KiB that this process or one of its children, now ended, has had.

    That of this process is read where it starts with the program; `resource` counts from the
    process that started it.
    """
    text = Path("/proc/self/status").read_text(encoding="ascii")
    own = next(line for line in text.splitlines() if line.startswith("VmHWM:"))
    return max(int(own.split()[1]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4]))
