"""Compare `auto` with its own engines on fresh random boards.

    python -m benchmarks engines [--limit 8] [--first 0] [--boards 300] [-o FOLDER]

A board has a planted code and one score that is changed such that neither counts nor parities
reveal it. The engines run one after the other, each for at most the best time so far, and then
`auto` runs. Time is processor time, or wall time if that is less. For `auto` it is its own time
plus that of the process that won the race, or half the time of all processes if that is less,
because the lattice engine has two threads. This equals the wall time on two free cores and hardly
depends on the load. An interrupted run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
from pathlib import Path
from resource import RLIMIT_CPU, RUSAGE_CHILDREN, RUSAGE_SELF, getrusage, setrlimit
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.decide.plan import threshold
from benchmarks.table import Table
from mmsat._util.text import quantity
from mmsat.errors import MmsatError
from mmsat.game.game import Game
from mmsat.render import NAMED_BACKGROUNDS, pyplot, save_svg_and_png
from mmsat.solving import find_engine, race
from mmsat.solving.deadline import Deadline
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.table import Record
    from mmsat import Board

FOLDER = Path(__file__).parent / "results" / "engines"
SIZES = ("20x20", "24x24", "27x27", "30x30", "24x10", "28x8", "30x4", "30x12")
MULTIPLES = (0.6, 0.8, 1.0, 1.1, 1.25, 1.5, 2.0)
"""Numbers of rows, as multiples of the number that leaves about one code."""
ENGINES = ("weighted", "cp", "lattice", "sat:minicard:native", "sat")
FACTOR, SLACK = 1.5, 0.1
"""`auto` may take FACTOR times as long as the best engine, plus SLACK seconds."""
COLUMNS = ("number", "limit", "game", "rows", "best", "seconds", "auto", "status", "decided by")


class Run(NamedTuple):
    """The result of one engine on one board."""

    status: str
    seconds: float
    engine: str


def main(words: list[str] | None = None) -> int:
    """Run missing measurements, print the boards that auto lost, and draw all."""
    options = argparse.ArgumentParser(prog="python -m benchmarks engines")
    options.add_argument("--limit", type=float, default=8.0, help="seconds for each engine [8]")
    options.add_argument("--boards", type=int, default=300, help="number of boards [300]")
    options.add_argument("--first", type=int, default=0, help="number of the first board [0]")
    options.add_argument("-o", "--output", type=Path, default=FOLDER, help="the folder of results")
    arguments = options.parse_args(words)
    arguments.output.mkdir(parents=True, exist_ok=True)
    numbers = range(arguments.first, arguments.first + arguments.boards)
    table = Table(arguments.output / "runs.csv", COLUMNS, 2)
    for number in numbers:
        if not table.find(number, arguments.limit):
            line = table.add(compare(number, arguments.limit))
            print(" ".join(line.values()), file=sys.stderr, flush=True)
    lines = [
        line
        for line in table
        if float(line["limit"]) == arguments.limit and int(line["number"]) in numbers
    ]
    (arguments.output / "summary.txt").write_text(summary(lines, arguments.limit), encoding="utf-8")
    print(summary(lines, arguments.limit), end="")
    draw(lines, arguments.output)
    return 0


def draw_board(number: int) -> Board:
    """Return the board of a number: sizes in turn, a random number of rows."""
    rng = random.Random(f"engines {number}")
    size = SIZES[number % len(SIZES)]
    game = Game.parse(size)
    rows = math.ceil(rng.choice(MULTIPLES) * threshold(game))
    return parity_kept(planted(size, rows, rng.randrange(1 << 30)), f"engines {number}")


def compare(number: int, limit: float) -> dict[str, object]:
    """Return the best engine of a board and the result of `auto`, if one decides in time."""
    board = draw_board(number)
    best, text, chosen = limit, "unknown", ""
    for engine in ENGINES:
        run = measure(engine, board, best)
        if run.status != "unknown" and run.seconds < best:
            best, text, chosen = run.seconds, run.status, engine
    auto = Run("unknown", 0.0, "")
    if chosen:
        auto = measure("auto", board, 2 * (FACTOR * best + SLACK))
    if auto.status not in ("unknown", text):
        raise RuntimeError(f"{chosen} says {text}, auto says {auto.status} of {board}")
    return {
        "number": number,
        "limit": limit,
        "game": str(board.game),
        "rows": len(board.rows),
        "best": chosen or None,
        "seconds": f"{best:.3f}" if chosen else None,
        "auto": f"{auto.seconds:.3f}" if auto.status != "unknown" else None,
        "status": text,
        "decided by": auto.engine,
    }


def measure(spec: str, board: Board, limit: float) -> Run:
    """Run an engine in a subprocess, with a limit of processor seconds per process."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        setrlimit(RLIMIT_CPU, 2 * (math.ceil(limit),))
        winners = report_winners()
        started = perf_counter()
        try:
            decision = find_engine(spec).decide(board, Deadline(8 * limit), 0)
            status, engine = str(decision.status), decision.engine
        except MmsatError:  # too large for it, or ended by the limit
            status, engine = "unknown", ""
        passed = perf_counter() - started
        usages = map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
        own, others = (usage.ru_utime + usage.ru_stime for usage in usages)
        if spec == "auto":
            others = min([others / 2, *winners()])
        seconds = min(passed, own + others)
        os.write(theirs, json.dumps((status, seconds, engine)).encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, encoding="utf-8") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return Run(*json.loads(text)) if text else Run("unknown", limit, "")


