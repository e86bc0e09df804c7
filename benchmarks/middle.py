"""Boards of middle size: `mmsat check` against the classic game, and `auto` against Exact.

    python -m benchmarks middle [--boards 10] [--seed 9001] [--size SIZE ...]

The whole process is timed as users run it: `mmsat check LINE` on a consistent board, on the same
board with one wrong score, and on that board with `--reason 0`. It is compared with the classic
boards of the same run. In this process, `auto` and the pseudo-Boolean solver Exact decide the same
boards. Exact's time includes its model, and excludes loading the package. All times are CPU seconds
of all processes: the median over the boards, and the maximum.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.decide import pseudo_boolean
from benchmarks.timing import cpu_clock, seconds
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat import Board

CLASSIC = ("4x6", 5)
SIZES = (
    ("10x10", 12),
    ("12x12", 16),
    ("15x15", 22),
    ("20x20", 36),
    ("20x6", 16),
    ("24x10", 24),
    ("30x30", 58),
)
TIMEOUT = 120
"""Seconds for each decision."""
EXACT_SIZES = {"4x6", "10x10", "12x12", "15x15", "20x20", "20x6"}
"""Sizes for Exact, which has no time limit and needs minutes for larger boards."""


def check_whole(board: Board, *options: str) -> float:
    """Return the CPU seconds of `mmsat check`; raises if it fails or stays undecided."""
    command = [sys.executable, "-m", "mmsat", "check", str(board), "--timeout", str(TIMEOUT)]

    def run() -> None:
        done = subprocess.run([*command, *options], capture_output=True, check=False, text=True)
        if done.returncode not in {10, 20}:
            raise RuntimeError(f"exit code {done.returncode} for {board}: {done.stderr}")

    return seconds(run, cpu_clock)


def boards_of(size: str, rows: int, seeds: Sequence[int], *, is_wrong: bool) -> list[Board]:
    """Return a random board for each seed, with a planted code or one wrong score."""
    boards = [planted(size, rows, seed) for seed in seeds]
    if not is_wrong:
        return boards
    return [parity_kept(board, str(seed)) for board, seed in zip(boards, seeds, strict=True)]


def summary(times: Sequence[float]) -> str:
    """Return median and maximum."""
    return f"{median(times):.3f} ({max(times):.3f})"


def main(words: list[str] | None = None) -> int:
    """Print one line per size and kind of board."""
    options = argparse.ArgumentParser(prog="python -m benchmarks middle")
    options.add_argument("--boards", type=int, default=10, help="boards of each size [10]")
    options.add_argument("--seed", type=int, default=9001, help="the first seed [9001]")
    options.add_argument("--size", action="append", help="only these sizes, such as 10x10")
    given = options.parse_args(words)
    seeds = range(given.seed, given.seed + given.boards)
    has_exact = find_spec("exact") is not None
    if has_exact:
        import exact  # noqa: F401  (loaded before anything is timed)
    print("CPU seconds: median (maximum); check is a whole process, auto and exact are not")
    for size, rows in (CLASSIC, *SIZES):
        if given.size and size not in {CLASSIC[0], *given.size}:
            continue
        for is_wrong in (False, True):
            boards = boards_of(size, rows, seeds, is_wrong=is_wrong)
            columns = [f"check {summary([check_whole(board) for board in boards])}"]
            if is_wrong:
                no_reason = [check_whole(board, "--reason", "0") for board in boards]
                columns.append(f"--reason 0 {summary(no_reason)}")
            auto = [seconds(lambda board=board: decide(board), cpu_clock) for board in boards]
            columns.append(f"auto {summary(auto)}")
            if has_exact and size in EXACT_SIZES:
                exact_times = [
                    seconds(lambda board=board: pseudo_boolean.decide(board), cpu_clock)
                    for board in boards
                ]
                columns.append(f"exact {summary(exact_times)}")
            kind = "wrong score" if is_wrong else "consistent"
            print(f"{size}/{rows}, {kind}: " + "  ".join(columns), flush=True)
    return 0


def decide(board: Board) -> None:
    """Decide a board with `auto` within the timeout."""
    find_engine("auto").decide(board, Deadline(TIMEOUT), 0)
