"""The wheel has all files that mmsat reads, works without a checkout, and on several Pythons."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from shutil import which

import pytest

ROOT = Path(__file__).parent.parent
PYENV = Path.home() / ".pyenv" / "versions"


def run(*command, folder, code=0):
    words = [str(word) for word in command]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    result = subprocess.run(
        words, cwd=folder, env=outside, capture_output=True, text=True, check=False
    )
    assert result.returncode == code, result.stderr
    return result.stdout


def pythons():
    """Return the paths of the supported Pythons of this machine, one of each version."""
    results = {sys.version_info[:2]: sys.executable}
    for minor in range(11, 20):
        places = (which(f"python3.{minor}"), *sorted(PYENV.glob(f"3.{minor}.*/bin/python")))
        for place in filter(None, places):
            if subprocess.run([place, "-c", "pass"], check=False, capture_output=True).returncode:
                continue
            results.setdefault((3, minor), str(place))
    return [results[version] for version in sorted(results)]


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """Return the folder of a wheel and its sdist: that of `make dist`, or a new one."""
    if "MMSAT_DIST" in os.environ:
        return ROOT / os.environ["MMSAT_DIST"]
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, folder=folder)
    return folder


@pytest.mark.slow
def test_the_sdist_and_the_wheel_have_their_files(dist):
    (sdist,) = dist.glob("mmsat-*.tar.gz")
    with tarfile.open(sdist) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert {"pyproject.toml", "mmsat/_core/CMakeLists.txt", "encodings/README.md"} <= names
    (wheel,) = dist.glob("mmsat-*.whl")
    assert re.search(r"-cp311-abi3-", wheel.name)
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert {"mmsat/py.typed", "mmsat/schemas/board.json"} <= packed
    assert not [name for name in packed if name.endswith((".cpp", ".hpp"))]


@pytest.mark.slow
@pytest.mark.parametrize("python", pythons())
def test_an_installed_wheel_works_away_from_the_checkout(dist, python, tmp_path):
    (wheel,) = dist.glob("mmsat-*.whl")
    run(python, "-m", "venv", tmp_path / "venv", folder=tmp_path)
    here = tmp_path / "venv" / "bin"
    pip = (here / "python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "install", wheel, folder=tmp_path)

    def mmsat(*words, code=0):
        return run(here / "mmsat", *words, folder=tmp_path, code=code)

    assert "totalizer" in mmsat("encodings")
    assert "totalizer" in mmsat("encodings", "totalizer")
    assert "4x6" in mmsat("games")
    assert "classic/rafler-9" in mmsat("instances")
    line = mmsat("instances", "classic/rafler-9", "--line").strip()
    assert mmsat("count", line).strip() == "1"
    assert "code   2 3 4 5" in mmsat("check", line, code=10)
    assert "Row 3 can't be right" in mmsat("explain", "4x6/1122=1.1/1233=1.1/6666=0.3")
    assert "5,625" in mmsat("optimal", "4x6")
    assert "solve" in mmsat("encode", line, "--to", "minizinc")
    code = "import encodings, os; print(encodings.__file__, os.__file__, sep='\\n')"
    result, standard = run(here / "python", "-c", code, folder="/").split()
    assert Path(result).parent.parent == Path(standard).parent
