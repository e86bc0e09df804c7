"""mmsat generate."""

from __future__ import annotations

import json

import pytest

from mmsat.board import Board
from mmsat.cli import progress
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from tests.support.cli_runner import faults_told, run


def test_answers_on_the_command_line_are_the_answers():
    assert f"[{'|'.join(Answer)}]" in run("generate", "--help").stdout


def test_the_list_names_all_families():
    lines = run("generate").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(FAMILIES)
    document = json.loads(run("generate", "--json").stdout)
    assert [family["name"] for family in document["families"]] == list(FAMILIES)


def test_all_notations_are_the_same_board(tmp_path):
    wanted = FAMILIES["six-colors"].make(5, 3, Answer.CONSISTENT).board
    request = ("generate", "six-colors", "--size", 5, "--seed", 3, "--answer", "consistent")
    for notation in ("line", "text", "json"):
        assert Board.parse(run(*request, "--to", notation).stdout) == wanted
    path = tmp_path / "board.txt"
    result = run(*request, "-o", path)
    assert result.stdout == ""
    assert Board.parse(path.read_text()) == wanted
    assert path.read_text() == run(*request).stdout
    document = json.loads(run(*request, "--json", "-o", path).stdout)
    assert document["board"] == str(wanted)
    assert document["verdict"] == "consistent"
    assert run("check", path).exit_code == 10


def test_a_file_says_how_it_was_made():
    text = run("generate", "sat", "--size", 6, "--answer", "inconsistent").stdout
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert comments[0] == "# family sat, size 6, seed 0, answer inconsistent"
    assert "Tseitin" in text
    assert "by construction" in text
    assert max(map(len, comments)) <= 100


def test_wrong_requests_are_usage_errors():
    assert run("generate", "no-such").exit_code == 2
    assert run("generate", "six-colors", "--answer", "inconsistent").exit_code == 2
    assert run("generate", "sat", "--rows", "4").exit_code == 2
    assert faults_told(run("generate", "sat", "--size", "2"))


def test_the_answer_reaches_the_engines():
    line = run("generate", "permanent", "--size", 4, "--answer", "inconsistent", "--to", "line")
    assert run("check", line.stdout.strip()).exit_code == 20


def test_a_large_board_tells_that_it_is_being_made(monkeypatch):
    monkeypatch.setattr(progress, "FIRST_UPDATE_SECONDS", 0.0001)
    monkeypatch.setattr(
        progress.Progress, "is_shown", property(lambda _: True, lambda *_: None), raising=False
    )
    result = run("generate", "six-colors", "--rows", 3000, "--to", "line")
    assert "making the board, 0 s so far" in result.stderr


def test_more_rows_than_can_be_made_in_seconds_are_refused_at_once():
    (text,) = faults_told(run("generate", "six-colors", "--rows", "99999999"))
    assert "0 to 625,000 rows at this size" in text


REQUEST = ("generate", "six-colors", "--size", 3, "--seed", 5, "--count", 3)
MANY = [FAMILIES["six-colors"].make(3, seed, Answer.ANY).board for seed in (5, 6, 7)]


def read_many(text, to):
    """The boards of an output of many."""
    if to == "text":
        return [Board.parse(part) for part in text.split("\n\n")]
    return [Board.parse(line) for line in text.splitlines()]


@pytest.mark.parametrize("to", ["line", "text", "json"])
def test_many_boards_come_in_every_notation(to, tmp_path):
    printed = run(*REQUEST, "--to", to).stdout
    assert read_many(printed, to) == MANY
    assert ("family six-colors, size 3, seed 6, answer any" in printed) == (to == "text")
    path = tmp_path / "boards"
    result = run(*REQUEST, "--to", to, "-o", path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{path}: {len(printed):,} bytes\n"
    assert path.read_text() == printed


def test_many_boards_are_json_lines_by_default():
    documents = [json.loads(line) for line in run(*REQUEST).stdout.splitlines()]
    assert [document["board"] for document in documents] == [*map(str, MANY)]
    assert [document["seed"] for document in documents] == [5, 6, 7]
    assert run(*REQUEST, "--json").stdout == run(*REQUEST).stdout


@pytest.mark.parametrize(
    ("options", "option", "rule"),
    [
        ("--games 2 --to line", "--to", "--games makes a log, not boards of a family"),
        ("--games 2 --size 3", "--size", "--games makes a log, not boards of a family"),
        ("six-colors --slips 0.2", "--slips", "it is for --games"),
        ("six-colors --count 2 --game 4x6", "--game", "it is for --games"),
        ("--size 3", "--size", "without FAMILY, families are listed"),
        ("--count 3", "--count", "without FAMILY, families are listed"),
    ],
)
def test_an_option_without_effect_is_refused(options, option, rule):
    result = run("generate", *options.split())
    assert result.exit_code == 2
    assert result.stderr == f"Error: {option}: expected no {option}, found '{option}' ({rule})\n"


def test_a_log_has_no_family_and_json_no_notation():
    assert faults_told(run("generate", "sat", "--games", 2)) == [
        (
            "Error: FAMILY: expected no family beside --games, found 'sat' "
            "(--games makes a log, not boards of a family)"
        )
    ]
    assert faults_told(run(*REQUEST, "--to", "line", "--json")) == [
        "Error: --to: expected no --json beside it, found '--json' (--json prints JSON Lines)"
    ]
