"""The rivals: `auto` of mmsat, SAT solvers on every plain encoding, and other systems.

Engines of mmsat decide in the calling process. Programs read a file in a format that mmsat exports;
their time includes writing it.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sysconfig
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.decide import pseudo_boolean
from mmsat.encoding import ENCODINGS
from mmsat.errors import Fault, InputError, MissingError
from mmsat.solving import Decision, find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.encode import WRITERS, read_solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmsat.game.board import Board

SEED = 0


class Program(NamedTuple):
    """A solver that is a separate program."""

    command: str
    options: tuple[str, ...]
    version: tuple[str, ...]
    """Options that print its version, which is the first match in the output."""
    remedy: str
    """How to install it."""


PROGRAMS = {
    "kissat": Program("kissat", ("-q",), ("--version",), "pip install passagemath-kissat"),
    "z3": Program("z3", (), ("--version",), "the Debian package z3"),
    "clingo": Program("clingo", (), ("--version",), "the Debian package gringo"),
    "minizinc": Program(
        "minizinc",
        ("--solver", "gecode"),
        ("--version",),
        "the Debian packages minizinc and flatzinc",
    ),
}


class Rival(NamedTuple):
    """One way to decide a board."""

    name: str
    group: str
    """The name of the solver. With several encodings, it is several rivals of one group."""
    engine: str = ""
    """The spec of an engine of mmsat, or "" for a program or package."""
    program: str = ""
    """A key of PROGRAMS, or ""."""
    language: str = ""
    """The input format of the program."""
    encoding: str = ""
    """The encoding of the constraints as clauses, or ""."""
    package: str = ""
    """A Python package that mmsat does not use, or ""."""


PLAIN = sorted(name for name, entry in ENCODINGS.items() if not entry.is_native)
"""Encodings that consist of clauses only."""
AUTO = "auto"
RIVALS = {
    entry.name: entry
    for entry in (
        Rival(AUTO, "auto", AUTO),
        *(
            Rival(f"cadical-{name}", "CaDiCaL", f"sat:cadical195:{name}", encoding=name)
            for name in PLAIN
        ),
        *(Rival(f"kissat-{name}", "kissat", "", "kissat", "cnf", encoding=name) for name in PLAIN),
        Rival("glucose", "Glucose", "sat:glucose4:modulo-totalizer", encoding="modulo-totalizer"),
        Rival("minicard", "MiniCard", "sat:minicard:native", encoding="native"),
        Rival("cp-sat", "CP-SAT", "cp"),
        Rival("exact", "Exact", package="exact"),
        Rival("z3", "z3", "", "z3", "smtlib"),
        Rival("clingo", "clingo", "", "clingo", "asp"),
        Rival("gecode", "Gecode", "", "minizinc", "minizinc"),
    )
}


def chosen(names: Iterable[str]) -> list[Rival]:
    """Return the rivals with these names or groups, by default all; raise InputError for others."""
    wanted = list(names)
    faults = [
        Fault("no rival has this name", name, ", ".join(RIVALS))
        for name in wanted
        if not any(name in (rival.name, rival.group) for rival in RIVALS.values())
    ]
    if faults:
        raise InputError(faults, "the options")
    return [
        rival for rival in RIVALS.values() if not wanted or {rival.name, rival.group} & set(wanted)
    ]


@cache
def path_of(program: str) -> str:
    """Return the path of a program: beside this Python, in its wheel, or on the PATH.

    Raises MissingError with the way to install it.
    """
    name = PROGRAMS[program].command
    places = [Path(sysconfig.get_path("scripts")) / name]
    try:
        files = metadata.files(f"passagemath-{name}") or []
        places += [Path(str(file.locate())) for file in files if file.parts[-2:] == ("bin", name)]
    except metadata.PackageNotFoundError:
        pass
    result = next((str(place) for place in places if place.is_file()), None) or shutil.which(name)
    if result is None:
        raise MissingError(f"{name} is not installed; get {PROGRAMS[program].remedy}")
    return result


def require(rival: Rival) -> None:
    """Raise MissingError with the remedy if the program or package of a rival is not installed."""
    if rival.program:
        path_of(rival.program)
    if rival.package and find_spec(rival.package) is None:
        message = f"{rival.package} is not installed; run pip install {rival.package}"
        raise MissingError(message)


def version_of(program: str) -> str:
    """Return the version that a program reports."""
    command = [path_of(program), *PROGRAMS[program].version]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    match = re.search(r"[0-9]+(\.[0-9]+)+", done.stdout)
    return match[0] if match else "of an unknown version"


def decide(rival: Rival, board: Board, folder: Path) -> Decision:
    """Return the rival's decision, in this process and without a limit. Its code is not verified.

    Files are written to the folder. Raise MmsatError if the rival does not support the board.
    """
    if rival.engine:
        return find_engine(rival.engine).decide(board, Deadline(), SEED)
    if rival.package:
        return pseudo_boolean.decide(board)
    writer = WRITERS[rival.language]
    file = folder / f"board{writer.suffix}"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(writer.write(board, *([rival.encoding] if rival.encoding else ())))
    command = [path_of(rival.program), *PROGRAMS[rival.program].options, str(file)]
    done = subprocess.run(  # nothing else runs in this process, so that the call before is safe
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(folder)},  # else a killed MiniZinc leaves files behind
        preexec_fn=die_with_parent,
    )
    solution = read_solution(done.stdout, board.game)
    return Decision(solution.status, solution.code, rival.name)


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent process ends."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
