"""A wheel carries all that mmsat reads at run time, and needs no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command, folder):
    words = [str(word) for word in command]
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow
def test_an_installed_wheel_works_away_from_the_checkout(tmp_path):
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "wheel", ROOT, "--no-deps", "--wheel-dir", tmp_path, folder=tmp_path)
    (wheel,) = tmp_path.glob("mmsat-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    here = tmp_path / "venv" / "bin"
    run(here / "python", *pip[1:], "install", wheel, folder=tmp_path)

    assert "totalizer" in run(here / "mmsat", "encodings", "totalizer", folder=tmp_path)
    line = run(here / "mmsat", "instances", "classic/rafler-9", "--line", folder=tmp_path).strip()
    assert run(here / "mmsat", "count", line, folder=tmp_path).strip() == "1"
    assert "solve" in run(here / "mmsat", "encode", line, "--to", "minizinc", folder=tmp_path)
    found = run(here / "python", "-c", "import encodings; print(encodings.__file__)", folder="/")
    assert Path(found.strip()).parent.parent == Path(os.__file__).parent
    packed = run(here / "python", "-m", "zipfile", "--list", wheel, folder=tmp_path)
    assert {"mmsat/py.typed", "mmsat/schemas/board.json"} <= set(packed.split())
    assert ".cpp" not in packed
