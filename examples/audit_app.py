"""Audit an app's solver: whether it scores rightly, and knows how many codes are left.

    python examples/audit_app.py examples/app-log.jsonl

The log has one position a line: the board as the app scored it, and the number of codes that the
app took to be left. Printed are the positions in which the app is wrong, with the row that was
most likely scored wrongly. The exit code is 1 where there is any.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import mmsat


def faults(log: Path) -> Iterator[str]:
    """What is wrong with the positions of a log, a paragraph each."""
    for number, line in enumerate(log.read_text("utf-8").splitlines(), 1):
        position = json.loads(line)
        board = mmsat.Board.parse(position["board"])
        left = mmsat.codes(board).count
        if not left:
            yield f"Position {number} has no code.\n{mmsat.explain(board)}"
        elif left != position["left"]:
            yield f"Position {number}: {left} codes are left, and the app says {position['left']}."


def main(log: str) -> int:
    """Print the faults of a log."""
    found = list(faults(Path(log)))
    print("\n\n".join(found) or "The app is right in every position.")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/audit_app.py LOG.jsonl")
    sys.exit(main(sys.argv[1]))
