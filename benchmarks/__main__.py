"""Run benchmarks: `python -m benchmarks [NAME ...]`. Without a name, all short ones are run."""

from __future__ import annotations

import platform
import sys
from importlib import import_module, metadata

import mmsat

NAMES = ("startup", "bulk", "audit", "dense", "count", "reduced", "proofs")
"""The short benchmarks, which have no options."""
LONG = (
    "decide",
    "engines",
    "middle",
    "reach",
    "suite",
    "strategy",
    "conflicts",
    "linear_algebra",
    "puzzles",
    "static",
    "serve",
    "trust",
    "faults",
    "fuzz",
)
"""Benchmarks that run for minutes or hours. They have their own options."""


def main(names: list[str]) -> int:
    """Run the named benchmarks and print the machine they ran on."""
    if names and names[0] in LONG:
        status: int = import_module(f"benchmarks.{names[0]}").main(names[1:])
        return status
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(
            f"no such benchmark: {', '.join(unknown)}; write {', '.join(NAMES + LONG)}",
            file=sys.stderr,
        )
        return 2
    packages = ("python-sat", "ortools", "pyganak")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in packages)
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    print(f"{machine}, mmsat {mmsat.__version__}, {versions}")
    for name in names or NAMES:
        import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
