"""The worked example of CONTRIBUTING: a new kind of scoring and its game, in a copy of the tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import mmsat._core

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?:python|toml)\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLACES = [
    ("mmsat/game/scoring/__init__.py", "from mmsat.game.scoring.scoring import"),
    ("mmsat/game/scoring/__init__.py", "        Pairs(),"),
    ("tests/support/twins.py", '        "black-white": lambda:'),
]
"""The files that the example changes and, for each of its additions, the text it goes before."""
LAWS = (
    "tests/game/test_scoring.py",
    "tests/laws/test_games.py",
    "tests/laws/test_agreement.py",
)


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """Return a copy of the tree with the additions of the example."""
    tree = tmp_path_factory.mktemp("example")
    ignored = shutil.ignore_patterns("__pycache__", "*.cpp", "*.hpp")
    for folder in ("mmsat", "tests", "encodings", "instances"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=ignored)
    shutil.rmtree(tree / "mmsat" / "_core")
    shutil.copy(mmsat._core.__file__, tree / "mmsat")
    shutil.copy(ROOT / "pyproject.toml", tree)
    blocks = BLOCK.findall(TEXT)
    new = {name: block for name, block in blocks if not (tree / name).exists()}
    additions = [(name, block) for name, block in blocks if name not in new]
    assert len(new) == 2
    assert [name for name, _ in additions] == [name for name, _ in PLACES]
    for name, block in new.items():
        (tree / name).write_text(block, encoding="utf-8")
    for (name, block), (_, place) in zip(additions, PLACES, strict=True):
        text = (tree / name).read_text(encoding="utf-8")
        assert text.count(place) == 1
        (tree / name).write_text(text.replace(place, block + place), encoding="utf-8")
    return tree


def run(tree, *arguments):
    """Run Python in the copy; without `site`, the installed mmsat is not found."""
    path = os.pathsep.join([str(tree), sysconfig.get_path("purelib")])
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path, "MMSAT_TIER": "test"},  # no slice of a few
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_new_game_works(extended):
    where = run(extended, "-c", "import mmsat; print(mmsat.__file__)").stdout
    assert where.startswith(str(extended))
    checked = run(extended, "-m", "mmsat", "check", "near-miss/1357=2")
    assert checked.returncode == 10, checked.stderr
    assert "Consistent" in checked.stdout
    assert run(extended, "-m", "mmsat", "count", "near-miss/1357=4").stdout == "81\n"
    refused = run(extended, "-m", "mmsat", "encode", "near-miss/1357=2", "--to", "asp")
    assert refused.returncode == 2
    assert "near" in refused.stderr


def test_the_laws_hold_for_it(extended):
    options = ("-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", "-k", "near")
    ran = run(extended, "-m", "pytest", *options, *LAWS)
    assert ran.returncode == 0, ran.stdout
    assert int(re.findall(r"(\d+) passed", ran.stdout)[0]) >= 5
