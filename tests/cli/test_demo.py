"""make demo."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mmsat.cli import demo
from mmsat.game.library import find


def test_the_demo_shows_and_checks():
    done = subprocess.run(
        [sys.executable, "-m", "mmsat.cli.demo"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    for shown in ("check", "explain"):
        assert f"$ mmsat {shown} instances/classic/" in done.stdout
        assert f"$ mmsat {shown} instances/mistakes/" in done.stdout
    assert "(exit code 10)" in done.stdout
    assert "(exit code 20)" in done.stdout


def test_a_wrong_exit_code_fails():
    with pytest.raises(demo.DemoError, match="exit code 2 instead of 0"):
        demo.run("nonesuch", expected=0)


@pytest.mark.parametrize(
    ("right", "wrong"), [(demo.WRONG, demo.WRONG), (demo.RIGHT, demo.RIGHT)], ids=["right", "wrong"]
)
def test_a_demo_of_the_wrong_board_fails(monkeypatch, right, wrong):
    monkeypatch.setattr(demo, "RIGHT", right)
    monkeypatch.setattr(demo, "WRONG", wrong)

    assert demo.main() == 1


def test_the_boards_of_the_demo():
    assert find(demo.RIGHT).verdict == "consistent"
    assert find(demo.WRONG).slips