def report_winners() -> Callable[[], list[float]]:
    """Let the winner of a race report its processor time, here or in a child process.

    Return a function that gives the reported seconds.
    """
    ours, theirs = os.pipe()

    def timed(solve: Callable[..., object]) -> Callable[..., object]:
        def solve_and_report(*args: object) -> object:
            answer = solve(*args)
            os.write(theirs, f"{process_time()}\n".encode())
            return answer

        return solve_and_report

    for name in ("solve_by_sat", "solve_by_cp"):
        setattr(race, name, timed(getattr(race, name)))

    def read_seconds() -> list[float]:
        os.close(theirs)
        with os.fdopen(ours, encoding="utf-8") as pipe:
            return [float(line) for line in pipe]

    return read_seconds


def is_late(line: Record) -> bool:
    """Return whether `auto` was later than allowed."""
    return not line["auto"] or float(line["auto"]) > FACTOR * float(line["seconds"]) + SLACK


def summary(lines: Sequence[Record], limit: float) -> str:
    """Return the number of wins of each engine, and the boards on which `auto` was late."""
    decided = [line for line in lines if line["best"]]
    late = [line for line in decided if is_late(line)]
    wins = [f"{name} {sum(line['best'] == name for line in decided)}" for name in ENGINES]
    texts = [
        f"{quantity(len(lines), 'board')}, {limit:g} s: {len(decided)} decided by an engine.",
        f"The best one: {', '.join(wins)}.",
        f"auto later than {FACTOR:g} times the best plus {SLACK:g} s: {len(late)}.",
    ]
    texts += [
        f"  board {line['number']}, {line['game']}, {line['rows']} rows: {line['best']} "
        f"{line['seconds']} s, auto {line['auto'] or 'undecided'}"
        for line in late
    ]
    return "\n".join(texts) + "\n"


def draw(lines: Sequence[Record], folder: Path) -> list[Path]:
    """Draw one point per board: the time of the best engine, and that of `auto`."""
    both = [line for line in lines if line["best"] and line["auto"]]
    plt = pyplot()
    figure, panel = plt.subplots(figsize=(5.4, 4.4), layout="constrained")
    best = [float(line["seconds"]) for line in both] or [1.0]
    ends = [min(best) / 2, 2 * max(best)]
    steps = [ends[0] * (ends[1] / ends[0]) ** (step / 100) for step in range(101)]
    panel.plot(ends, ends, color="#7f7f7f", linewidth=0.8, label="as quick")
    allowed = [FACTOR * step + SLACK for step in steps]
    panel.plot(steps, allowed, "k--", linewidth=1.0, label=f"{FACTOR:g} times and {SLACK:g} s")
    for color, engine in zip(NAMED_BACKGROUNDS[3:], ENGINES, strict=False):
        mine = [line for line in both if line["best"] == engine]
        times = [[float(line[key]) for line in mine] for key in ("seconds", "auto")]
        panel.scatter(*times, s=12, color=f"#{color}", label=f"best: {engine} ({len(mine)})")
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("the best engine alone (s)")
    panel.set_ylabel("auto (s)")
    panel.grid(visible=True, which="major")
    panel.legend(fontsize=8)
    return save_svg_and_png(figure, folder, "engines")
