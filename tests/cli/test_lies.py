"""The options --lies, --by and --suspect."""

from __future__ import annotations

import json

import pytest

import mmsat
from mmsat.reductions.boards import Lies
from tests.support import twins
from tests.support.cli_runner import CONSISTENT, SLIPPED, TANGLED, run
from tests.support.schemas import validator

BOARD = mmsat.Board.parse(CONSISTENT)


def spelled(code):
    """Return a code as text, with colors from 1."""
    return "".join(str(color + 1) for color in code)


@pytest.mark.parametrize("by", ["rows", "pegs"])
@pytest.mark.parametrize("lies", [0, 1, 2])
def test_counts_lists_and_odds_agree_with_the_plain_twin(lies, by):
    expected = twins.within(BOARD, lies, by)
    options = ("--lies", lies, "--by", by)
    assert run("count", CONSISTENT, *options).stdout == f"{len(expected)}\n"
    listed = run("list", CONSISTENT, *options).stdout.split()
    assert listed == [spelled(code) for code in expected]
    assert run("list", CONSISTENT, *options, "--from", "5").stdout.split() == listed[4:]
    sample = run("list", CONSISTENT, *options, "--sample", "7", "--seed", "3").stdout.split()
    assert set(sample) <= set(listed)
    assert len(set(sample)) == 7
    odds = json.loads(run("odds", CONSISTENT, *options, "--json").stdout)
    first = [sum(code[0] == color for code in expected) for color in range(6)]
    assert odds["table"][0] == [str(number) for number in first]


@pytest.mark.parametrize("command", ["check", "explain", "count", "list", "odds", "suggest"])
def test_documents_have_lies_only_with_the_option(command):
    # without lies, suggest needs a consistent board
    board = CONSISTENT if command == "suggest" else SLIPPED
    for lies, keys in ((0, set()), (1, {"lies", "by"})):
        document = json.loads(run(command, board, "--lies", lies, "--json").stdout)
        validator(command).validate(document)
        assert document.keys() & {"lies", "by"} == keys
        if keys:
            assert not validator(command).is_valid(document | {"lies": 0})
            del document["by"]
            assert not validator(command).is_valid(document)


def test_check_prints_the_violated_rows():
    assert run("check", SLIPPED).exit_code == 20
    result = run("check", SLIPPED, "--lies", "1")
    assert result.exit_code == 10
    assert "! missed by the code" in result.stdout
    assert "Consistent within 1 lie: the code" in result.stdout
    document = json.loads(run("check", SLIPPED, "--lies", "1", "--json").stdout)
    code = tuple(color - 1 for color in document["witness"])
    board = mmsat.Board.parse(SLIPPED)
    assert [miss["row"] - 1 for miss in document["missed"]] == twins.wrong_rows(board, code)
    assert run("check", TANGLED, "--lies", "1").exit_code == 20
    assert json.loads(run("check", TANGLED, "--lies", "1", "--json").stdout)["missed"] == []


def test_rows_repeated_often_enough_cannot_be_lies():
    """The reduction `lies` (mmsat/reductions/lies) repeats them."""
    repeated = str(Lies(BOARD, lies=1).board)
    for command in ("count", "list", "odds"):
        assert run(command, repeated, "--lies", "1").stdout == run(command, CONSISTENT).stdout
    assert (
        run("check", str(Lies(mmsat.Board.parse(SLIPPED), lies=2).board), "--lies", "2").exit_code
        == 20
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("count", CONSISTENT, "--lies", "-1"),
        ("check", CONSISTENT, "--lies", "many"),
        ("check", CONSISTENT, "--by", "colors"),
        ("check", "4x2/1122=1.1/1212=3.0", "--lies", "1", "--engine", "lattice"),
        ("explain", CONSISTENT, "--suspect", "3"),
        ("explain", CONSISTENT, "--suspect", "0"),
        ("explain", CONSISTENT, "--suspect", "1;2"),
        ("explain", CONSISTENT, "--suspect", "--json"),
    ],
)
def test_invalid_options_are_reported(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error" in result.stderr
    assert "Traceback" not in result.stderr


def test_suspects_are_printed_as_a_table():
    result = run("explain", CONSISTENT, "--suspect", "1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "! suspect" in lines
    assert "   1     36  as recorded" in lines
    assert any(line.startswith("Guess ") for line in lines)
    assert max(map(len, lines[:12])) <= 80
    wide = run("explain", CONSISTENT, "--suspect", "1, 2")
    assert "more." in wide.stdout
    assert len(run("explain", CONSISTENT, "--suspect", "1,2", "-v").stdout) > len(wide.stdout)


def test_the_document_of_suspects_needs_every_key():
    document = json.loads(run("explain", SLIPPED, "--suspect", "1,3", "--json").stdout)
    validator("explain").validate(document)
    suspicion = document["suspicion"]
    assert suspicion["suspects"] == [1, 3]
    board = mmsat.Board.parse(SLIPPED)
    suspects = mmsat.suspect(board, [0, 2])
    assert len(suspicion["hypotheses"]) == len(suspects.hypotheses)
    assert suspicion["telling"]["chance"] == str(suspects.discriminating_guess.chance)
    for key in suspicion:
        incomplete = {name: suspicion[name] for name in suspicion if name != key}
        assert not validator("explain").is_valid(document | {"suspicion": incomplete})


def test_ctrl_c_keeps_the_possible_scores_found_so_far(monkeypatch):
    suspect = mmsat.suspect

    def interrupted(board, suspects, *, on_progress, **_):
        on_progress(suspect(board, suspects))
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.suspect", interrupted)
    result = run("explain", CONSISTENT, "--suspect", "1")
    assert result.exit_code == 130
    assert "as recorded" in result.stdout
    assert "interrupted" in result.stderr


def test_suspects_that_reach_the_time_limit_are_a_failure():
    result = run("explain", CONSISTENT, "--suspect", "1", "--timeout", "0.000001")
    assert result.exit_code == 1
    assert "not finished within" in result.stderr


def test_explain_prints_the_probability_that_each_score_is_wrong():
    result = run("explain", SLIPPED)
    _, head, *rows = result.stdout.splitlines()
    assert head.endswith("wrong")
    document = json.loads(run("explain", SLIPPED, "--json").stdout)
    assert [item["row"] for item in document["mistaken"]] == [1, 2, 3]
    assert document["mistaken_exactly"]
    for row, entry in zip(rows, document["mistaken"], strict=False):
        assert f"{round(100 * entry['decimal'])}%" in row or entry["chance"] == "0"
