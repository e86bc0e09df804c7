"""Output on terminals and in pipes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from rich.style import Style as RichStyle

import mmsat
from mmsat.render import Span, plain, terminal
from mmsat.render.board import BoardTable, Style

BOARD = mmsat.Board.parse("4x6/1122=1.1/3345=0.?/1233=4.0")


def test_every_style_of_a_board_is_known():
    """Each span of a table has a style that rich can parse."""
    table = BoardTable(BOARD, Style(painted=True, symbols=True), [1], {1: (1, 1)}, "meaning")
    spans = [span for line in table.lines(code=(0, 1, 2, 3)) for span in line]

    assert {span.style for span in spans} >= {"peg", "dim", "conflict", "correction", "name"}
    for span in spans:
        RichStyle.parse(terminal.rich_style(span))


def test_pegs_of_one_color_look_the_same():
    assert terminal.peg_style(0) == terminal.rich_style(Span("1", "peg", 0))
    assert terminal.peg_style(0) != terminal.peg_style(1)


@pytest.mark.parametrize(
    ("changes", "rich"), [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": ""}, False)]
)
def test_output_to_pipes_is_plain_unless_colors_are_forced(monkeypatch, changes, rich):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    for name, value in changes.items():
        monkeypatch.setenv(name, value)

    assert terminal.is_rich() == rich
    assert (terminal.wrap_width() is not None) == rich
    assert terminal.style().painted == rich


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_pegs_are_not_painted_without_colors(monkeypatch, name, value):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv(name, value)
    assert not terminal.style().painted


def test_styled_and_plain_output_have_the_same_text(monkeypatch, capsys):
    lines = list(BoardTable(BOARD, Style()).lines())
    terminal.show(lines)
    plain_text = capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    terminal.show(lines)
    styled_text = capsys.readouterr().out

    assert plain_text == "".join(f"{plain(line)}\n" for line in lines)
    assert [line.rstrip() for line in styled_text.splitlines()] == plain_text.splitlines()


def test_pipes_do_not_load_rich():
    code = (
        "import sys\n"
        "from mmsat.render import Span\n"
        "from mmsat.render.terminal import show\n"
        "show([[Span('hello')]])\n"
        "assert 'rich' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stdout) == (0, "hello\n")
