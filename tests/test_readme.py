"""The README is true: its commands and its Python examples are run."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.external import program

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def exchanges():
    """Yield each command of the README with its printed output."""
    for block in blocks("console"):
        for exchange in block.split("$ ")[1:]:
            command, _, printed = exchange.partition("\n")
            yield pytest.param(command, printed, id=command)


def shell(command, folder=ROOT):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("command", "printed"), [*exchanges()])
def test_a_command_prints_what_the_readme_shows(command, printed):
    assert shell(command).stdout.strip("\n") == printed.strip("\n")


def test_python_does_what_the_readme_shows():
    (block,) = blocks("python")
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert len(test.examples) > 5


def test_the_outside_solver_of_the_readme_answers_with_a_code(tmp_path):
    program("minisat+")
    (block,) = [block for block in blocks("sh") if "minisat+" in block]
    result = shell(block, tmp_path)
    assert result.returncode == 10
    assert re.search(r"^[1-6]{4}$", result.stdout, re.MULTILINE)


def test_the_proof_of_the_readme_holds(tmp_path):
    (block,) = [block for block in blocks("sh") if "--proof" in block]
    result = shell(block, tmp_path)
    assert result.returncode == 0
    assert "The proof holds" in result.stdout


def test_every_file_that_the_readme_links_to_exists():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        file, _, _ = target.partition("#")
        assert target.startswith("https://") or (ROOT / file).is_file(), target
