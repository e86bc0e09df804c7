"""mmsat analyze: output, files, errors, and interrupts."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time

import pytest

from tests.support.cli_runner import run


def test_the_figures_are_printed():
    result = run("analyze", "4x6")

    assert result.exit_code == 0
    for line in ("average   4.4761 = 5,801/1,296", "opening   1122", "codes    1  6  62  533  694"):
        assert line in result.stdout


def test_trees_are_written_and_played(tmp_path):
    saved, drawn, dotted = (tmp_path / name for name in ("t.json", "t.svg", "t.dot"))
    arguments = ("analyze", "3x5!", "--strategy", "entropy", "--json")
    first = run(*arguments, "-o", saved, "-o", drawn)
    assert first.exit_code == 0
    assert drawn.read_text("utf-8").startswith("<svg ")
    assert run("analyze", "3x5!", "-o", dotted).exit_code == 0
    assert dotted.read_text("utf-8").startswith("digraph ")
    for game in ([], ["3x5!"]):
        again = run("analyze", *game, "--strategy", f"tree:{saved}", "--json").stdout
        assert json.loads(again) == json.loads(first.stdout)


def test_the_table_has_a_line_for_each_guess():
    lines = run("analyze", "3x3", "--table").stdout.splitlines()

    assert len(lines) == 27
    assert lines[:3] == ["112", "  0.0  333", "  0.1  233"]


def test_the_opening_is_read_like_guesses():
    result = run("analyze", "4x6", "--opening", "1122, 1-3-4-5", "--json")
    assert result.exit_code == 0
    wrong = run("analyze", "4x6", "--opening", "1122,77,99")
    assert wrong.exit_code == 2
    assert "column 6" in wrong.stderr
    assert "column 9" in wrong.stderr


def test_a_saved_tree_knows_its_game(tmp_path):
    """Packed by gzip or not; a file that is cut off is refused."""
    tree, packed = tmp_path / "tree.json", tmp_path / "tree.json.gz"
    assert run("analyze", "3x4", "-o", tree).exit_code == 0
    packed.write_bytes(gzip.compress(tree.read_bytes()))
    trees = [f"tree:{name}" for name in (tree, packed)]
    found = [run("analyze", "--strategy", name, "--json").stdout for name in trees]
    assert json.loads(found[0])["game"] == "3x4"
    assert found[0] == found[1]
    packed.write_bytes(packed.read_bytes()[:99])
    wrong = run("analyze", "--strategy", trees[1])
    assert wrong.exit_code == 2
    assert wrong.stderr == (
        f"Error: the strategy: expected the file of a strategy tree, found {str(packed)!r} "
        "(the file cannot be read: "
        "Compressed file ended before the end-of-stream marker was reached)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("4x6", "--strategy", "knut"), "knuth"),
        (("4x", "--json"), "PEGSxCOLORS"),
        (("4x7", "--strategy", "six-guess"), "4x6"),
        (("4x6", "-o", "tree.png"), ".svg"),
        (("4x6", "--sample", "3", "--table"), "no tree"),
        (("4x6", "--strategy", "tree:nothing-there.json"), "nothing-there.json"),
        (("4x6", "--strategy", "tree:nothing-there.json", "--opening", "1122"), "opening"),
        (("4x6", "--sample", "0"), "sample"),
        (("--opening", "1122"), "GAME"),
        (("--value",), "GAME"),
    ],
)
def test_bad_input_is_told_in_one_error(arguments, told):
    result = run("analyze", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_too_large_says_what_to_do():
    result = run("analyze", "12x12")
    assert result.exit_code == 1
    assert "genetic" in result.stderr


@pytest.mark.parametrize("strategy", ["entropy", "first-consistent"])
def test_ctrl_c_ends_it(strategy):
    command = [sys.executable, "-m", "mmsat", "analyze", "6x9", "--strategy", strategy]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    output, talk = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "interrupted" in talk
    assert "Traceback" not in talk
    assert not output
