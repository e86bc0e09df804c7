"""The command `mmsat analyze`: output, files, errors and interrupts."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time

import pytest

import mmsat
from mmsat.errors import TimeLimitError
from tests.support.cli_runner import run


def test_the_average_and_the_distribution_are_printed():
    result = run("analyze", "4x6")

    assert result.exit_code == 0
    for line in ("average   4.4761 = 5,801/1,296", "opening   1122", "codes    1  6  62  533  694"):
        assert line in result.stdout


@pytest.mark.parametrize("sample", [(), ("--sample", 30)])
@pytest.mark.parametrize("game", ["3x4", "2x6p", "3x5d", "3x4w"])
def test_several_strategies_are_compared_in_one_table(game, sample):
    names = ["knuth", "any-consistent", "entropy"]
    chosen = [word for name in names for word in ("--strategy", name)]
    singles = [
        json.loads(run("analyze", game, "--strategy", name, *sample, "--json").stdout)
        for name in names
    ]
    compared = run("analyze", game, *chosen, *sample, "--json")
    assert json.loads(compared.stdout) == {"analyses": singles}
    head, *rows = map(str.split, run("analyze", game, *chosen, *sample).stdout.splitlines())
    error = ["error"] * bool(sample)
    max_guesses = max(single["max"] for single in singles)
    numbers = [*map(str, range(1, max_guesses + 1))]
    assert head == ["strategy", "guesses", "average", *error, "max", *numbers]
    for row, single in zip(rows, singles, strict=True):
        entry = dict(zip(head, row, strict=True))
        assert entry["strategy"] == single["strategy"]
        assert entry["guesses"] == f"{single['total']:,}"
        assert entry["average"] == f"{single['average_decimal']:.4f}"
        assert entry["max"] == str(single["max"])
        codes = [int(entry[number].replace("-", "0")) for number in numbers]
        assert [*codes] == (single["distribution"] + [0] * max_guesses)[:max_guesses]
        if sample:
            assert entry["error"] == f"{single['standard_error']:.4f}"


def test_a_comparison_keeps_the_strategies_that_are_finished_in_time(monkeypatch):
    analyze = mmsat.analyze

    def analyze_one(game, strategy, **settings):
        if strategy == "entropy":
            raise TimeLimitError("the analysis", settings["timeout"])
        return analyze(game, strategy, **settings)

    monkeypatch.setattr(mmsat, "analyze", analyze_one)
    chosen = ("--strategy", "knuth", "--strategy", "entropy", "--timeout", 60)
    result = run("analyze", "2x3", *chosen)
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["strategy", "knuth"]
    assert "60 seconds" in result.stderr
    assert run("analyze", "2x3", *chosen[2:]).stdout == ""


def test_a_tree_needs_one_strategy(tmp_path):
    two = ("--strategy", "knuth", "--strategy", "entropy")
    for option in (("--table",), ("-o", tmp_path / "tree.json")):
        result = run("analyze", "2x3", *two, *option)
        assert result.exit_code == 2
        assert "Give only one strategy" in result.stderr


def test_trees_are_saved_drawn_and_played(tmp_path):
    tree_file, svg_file, dot_file = (tmp_path / name for name in ("t.json", "t.svg", "t.dot"))
    arguments = ("analyze", "3x5!", "--strategy", "entropy", "--json")
    first = run(*arguments, "-o", tree_file, "-o", svg_file)
    assert first.exit_code == 0
    assert svg_file.read_text("utf-8").startswith("<svg ")
    assert run("analyze", "3x5!", "-o", dot_file).exit_code == 0
    assert dot_file.read_text("utf-8").startswith("digraph ")
    for game in ([], ["3x5!"]):
        again = run("analyze", *game, "--strategy", f"tree:{tree_file}", "--json").stdout
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


def test_a_saved_tree_contains_its_game(tmp_path):
    """The file may be compressed by gzip; a truncated file is refused."""
    tree, compressed = tmp_path / "tree.json", tmp_path / "tree.json.gz"
    assert run("analyze", "3x4", "-o", tree).exit_code == 0
    compressed.write_bytes(gzip.compress(tree.read_bytes()))
    trees = [f"tree:{name}" for name in (tree, compressed)]
    outputs = [run("analyze", "--strategy", name, "--json").stdout for name in trees]
    assert json.loads(outputs[0])["game"] == "3x4"
    assert outputs[0] == outputs[1]
    compressed.write_bytes(compressed.read_bytes()[:99])
    wrong = run("analyze", "--strategy", trees[1])
    assert wrong.exit_code == 2
    assert wrong.stderr == (
        f"Error: the strategy: expected the file of a strategy tree, found {str(compressed)!r} "
        "(the file cannot be read: the compressed data are damaged)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
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
def test_invalid_input_is_reported_without_a_traceback(arguments, message):
    result = run("analyze", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_game_that_is_too_large_is_reported_with_advice():
    result = run("analyze", "12x12")
    assert result.exit_code == 1
    assert "genetic" in result.stderr


@pytest.mark.parametrize("strategy", ["entropy", "first-consistent"])
def test_ctrl_c_ends_the_analysis(strategy):
    command = [sys.executable, "-m", "mmsat", "analyze", "6x9", "--strategy", strategy]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    output, messages = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "interrupted" in messages
    assert "Traceback" not in messages
    assert not output
