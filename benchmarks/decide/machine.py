"""Describe the machine and the versions of the measured programs."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.decide.measure import ROOT, measure
from benchmarks.decide.rivals import version_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.decide.rivals import Rival

LOADING = "import benchmarks.decide.rivals"
PACKAGES = ("mmsat", "python-sat", "ortools", "numpy")


def machine(rivals: Iterable[Rival]) -> str:
    """Return the processor, the memory, the system and the versions, one per line."""
    memory = int(found("/proc/meminfo", r"MemTotal:\s*([0-9]+)")) / 1024**2
    lines = {
        "processor": found("/proc/cpuinfo", r"model name\s*: (.*)"),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.1f} GiB",
        "system": platform.platform(),
        "start": f"{start():.2f} s, in every run: Python and the imports of each solver",
        "Python": platform.python_version(),
    }
    lines |= {name: metadata.version(name) for name in PACKAGES}
    lines |= {"commit": commit()}
    programs = dict.fromkeys(rival.program for rival in rivals if rival.program)
    lines |= {name: version_of(name) for name in programs}
    packages = dict.fromkeys(rival.package for rival in rivals if rival.package)
    lines |= {name: metadata.version(name) for name in packages}
    if "minizinc" in programs:
        lines["gecode"] = gecode()
    width = max(map(len, lines))
    return "".join(f"{name:<{width}}  {value}\n" for name, value in lines.items())


def start() -> float:
    """Return the median time in which a process starts and imports the modules of each run."""
    return median(measure([sys.executable, "-c", LOADING], 10.0).seconds for _ in range(5))


def found(path: str, pattern: str) -> str:
    """Return the first match of a pattern in a system file."""
    match = re.search(pattern, Path(path).read_text(encoding="utf-8"))
    return match[1] if match else "0"


def commit() -> str:
    """Return the measured commit, and whether the working tree was modified."""
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def gecode() -> str:
    """Return the version of Gecode that MiniZinc uses."""
    done = subprocess.run(["minizinc", "--solvers"], capture_output=True, text=True, check=False)
    match = re.search(r"Gecode ([0-9.]+)", done.stdout)
    return match[1] if match else "unknown"
