"""Endurance test: well-behaved and hostile clients, and whether memory stays flat.

    python -m benchmarks serve --minutes 60 [--share 0.15] [--seed 1] [-o FOLDER]

All server processes are sampled every five seconds. At the end of every six minutes, all clients
pause for longer than a question may take; the memory in use then is permanent. It is flat if, over
the last three quarters, the growth of a fitted line is less than half the median per hour with 97.5
% confidence (the upper end of the central 95 % of bootstrap samples).

The processor time of all processes, clients included, is limited to a share of one core: hard
boards and hostile clients wait if it is exceeded. Every answer to a well-behaved client is compared
with the library's in a separate process, except after timeouts. Ctrl-C ends the test early. The
exit code is 1 if an answer was wrong, the server failed, or memory was not flat.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.serve.clients import GOOD, is_late, is_right
from benchmarks.serve.hostile import ATTACKS
from benchmarks.serve.processes import Family, Sample
from benchmarks.table import Table
from mmsat.render import pyplot, save_svg_and_png
from mmsat.render.paper_figures import COLORS, COLUMN_WIDTH
from mmsat.studies.statistics import Estimate, bootstrap, fit_line

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FOLDER = Path(__file__).parents[1] / "results" / "serve"
EVERY = 5.0
"""Seconds from one look at the processes to the next."""
ROUND, REST = 360.0, 90.0
"""Length of a round and of the pause at its end, in seconds. A question takes at most 60 s."""
LAST = 20.0
"""Seconds of a rest, its last, in which the server has nothing to do."""
LEAST = 8
"""Minimum number of pauses for a verdict."""
GROWTH = 0.5
"""Maximum growth per hour as a fraction of the permanent memory."""
WEIGHTS = (90, 2, 8)
CLIENTS, PAUSE = 12, 4.0
"""Well-meaning clients, and how many seconds each is idle on average."""
ATTACKERS, BREAK = 3, 4.0
"""Hostile ones, likewise."""


class Pace:
    """Lets work wait where the processors have had more of it than they should."""

    def __init__(self, share: float) -> None:
        self.share, self.all = share, Family(os.getpid())
        self.started, self.before = time.monotonic(), self.all.seconds()
        self.taken = 0.0
        self.is_over = threading.Event()

    def note(self) -> None:
        """Record the current use."""
        self.taken = max(self.taken, self.all.seconds() - self.before)

    def used(self) -> float:
        """The share of one core that was taken so far."""
        return self.taken / max(1.0, time.monotonic() - self.started)

    def wait(self, seconds: float, *, is_heavy: bool) -> bool:
        """Wait, longer for heavy work, and return whether the test continues."""
        over = self.is_over.wait(seconds)
        while not over and (self.rests() or (is_heavy and self.used() > self.share)):
            over = self.is_over.wait(1.0)
        return not over

    def rests(self) -> bool:
        """Whether all clients rest now."""
        return (time.monotonic() - self.started) % ROUND > ROUND - REST


class Record:
    """The observations of all clients."""

    def __init__(self, library: Executor) -> None:
        """Answers are held against those of another process, which has one thread."""
        self.library = library
        self.answers: Counter[str] = Counter()
        self.late: Counter[str] = Counter()
        self.waits: dict[str, list[float]] = defaultdict(list)
        self.wrong: Counter[str] = Counter()

    def note(self, name: str, seconds: float, fault: str | None) -> None:
        """Note what came of one act."""
        self.waits[name].append(seconds)
        if fault:
            self.wrong[name] += 1
            print(f"{name}: {fault[:500]}", flush=True)

    def show(self) -> None:
        """Print the table."""
        print("| client | times | answers | time was up | wrong | median s | worst s |")
        print("|---|---|---|---|---|---|---|")
        for name in (*GOOD, *ATTACKS):
            if waits := self.waits[name]:
                text = f"{self.answers[name]:,} | {self.late[name]} | {self.wrong[name]}"
                print(
                    f"| {name} | {len(waits):,} | {text} | {median(waits):.3f} | {max(waits):.1f} |"
                )


def mean_well(address: str, source: random.Random, pace: Pace, record: Record) -> None:
    """Ask until it is over."""
    while True:
        (name,) = source.choices([*GOOD], WEIGHTS)
        if not pace.wait(source.expovariate(1 / PAUSE), is_heavy=name == "a hard board"):
            return
        started, fault, answers = time.perf_counter(), None, []
        try:
            answers = GOOD[name](address, f"127.0.1.{source.randint(1, 250)}", source)
        except Exception as error:  # noqa: BLE001  (any error is recorded)
            fault = f"{type(error).__name__}: {error}"
        seconds = time.perf_counter() - started
        answered = [answer for answer in answers if not is_late(answer)]
        judged = [record.library.submit(is_right, *answer) for answer in answered]
        wrong = [a for a, entry in zip(answered, judged, strict=True) if not entry.result()]
        record.late[name] += len(answers) - len(answered)
        record.answers[name] += len(answered)
        record.note(name, seconds, fault or (f"{wrong}" if wrong else None))


def attack(address: str, source: random.Random, pace: Pace, record: Record) -> None:
    """Do harm until it is over."""
    while pace.wait(source.expovariate(1 / BREAK), is_heavy=True):
        name, started = source.choice([*ATTACKS]), time.perf_counter()
        try:
            fault = ATTACKS[name](address, source)
        except Exception as error:  # noqa: BLE001  (likewise)
            fault = f"{type(error).__name__}: {error}"
        record.note(name, time.perf_counter() - started, fault)


def endure(address: str, family: Family, given: Namespace) -> int:
    """Run all clients for some minutes and print the results."""
    folder = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.csv").unlink(missing_ok=True)
    table = Table(folder / "memory.csv", ("at", *Sample._fields), 1)
    pace = Pace(given.share)
    samples: list[tuple[float, Sample]] = []
    with ProcessPoolExecutor(1, get_context("forkserver")) as library:
        record = Record(library)
        threads = [
            threading.Thread(
                target=work,
                args=(address, random.Random(f"{given.seed} {number}"), pace, record),
                daemon=True,
            )
            for number, work in enumerate([mean_well] * CLIENTS + [attack] * ATTACKERS)
        ]
        for thread in threads:
            thread.start()
        with suppress(KeyboardInterrupt):
            while time.monotonic() < pace.started + 60 * given.minutes:
                samples.append(look(family, pace, table))
                time.sleep(EVERY)
        used = pace.used()
        pace.is_over.set()
        for thread in threads:
            thread.join()
    record.show()
    rests = find_rests(samples)
    tell_memory(samples, [sample for _, sample in rests])
    draw(samples, rests, folder)
    print(f"{samples[-1][0] / 60:.0f} minutes, seed {given.seed}, {used:.0%} of one core.")
    if len(rests) < LEAST:
        print("That is too short to show whether memory is flat.")
        return 1
    growth, kept = fit(rests)
    is_flat = growth.high < GROWTH * kept
    print(
        f"Over the last three quarters the server kept {kept:.0f} MiB at rest, {growth.value:+.1f} "
        f"MiB an hour ({growth.low:+.1f} to {growth.high:+.1f}): {'' if is_flat else 'not '}flat."
    )
    return int(bool(record.wrong) or not is_flat)


def tell_memory(samples: Sequence[tuple[float, Sample]], rests: Sequence[Sample]) -> None:
    """Print the initial and maximum use, and that of the first and last pause."""
    print("| of the server | at first | most | first rest | last rest |\n|---|---|---|---|---|")
    for name in Sample._fields:
        values = [getattr(entry, name) for _, entry in samples]
        ends = [getattr(entry, name) for entry in (*rests[:1], *rests[-1:])]
        cells = (values[0], max(values), *ends)
        print(f"| {name} | {' | '.join(f'{cell:,.0f}' for cell in cells)} |")


def look(family: Family, pace: Pace, table: Table) -> tuple[float, Sample]:
    """Look at the processes, and write it down."""
    at, sample = time.monotonic() - pace.started, family.sample()
    pace.note()
    values = {name: round(value, 1) for name, value in sample._asdict().items()}
    table.add({"at": round(at, 1), **values})
    return at, sample


def find_rests(samples: Sequence[tuple[float, Sample]]) -> list[tuple[float, Sample]]:
    """Of each rest the sample of least memory, when all questions are over; with its hour."""
    by_round: dict[int, list[tuple[float, Sample]]] = defaultdict(list)
    for at, sample in samples:
        if at % ROUND > ROUND - LAST:
            by_round[int(at // ROUND)].append((at / 3600, sample))
    return [min(entry, key=lambda one: one[1].memory) for entry in by_round.values()]


def fit(rests: Sequence[tuple[float, Sample]]) -> tuple[Estimate, float]:
    """Return the growth of memory in MiB per hour and its median, over three quarters."""
    points = np.array([(hour, sample.memory) for hour, sample in rests[len(rests) // 4 :]])

    def slope(rng: np.random.Generator | None) -> float:
        chosen = points if rng is None else points[rng.integers(len(points), size=len(points))]
        return fit_line(chosen[:, 0], chosen[:, 1]).slope

    return bootstrap(slope), float(np.median(points[:, 1]))


def draw(
    samples: Sequence[tuple[float, Sample]], rests: Sequence[tuple[float, Sample]], folder: Path
) -> None:
    """Draw memory over time, as SVG and PNG."""
    figure, (above, below) = pyplot().subplots(
        2,
        1,
        figsize=(2 * COLUMN_WIDTH, COLUMN_WIDTH),
        sharex=True,
        layout="constrained",
        height_ratios=(2, 1),
    )
    minutes = [at / 60 for at, _ in samples]
    taken = Sample(*zip(*(entry for _, entry in samples), strict=True))
    above.plot(minutes, taken.memory, color=COLORS[4], linewidth=0.5, label="every 5 s")
    kept = [(60 * hour, sample.memory) for hour, sample in rests]
    above.plot(*zip(*kept, strict=True), "o-", color=COLORS[1], markersize=3, label="at rest")
    above.set_ylim(0)
    above.set_ylabel("memory (MiB)")
    below.plot(minutes, taken.files, color=COLORS[0], linewidth=0.5, label="files")
    below.plot(minutes, taken.processes, color=COLORS[3], label="processes")
    below.set_yscale("log")
    below.set_xlabel("minutes")
    figure.legend(loc="outside right upper")
    save_svg_and_png(figure, folder, "memory")
