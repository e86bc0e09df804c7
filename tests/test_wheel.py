"""The wheel, installed outside of any checkout, is all that mmsat needs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.slow


def python(*arguments, cwd, path=()):
    """What a fresh interpreter prints; it sees `path` before the installed packages."""
    code = "import sys; sys.path[:0] = sys.argv.pop(1).split('|') if sys.argv[1] else sys.argv[:0]"
    run = f"{code}; sys.argv.pop(0); exec(sys.argv[0])"
    return subprocess.run(
        [sys.executable, "-P", "-c", run, "|".join(map(str, path)), *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
