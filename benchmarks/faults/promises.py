"""Check the limits of `--timeout` and `--memory` on the hardest known boards."""

from __future__ import annotations

import random
import sys
from time import monotonic
from typing import TYPE_CHECKING

from benchmarks.faults.jobs import RUN
from benchmarks.faults.processes import resident, waited
from benchmarks.faults.trials import ROOT, Running
from benchmarks.table import Table
from mmsat.game.game import Game

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 2
MIB = 200
OWN = 128
"""Memory in MiB that the program itself may use in addition."""
MOST_LATE = 1.0
LOOK = 0.2
"""Seconds between two looks at the memory."""
HARD = (
    "six-colors-28-consistent",
    "random-two-color-100-consistent",
    "sat-12-consistent",
    "vertex-cover-regular-30-consistent",
    "graph-coloring-36-any",
)
HOSTILE = {"1000x1000": 1000, "100000x6": 10, "100000x2": 10}
"""The rows of random boards of the largest games."""
LATE = "check", "explain", "count", "odds", "list", "suggest", "review", "encode"
STARVED = "count", "odds", "list"


def boards(folder: Path) -> list[Path]:
    """Return the files of hard boards, and of hostile boards, which are written to `folder`."""
    results = [ROOT / "instances" / "hard" / f"{name}.txt" for name in HARD]
    for size, rows in HOSTILE.items():
        path = folder / f"{size}.txt"
        if not path.exists():
            game, rng = Game.parse(size), random.Random(size)
            codes = [
                tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows + 1)
            ]
            scores = (game.score(codes[0], guess) for guess in codes[1:])
            lines = (
                f"{'-'.join(str(color + 1) for color in guess)}={black}.{white}"
                for guess, (black, white) in zip(codes[1:], scores, strict=True)
            )
            path.write_text("/".join((size, *lines)) + "\n", "utf-8")
        results.append(path)
    return results


def measure(folder: Path) -> int:
    """Run missing measurements, print the tables, and return the number of exceeded limits."""
    folder.mkdir(parents=True, exist_ok=True)
    columns = "command", "board", "code", "seconds", "waited", "late", "mib"
    table = Table(folder / "promises.csv", columns, 2)
    for command in LATE:
        for board in boards(folder):
            if table.find(command, board.stem) is None:
                table.add({"command": command, "board": board.stem, **_measure(command, board)})
    print("| command | worst board | late, s | waited, s | most, MiB |\n|---|---|---|---|---|")
    broken = 0
    for command in LATE:
        lines = [line for line in table if line["command"] == command]
        worst = max(lines, key=lambda line: float(line["late"]))
        peak = max(float(line["mib"]) for line in lines)
        broken += sum(float(line["late"]) > MOST_LATE for line in lines)
        broken += command in STARVED and peak > MIB + OWN
        print(
            f"| {command} | {worst['board']} | {worst['late']} | {worst['waited']} | {peak:.0f} |"
        )
    return broken


def _measure(command: str, board: Path) -> dict[str, object]:
    """Return how late a run ended, and its memory.

    The time after the limit in which other processes ran is subtracted.
    """
    words = [command, str(board), "--timeout", str(SECONDS)]
    words += ["--to", "opb"] if command == "encode" else []
    words += ["--memory", f"{MIB}M"] if command in STARVED else []
    started, before, others, most, due = monotonic(), 0.0, 0.0, 0.0, 0.0

    def look(pid: int) -> bool:
        nonlocal before, others, most, due
        others = max(others, waited(pid))
        if monotonic() < started + SECONDS:
            before = others
        if monotonic() >= due:  # memory takes long to add up
            most, due = max(most, resident(pid)), monotonic() + LOOK
        return False

    running = Running([sys.executable, "-c", RUN, *words], board.parent)
    running.until(look)
    seconds = monotonic() - started
    code, _ = running.end()
    late = max(0.0, seconds - SECONDS - (others - before))
    numbers = {"seconds": seconds, "waited": others - before, "late": late, "mib": most}
    return {"code": code} | {name: round(entry, 2) for name, entry in numbers.items()}
