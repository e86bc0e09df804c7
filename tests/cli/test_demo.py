"""`make demo`: its output, and its errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from docs import demo
from mmsat.game.library import find


def test_the_demo_runs_commands_on_both_boards():
    process = subprocess.run(
        [sys.executable, "-m", "docs.demo"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    for command in ("check", "explain"):
        assert f"$ mmsat {command} instances/classic/" in process.stdout
        assert f"$ mmsat {command} instances/mistakes/" in process.stdout
    assert "(exit code 10)" in process.stdout
    assert "(exit code 20)" in process.stdout


def test_an_unexpected_exit_code_is_an_error():
    with pytest.raises(demo.DemoError, match="exit code 2 instead of 0"):
        demo.run("nonesuch", expected=0)


@pytest.mark.parametrize(
    "board", [demo.CONSISTENT_BOARD, demo.WRONG_SCORE_BOARD], ids=["consistent", "wrong score"]
)
def test_the_demo_fails_if_a_board_has_another_verdict(monkeypatch, board):
    monkeypatch.setattr(demo, "CONSISTENT_BOARD", board)
    monkeypatch.setattr(demo, "WRONG_SCORE_BOARD", board)

    assert demo.main() == 1


def test_the_first_board_is_consistent_and_the_second_has_a_slip():
    assert find(demo.CONSISTENT_BOARD).verdict == "consistent"
    assert find(demo.WRONG_SCORE_BOARD).slips
