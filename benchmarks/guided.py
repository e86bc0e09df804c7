"""A reader asked by atheris, in a process of its own, up to the first fault.

`python -m benchmarks fuzz --guided` starts it: python -m benchmarks.guided READER SECONDS CORPUS.
"""

from __future__ import annotations

import sys
import warnings

import atheris

with atheris.instrument_imports(include=["mmsat"]):
    from tests.fuzzing import answer
    from tests.readers import READERS


def main(name: str, seconds: str, corpus: str) -> None:
    """Ask until the time is over."""
    warnings.simplefilter("ignore")
    options = [
        f"-max_total_time={seconds}",
        "-seed=1",
        "-rss_limit_mb=2048",
        "-timeout=20",
        "-max_len=4096",
        "-print_final_stats=1",
        f"-artifact_prefix={corpus}-",
    ]
    atheris.Setup([sys.argv[0], *options, corpus], lambda data: answer(READERS[name], data))
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
