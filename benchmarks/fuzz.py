"""Fuzzing: what every reader does with changed samples and with random bytes.

    python -m benchmarks fuzz READER ... [--seconds N] [--seed S]

The readers are those of tests/readers.py. An input that is answered by anything but a value or a
clear fault, or that takes too long or too much memory, is written to build/fuzz; the run goes on,
and ends with 1. `--atheris` asks one reader by coverage instead, where atheris is installed; it
ends at the first fault.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from typing import TYPE_CHECKING

from tests.readers import READERS, attempt, draw

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = Path("build/fuzz")


def fuzz(name: str, seconds: float, seed: int) -> tuple[int, int]:
    """How many inputs a reader was given in its time, and how many different faults it showed."""
    reader, rng, told = READERS[name], random.Random(f"{seed} {name}"), set()
    inputs, end = 0, monotonic() + seconds
    while monotonic() < end:
        data = draw(reader, rng)
        inputs += 1
        try:
            attempt(reader, data)
        except Exception as error:  # noqa: BLE001  (whatever it is, it is told)
            where = extract_tb(error.__traceback__)[-1]
            key = type(error), where.filename, where.lineno
            if key not in told:
                told.add(key)
                FOLDER.mkdir(parents=True, exist_ok=True)
                file = FOLDER / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
                file.write_bytes(data)
                print(f"{name}: {type(error).__name__}: {error} ({file})", file=sys.stderr)
    return inputs, len(told)


def by_coverage(name: str, seconds: int, seed: int) -> None:
    """Ask a reader by atheris, from its samples; ends the process."""
    import atheris  # noqa: PLC0415  (seldom installed)

    corpus = FOLDER / f"corpus-{name}"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, sample in enumerate(READERS[name].samples):
        (corpus / str(number)).write_bytes(sample)
    atheris.instrument_all()
    options = [f"-max_total_time={seconds}", f"-seed={seed}", "-rss_limit_mb=2048", "-timeout=10"]
    atheris.Setup(
        [sys.argv[0], *options, str(corpus)], lambda data: attempt(READERS[name], bytes(data))
    )
    atheris.Fuzz()


def main(words: Sequence[str]) -> int:
    """Fuzz the readers that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz")
    parser.add_argument("readers", nargs="*", metavar="READER")
    parser.add_argument("--seconds", type=int, default=60, help="for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--atheris", action="store_true")
    options = parser.parse_args(words)
    if not {*options.readers} <= {*READERS}:
        parser.error(f"the readers are {', '.join(READERS)}")
    faults = 0
    print("| reader | inputs | faults |\n|---|---|---|")
    for name in options.readers or READERS:
        if options.atheris:
            by_coverage(name, options.seconds, options.seed)
        inputs, found = fuzz(name, options.seconds, options.seed)
        faults += found
        print(f"| {name} | {inputs:,} | {found} |", flush=True)
    return int(faults > 0)
