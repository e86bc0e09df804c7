"""Fuzz readers with atheris, each in its own process, until the first fault.

`python -m benchmarks fuzz --guided` starts it, with a folder that has a corpus for each reader:

    python -m benchmarks.guided SECONDS FOLDER READER ...
"""

from __future__ import annotations

import os
import sys
import warnings
from time import process_time

import atheris

with atheris.instrument_imports(include=["mmsat"]):
    from tests.support.fuzzing import answer
    from tests.support.readers import READERS

OPTIONS = "-seed=1", "-rss_limit_mb=2048", "-timeout=100", "-max_len=4096", "-print_final_stats=1"


def fuzz(name: str, seconds: float, corpus: str) -> None:
    """Fuzz a reader for some seconds of processor time, and end the process."""
    for sample in READERS[name].samples:  # loads word lists and libraries
        answer(READERS[name], sample)
    num_inputs, end = 0, process_time() + seconds

    def read_once(data: bytes) -> None:
        nonlocal num_inputs
        if process_time() > end:
            print(f"number_of_executed_units: {num_inputs}", file=sys.stderr, flush=True)
            os._exit(0)
        num_inputs += 1
        answer(READERS[name], data)

    atheris.Setup([sys.argv[0], *OPTIONS, f"-artifact_prefix={corpus}-", corpus], read_once)
    atheris.Fuzz()


def main(seconds: str, folder: str, *names: str) -> None:
    """Fuzz readers in turn. A line with the reader's name ends the output for each."""
    warnings.simplefilter("ignore")
    for name in names:
        child = os.fork()  # a new process would need seconds for the imports
        if not child:
            fuzz(name, float(seconds), f"{folder}/{name}")
        os.waitpid(child, 0)
        print(f"\nguided: {name}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
