"""Fuzz all readers with mutated samples and random bytes.

    python -m benchmarks fuzz [READER ...] [--seconds N] [--inputs N] [-o FILE]

The readers are listed in tests/support/readers.py. Each runs for N seconds in turns of TURN
seconds. Batches of inputs are numbered, and the number is the seed of the batch. A run starts after
the last batch in FILE and appends its results, so that runs add up. If an input causes anything
except a value or a clear error, or exceeds the time or memory limit, it is written to a file next
to FILE. The run continues and exits with status 1.

`--guided` uses coverage-guided fuzzing with atheris, which must be installed. Its corpus is stored
next to FILE, and unguided runs mutate it in the same way as the samples.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib.util
import random
import re
import subprocess
import sys
import warnings
from pathlib import Path
from time import process_time
from traceback import extract_tb
from typing import TYPE_CHECKING, NamedTuple

from mmsat._util.files import atomic_write
from mmsat.studies.measure import environment
from tests.support.fuzzing import attempt, draw
from tests.support.readers import FOUND, READERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BATCH = 100
"""Number of inputs that are drawn from one seed and measured together."""
TURN = 10.0
"""Seconds of processor time after which the next reader is fuzzed."""

GUIDED = "guided: "
"""Prefix of the line with the name of a reader, which follows its output."""


class Tally(NamedTuple):
    """The results of one run: one line of the file."""

    reader: str
    way: str
    """"changed" for changed samples, or "guided"."""
    commit: str
    first: int
    """The number of the first batch; 0 for guided runs, which have no batches."""
    inputs: int
    """Number of inputs."""
    faults: int
    """Number of different faults."""


class Book:
    """All runs so far, in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs: list[Tally] = []
        if path.exists():
            with path.open(newline="") as file:
                self.runs = [
                    Tally(*words, *map(int, numbers))
                    for *words, first, inputs, faults in list(csv.reader(file))[1:]
                    for numbers in [(first, inputs, faults)]
                ]

    def next(self, reader: str) -> int:
        """Return the number of the first batch that has not been run."""
        own = [run for run in self.runs if run.reader == reader and run.way == "changed"]
        return max((run.first + run.inputs // BATCH for run in own), default=0)

    def add(self, new: Tally) -> None:
        """Merge a run into the previous one if it continues it, and write the file."""
        for index, run in enumerate(self.runs):
            is_continued = run.first + run.inputs // BATCH == new.first or run.way == "guided"
            if run[:3] == new[:3] and is_continued:
                sums = run.inputs + new.inputs, run.faults + new.faults
                self.runs[index] = Tally(*run[:4], *sums)
                break
        else:
            self.runs.append(new)
        lines = sorted(self.runs, key=lambda run: (list(READERS).index(run.reader), run))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        words = [Tally._fields, *lines]
        atomic_write(self.path, (f"{','.join(map(str, line))}\n" for line in words))

    def print_sums(self) -> None:
        """Print the numbers of inputs and of faults of each reader."""
        print("| reader | changed samples | guided | faults |\n|---|---|---|---|")
        total = [0, 0, 0]
        for name in READERS:
            own = [run for run in self.runs if run.reader == name]
            sums = [
                *(
                    sum(run.inputs for run in own if run.way == way)
                    for way in ("changed", "guided")
                ),
                sum(run.faults for run in own),
            ]
            total = [*map(sum, zip(total, sums, strict=True))]
            print(f"| {name} | {' | '.join(f'{entry:,}' for entry in sums)} |")
        print(f"| all | {' | '.join(f'{entry:,}' for entry in total)} |", flush=True)


class Fuzzer:
    """Runs readers and stores the inputs that they cannot handle."""

    def __init__(self, book: Book) -> None:
        self.book, self.commit = book, environment()["commit"]
        self.folder = book.path.parent
        self.known_faults: set[tuple[str, type, str, int | None]] = set()
        """The reader, the class of the error, and the file and line that raised it."""

    def corpus(self, name: str) -> Path:
        """Return the folder of the inputs of a reader that reached new code."""
        return self.folder / "corpus" / name

    def samples(self, name: str) -> list[bytes]:
        """Return the samples that inputs are derived from."""
        kept = sorted(self.corpus(name).glob("*")) if self.corpus(name).exists() else []
        results = [data for reader, data in FOUND if reader == name]
        return [*READERS[name].samples, *results, *(path.read_bytes() for path in kept)]

    def change(self, name: str, seconds: float, inputs: int) -> int:
        """Run a reader on changed samples for some seconds, and return the number of inputs."""
        samples, first = self.samples(name), self.book.next(name)
        end, batch, faults = process_time() + seconds, first, 0
        while process_time() < end and (batch - first) * BATCH < inputs:
            rng = random.Random(f"{name} {batch}")
            drawn = [draw(samples, rng) for _ in range(BATCH)]
            faults += sum(self.report(name, *fault) for fault in find_faults(name, drawn))
            batch += 1
        num_inputs = (batch - first) * BATCH
        self.book.add(Tally(name, "changed", self.commit, first, num_inputs, faults))
        return num_inputs

    def guide(self, names: Sequence[str], seconds: float) -> None:
        """Fuzz readers by code coverage, each for some seconds of processor time."""
        for name in names:
            corpus = self.corpus(name)
            corpus.mkdir(parents=True, exist_ok=True)
            for number, sample in enumerate(self.samples(name)):
                (corpus / f"sample-{number}").write_bytes(sample)
        command = [sys.executable, "-m", "benchmarks.guided", str(seconds), self.folder / "corpus"]
        with subprocess.Popen(
            [*command, *names], stderr=subprocess.PIPE, text=True, errors="replace"
        ) as run:
            text = ""
            for line in run.stderr or ():
                if line.startswith(GUIDED):
                    self.add_guided(line.removeprefix(GUIDED).strip(), text)
                    text = ""
                else:
                    text += line
        if text:
            sys.exit(text)

    def add_guided(self, name: str, output: str) -> None:
        """Store the results of a reader, given the output of atheris."""
        inputs = re.findall(r"number_of_executed_units: (\d+)", output) or sys.exit(output)
        units = [Path(path) for path in re.findall(r"Test unit written to (\S+)", output)]
        faults = [fault for unit in units for fault in find_faults(name, [unit.read_bytes()])]
        count = sum(self.report(name, *fault) for fault in faults)
        self.book.add(Tally(name, "guided", self.commit, 0, sum(map(int, inputs)), count))

    def report(self, name: str, data: bytes, error: Exception) -> bool:
        """Store and print an input that causes a new fault; return whether the fault is new."""
        place = extract_tb(error.__traceback__)[-1]
        key = name, type(error), place.filename, place.lineno
        if key in self.known_faults:
            return False
        self.known_faults.add(key)
        file = self.folder / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        print(f"{name}: {type(error).__name__}: {error} ({file})", file=sys.stderr, flush=True)
        return True


def find_faults(name: str, inputs: Sequence[bytes]) -> Iterator[tuple[bytes, Exception]]:
    """Yield the inputs that cause neither a value nor a clear error, with their errors."""
    try:
        attempt(READERS[name], *inputs)
    except Exception as error:  # noqa: BLE001  (any error is recorded)
        if len(inputs) == 1:
            yield inputs[0], error
        else:
            for data in inputs:
                yield from find_faults(name, [data])


def main(words: Sequence[str]) -> int:
    """Fuzz the readers that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz")
    parser.add_argument("readers", nargs="*", metavar="READER")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds per reader")
    parser.add_argument(
        "--inputs", type=int, default=10**9, help="maximum number of inputs per reader"
    )
    parser.add_argument("--guided", action="store_true", help="by coverage, with atheris")
    parser.add_argument("-o", metavar="FILE", type=Path, default=Path("build/fuzz/inputs.csv"))
    options = parser.parse_args(words)
    if not {*options.readers} <= {*READERS}:
        parser.error(f"the readers are {', '.join(READERS)}")
    if options.guided and importlib.util.find_spec("atheris") is None:
        parser.error("--guided needs atheris: pip install atheris")
    names = options.readers or list(READERS)
    fuzzer = Fuzzer(Book(options.o))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if options.guided:
            fuzzer.guide(names, options.seconds)
        else:
            num_inputs, turns = dict.fromkeys(names, 0), options.seconds / TURN
            while turns > 0:
                for name in names:
                    remaining = options.inputs - num_inputs[name]
                    num_inputs[name] += fuzzer.change(name, min(turns, 1) * TURN, remaining)
                turns -= 1
    fuzzer.book.print_sums()
    return int(bool(fuzzer.known_faults))
