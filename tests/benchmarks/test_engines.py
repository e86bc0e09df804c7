"""The comparison of auto with its engines keeps measurements and applies the limit correctly."""

from __future__ import annotations

from benchmarks.engines import draw_board, is_late, main


def test_a_board_is_measured_once_and_drawn(tmp_path, capsys):
    words = ["--boards", "1", "--limit", "2", "-o", str(tmp_path)]
    assert main(words) == 0
    first = (tmp_path / "runs.csv").read_text()
    assert main(words) == 0
    assert (tmp_path / "runs.csv").read_text() == first
    assert "1 board, 2 s: 1 decided by an engine." in capsys.readouterr().out
    assert (tmp_path / "engines.svg").exists()


def test_boards_are_the_same_each_time():
    assert [draw_board(number) for number in range(16)] == [draw_board(n) for n in range(16)]


def test_late_is_beyond_the_factor_and_the_slack():
    assert not is_late({"seconds": "2", "auto": "3.1"})
    assert is_late({"seconds": "2", "auto": "3.11"})
    assert is_late({"seconds": "2", "auto": ""})
