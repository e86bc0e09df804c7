"""Audit an app's solver: whether it scores rightly, and knows how many codes are left.

    python examples/audit_app.py examples/app-log.jsonl

The log has one position a line: the board as the app scored it, and the number of codes that the
app took to be left. Printed are the positions in which the app is wrong, with the row that was
most likely scored wrongly, and the lines that cannot be read. The exit code is 1 where there is
any.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import mmsat


def read(line: str) -> tuple[mmsat.Board, int]:
    """Return the board and the number of codes of a line; raise ValueError for other lines."""
    match json.loads(line):
        case {"board": str(board), "left": int(app_count)}:
            return mmsat.Board.parse(board), app_count
    raise ValueError('expected {"board": "4x6/1122=1.1", "left": 208}')


def faults(lines: Iterable[str]) -> Iterator[str]:
    """Yield a paragraph about each wrong position, and about each line that is no position."""
    for number, line in enumerate(lines, 1):
        try:
            board, app_count = read(line)
        except ValueError as error:  # also of JSON and of mmsat
            yield f"Position {number} cannot be read: {error}"
            continue
        count = mmsat.codes(board).count
        if not count:
            yield f"Position {number} has no code.\n{mmsat.explain(board)}"
        elif count != app_count:
            yield f"Position {number}: {count} codes are left, and the app says {app_count}."


def main(log: str) -> int:
    """Print the faults of a log."""
    try:
        lines = Path(log).read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:
        sys.exit(f"{log}: cannot be read ({error})")
    paragraphs = list(faults(lines))
    right = "The app is right in every position." if lines else "The log is empty."
    print("\n\n".join(paragraphs) or right)
    return 1 if paragraphs else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/audit_app.py LOG.jsonl")
    sys.exit(main(sys.argv[1]))
