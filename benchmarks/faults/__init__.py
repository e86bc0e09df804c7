"""Fault injection: kills, full disks, little memory, failing libraries, and limits.

    python -m benchmarks faults [PART ...] [--times N] [--seed S] [-o FOLDER]

A part is one of TRIALS, or `promises`. The number of a trial is its seed, and its record is written
at once: the same command resumes an interrupted campaign. Failures are recorded, and the campaign
continues. The exit code is 1 if there were any. Linux only.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.faults import promises
from benchmarks.faults.trials import TRIALS, BrokenError
from benchmarks.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = Path("build/faults")
PROMISES = "promises"
BROKEN = "broken: "


def campaign(folder: Path, parts: Sequence[str], first: int, times: int) -> int:
    """Run the missing trials, print the table, and return the number of broken trials."""
    folder.mkdir(parents=True, exist_ok=True)
    table = Table(folder / "faults.csv", ("part", "case", "seed", "outcome"), 3)
    for part in parts:
        trial, cases = TRIALS[part]
        for seed in range(first, first + times):
            for case in cases:
                if table.find(part, case, seed) is None:
                    place = folder.resolve() / part / case
                    try:
                        outcome = trial(case, random.Random(f"{part} {case} {seed}"), place)
                    except BrokenError as error:
                        shutil.rmtree(place, ignore_errors=True)
                        outcome = BROKEN + " / ".join(str(error).splitlines())
                        print(f"{part}, {case}, {seed}: {error}", file=sys.stderr)
                    table.add({"part": part, "case": case, "seed": seed, "outcome": outcome})
    print("| part | case | outcomes |\n|---|---|---|")
    broken = 0
    for part in parts:
        for case in TRIALS[part][1]:
            lines = (line for line in table if (line["part"], line["case"]) == (part, case))
            results = Counter(line["outcome"].partition(":")[0] for line in lines)
            broken += results["broken"]
            text = ", ".join(f"{outcome} {count}" for outcome, count in sorted(results.items()))
            print(f"| {part} | {case} | {text} |")
    return broken


def main(words: Sequence[str]) -> int:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks faults")
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--times", type=int, default=100, help="trials of each case")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first trial")
    parser.add_argument("-o", dest="folder", type=Path, default=FOLDER)
    options = parser.parse_args(words)
    every = [*TRIALS, PROMISES]
    if not {*options.parts} <= {*every}:
        parser.error(f"the parts are {', '.join(every)}")
    parts = options.parts or every
    broken = campaign(
        options.folder, [part for part in parts if part in TRIALS], options.seed, options.times
    )
    if PROMISES in parts:
        broken += promises.measure(options.folder)
    return int(broken > 0)
