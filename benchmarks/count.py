"""Compare counting by the diagram engine with ganak, ApproxMC and enumeration by clingo.

The first boards come from the research notes on counting. The next ones are larger, and the last
ones encode hard problems. Each rival has LIMIT seconds per board. Ganak gets the most suitable CNF;
for two colors, this is the shorter one after algebraic simplification.
"""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from itertools import product
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import mmsat
from benchmarks.timing import report
from mmsat.constraints import System, is_linear_board
from mmsat.constraints.two_colors import simplify_two_colors as simple
from mmsat.counting.count import count
from mmsat.counting.listing import ganak
from mmsat.solving.deadline import Deadline, TimeUpError, run
from mmsat.solving.encode import WRITERS
from tests.support.planted_boards import planted

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat import Board

LIMIT = 30
"""Time limit of another program on one board, in seconds."""
RUNS = 5
"""Number of our runs, of which the median is printed."""
TABLE = (
    ("4x6", 2),
    ("5x8", 3),
    ("6x9", 3),
    ("8x12", 3),
    ("8x12", 6),
    ("10x10", 3),
    ("12x6", 4),
    ("12x12", 10),
    ("20x6", 3),
    ("20x2", 5),
    ("30x2", 5),
)
LARGER = (("12x12", 4), ("20x6", 8), ("30x2", 10), ("16x10", 4), ("100x2", 4), ("30x6", 4))
SEED = 1


def main() -> None:
    """Count each board by mmsat and by the other programs."""
    rows = []
    boards = {f"{size}, {rows} rows": planted(size, rows, SEED) for size, rows in (*TABLE, *LARGER)}
    boards |= {
        "domino tilings of 8x8": dominoes(8),
        "Latin squares of order 5": latin(5),
    }
    for name, board in boards.items():
        ours, number = timed(board)
        times = {"ganak": by_ganak(board, number)}
        if find_spec("pyapproxmc"):
            times["approxmc"] = by_method(board, "approxmc")
        if shutil.which("clingo"):
            times["clingo"] = by_clingo(board, number)
        text = "   ".join(shown(rival, time, ours) for rival, time in times.items())
        rows.append((name, f"{number:>24,} codes   ours {ours:7.4f} s   {text}"))
        print(rows[-1][0], rows[-1][1], flush=True)
    report(f"Counting, seed {SEED}; rivals have {LIMIT} s, ours is the median of {RUNS}", rows)


def shown(rival: str, time: float, ours: float) -> str:
    """Return the time of another program as text, with its ratio to our time."""
    over = "over " if time == inf else ""
    time = min(time, LIMIT)
    return f"{rival} {over}{time:.2f} s ({over}{time / ours:,.0f}x)"


def timed(board: Board) -> tuple[float, int]:
    """Return our median time, and the exact number of codes."""
    answers = [count(board) for _ in range(RUNS)]
    if not all(answer.exact for answer in answers):
        raise RuntimeError(f"{board} was not counted")
    return sorted(answer.seconds for answer in answers)[RUNS // 2], answers[0].count


def by_method(board: Board, method: str) -> float:
    """Return the time of a method of `mmsat.count` that calls another program."""
    answer = count(board, method=method, timeout=LIMIT)
    return answer.seconds if answer.exact or answer.epsilon is not None else inf


def by_ganak(board: Board, number: int) -> float:
    """Return the time of ganak: the shorter of those with and without algebraic simplification."""
    ways: list[Callable[[], list[System]]] = [lambda: [System.of(board)]]
    if is_linear_board(board):
        ways.append(lambda: simple(board))
    best = inf
    for way in ways:
        started = perf_counter()
        try:
            result = run(Deadline(LIMIT), ganak, way())
        except TimeUpError:
            continue
        if result != number:
            raise RuntimeError(f"ganak counts {result}, and ours {number} codes of {board}")
        best = min(best, perf_counter() - started)
    return best


def by_clingo(board: Board, number: int) -> float:
    """Return the time of clingo, which lists all codes."""
    text = "".join(WRITERS["asp"].write(board))
    started = perf_counter()
    done = subprocess.run(
        ["clingo", "0", "-q", f"--time-limit={LIMIT}", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    time = perf_counter() - started
    (models,) = [line for line in done.stdout.splitlines() if line.startswith("Models")]
    result = models.split(":")[1].strip()
    if result.endswith("+"):
        return inf
    if int(result) != number:
        raise RuntimeError(f"clingo counts {result}, and ours {number} codes of {board}")
    return time


def dominoes(side: int) -> Board:
    """Return the board of the domino tilings of a square, reduced from a permanent."""
    squares = list(product(range(side), repeat=2))
    black = [square for square in squares if sum(square) % 2 == 0]
    white = [square for square in squares if sum(square) % 2]
    rows = [[int(abs(a - c) + abs(b - d) == 1) for c, d in white] for a, b in black]
    return mmsat.reduce("permanent", "\n".join(" ".join(map(str, row)) for row in rows)).board


def latin(order: int) -> Board:
    """Return the board of the Latin squares of an order, reduced from exact cover."""
    n = order
    sets = [
        sorted((r * n + c, n * n + r * n + s, 2 * n * n + c * n + s))
        for r, c, s in product(range(n), repeat=3)
    ]
    lines = [" ".join(str(element + 1) for element in entry) for entry in sets]
    text = "\n".join([f"p cover {3 * n * n} {len(sets)}", *lines])
    return mmsat.reduce("exact-cover", text + "\n").board
