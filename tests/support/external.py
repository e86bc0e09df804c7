"""Programs and Python modules that only the tests use.

If one is missing, the test is skipped, or fails if MMSAT_REQUIRE_ALL is 1.
"""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from types import ModuleType

PACKAGES = {
    "cadical": "cadical",
    "cbc": "coinor-cbc",
    "chromium": "chromium",
    "chromium-headless-shell": "chromium-headless-shell",
    "clingo": "gringo",
    "fzn-gecode": "flatzinc",
    "glpsol": "glpk-utils",
    "minisat": "minisat",
    "minisat+": "minisat+",
    "minizinc": "minizinc",
    "node": "nodejs",
    "z3": "z3",
}
"""The Debian package of each program."""


def program(name: str, *alternatives: str) -> str:
    """Return the path of a program, or of the first alternative that is installed.

    If all are missing, skip or fail the test.
    """
    path = next(filter(None, map(shutil.which, (name, *alternatives))), None)
    if path is None:
        _missing(f"{name} is not installed (package {PACKAGES.get(name, name)})")
    return path


def browser() -> str:
    """Return the path of Chromium; without windows if possible, as it needs half of the time."""
    return program("chromium-headless-shell", "chromium")


def module(name: str) -> ModuleType:
    """Import a Python module, which some machines do not support.

    If it is missing, skip or fail the test.
    """
    try:
        return import_module(name)
    except (ImportError, OSError):  # OSError: made for another machine
        _missing(f"the Python module {name} is not installed")


def _missing(message: str) -> NoReturn:
    if os.environ.get("MMSAT_REQUIRE_ALL") == "1":
        pytest.fail(message)
    pytest.skip(message)
