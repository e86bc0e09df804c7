"""The commands `mmsat check` and `mmsat explain`."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest

import mmsat
from mmsat.diagnosis import Conflict, Verdict
from mmsat.diagnosis.explanation import Explanation
from mmsat.game import Row
from mmsat.game.board import Status
from mmsat.game.library import instances
from mmsat.solving import ENGINES
from tests.support.cli_runner import CONSISTENT, SLIPPED, TANGLED, run

EXIT_CODES = {"consistent": 10, "inconsistent": 20}


COUNTED_INSTANCES = [instance for instance in instances() if instance.count is not None]
"""Instances with a known count; the others are hard to decide."""


@pytest.mark.parametrize("instance", COUNTED_INSTANCES, ids=lambda instance: instance.name)
def test_every_verdict_of_the_library_is_confirmed(instance):
    """The verdict is printed as text and in JSON, and determines the exit code."""
    result = run("check", str(instance.board))
    as_json = run("check", str(instance.board), "--json")

    assert result.exit_code == as_json.exit_code == EXIT_CODES[instance.verdict]
    assert f"\n{instance.verdict.capitalize()}:" in f"\n{result.stdout}"
    document = json.loads(as_json.stdout)
    assert document["verdict"] == instance.verdict
    assert document["board"] == str(instance.board)
    if instance.verdict == "consistent":
        assert instance.board.is_consistent([color - 1 for color in document["witness"]])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("board", "code"), [(CONSISTENT, 10), (SLIPPED, 20)])
def test_every_engine_decides(engine, board, code):
    result = run("check", board, "--engine", engine, "--seed", "1", "--timeout", "60", "--json")

    assert result.exit_code == code
    decided_by = json.loads(result.stdout)["engine"]
    assert decided_by.startswith(engine) or engine == "auto"


def test_text_marks_the_conflict_and_the_correction():
    lines = run("check", SLIPPED).stdout.splitlines()

    assert lines[0] == "4x6"
    assert [line[0] for line in lines[2:5]] == ["!", " ", "!"]
    assert sum("-> 1.1" in line or "-> 0.2" in line for line in lines[2:5]) == 1
    reason = "they score the same guess differently"
    assert f"Rows 1 and 3 can't both be right: {reason}." in lines


def test_the_witness_is_printed_below_the_rows():
    result = run("check", CONSISTENT)

    code = json.loads(run("check", CONSISTENT, "--json").stdout)["witness"]
    assert f"code   {' '.join(map(str, code))}\n" in result.stdout


def test_verbose_prints_details_only_on_standard_error():
    quiet, loud = run("check", CONSISTENT), run("check", CONSISTENT, "-v")

    assert quiet.stdout == loud.stdout
    assert quiet.stderr == ""
    assert "decided by" in loud.stderr


def test_an_undecided_board_is_a_failure(monkeypatch):

    def check(board, **_):
        return Verdict(board, Status.UNKNOWN, None, "auto", 1.0)

    monkeypatch.setattr("mmsat.check", check)
    result = run("check", CONSISTENT)

    assert result.exit_code == 1
    assert "Undecided" in result.stdout
    assert json.loads(run("check", CONSISTENT, "--json").stdout)["verdict"] == "unknown"


def test_a_reason_that_is_not_found_in_time_is_reported():
    random_board = mmsat.generate("random-classic", 20, rows=40, seed=0).board
    for seconds, text in (("0.001", "No explanation was found within"), ("0", "")):
        result = run("check", str(random_board), "--reason", seconds)
        assert result.exit_code == 20
        assert "can't" not in result.stdout
        assert bool(text) == ("--reason N" in result.stderr)
        assert text in result.stderr


def test_a_timeout_reaches_the_engine():
    """No engine decides this board in a tenth of a second."""
    source = random.Random(5)
    game = mmsat.Game.parse("40x6")
    code = [source.randrange(6) for _ in range(40)]
    guesses = [tuple(source.randrange(6) for _ in range(40)) for _ in range(30)]
    board = mmsat.Board(game, tuple(Row(guess, game.score(code, guess)) for guess in guesses))
    result = run("check", str(board), "--timeout", "0.1")

    assert result.exit_code == 1


def test_many_rows_are_printed_only_with_verbose():
    board = "/".join(["4x6", *["1122=1.1"] * 50])
    assert "50 rows, not shown" in run("check", board).stdout
    assert run("check", board, "-v").stdout.count("1 1 2 2") == 50


def test_explain_prints_the_result_of_the_python_function():
    result = run("explain", TANGLED, "--json")

    answer = mmsat.explain(mmsat.Board.parse(TANGLED)).to_dict()
    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert document | {"seconds": 0} == answer | {"seconds": 0}
    assert len(document["conflicts"]) == 6


def test_explain_of_a_consistent_board():
    result = run("explain", CONSISTENT)

    assert result.exit_code == 0
    assert "no correction is needed" in result.stdout


def test_explain_stops_at_the_limit():
    document = json.loads(run("explain", TANGLED, "--limit", "2", "--json").stdout)

    assert len(document["conflicts"]) == len(document["corrections"]) == 2
    assert not document["all_conflicts"]
    assert not document["all_corrections"]


def test_explain_prints_all_corrections_with_verbose():
    short, long = run("explain", TANGLED), run("explain", TANGLED, "--verbose")

    count = len(json.loads(run("explain", TANGLED, "--json").stdout)["corrections"])
    assert count > 10
    assert short.stdout.count("\nIf ") == 10
    assert long.stdout.count("\nIf ") == count
    assert "explained in" in long.stderr


def test_interrupted_explain_keeps_the_conflicts_found_so_far(monkeypatch):

    def explain(board, *, on_progress, **_):
        unknown = Explanation.unknown(board)
        on_progress(replace(unknown, status=Status.INCONSISTENT, conflicts=(Conflict((0, 1)),)))
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.explain", explain)
    result = run("explain", TANGLED, "--json")

    assert result.exit_code == 130
    document = json.loads(result.stdout)
    assert document["conflicts"] == [[1, 2]]
    assert document["verdict"] == "inconsistent"
    assert "interrupted" in result.stderr


def test_explain_that_is_interrupted_at_once_is_undecided(monkeypatch):
    def explain(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.explain", explain)
    result = run("explain", TANGLED, "--json")

    assert result.exit_code == 130
    assert json.loads(result.stdout)["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("1122=1.1/1233=1.1", "each guess fits"),
        ("1122=1.1/1233=1.1/6666=0.0", "the guess of row 3 does not fit"),
        ("1122=1.1/6666=0.0/1111=0.0", "the guesses of rows 2 and 3 do not fit"),
    ],
)
def test_consistent_play_names_the_guesses_that_do_not_fit(rows, sentence):
    assert sentence in run("check", f"4x6/{rows}", "--consistent-play").stdout
    document = json.loads(run("check", f"4x6/{rows}", "--consistent-play", "--json").stdout)
    assert [str(row) in sentence for row in document["inconsistent_guesses"]].count(False) == 0
    assert bool(document["inconsistent_guesses"]) == ("not fit" in sentence)


PARITY_CONFLICT = "6x2b/112211=4/112212=4/111111=3"
"""A board whose rows 1 and 2 contradict each other by parity."""


def test_refutations_are_printed_by_explain_and_by_check_with_verbose():
    refutation = "2 divides the left side and not -1."
    assert refutation in " ".join(run("explain", PARITY_CONFLICT).stdout.split())
    assert refutation in " ".join(run("check", PARITY_CONFLICT, "-v").stdout.split())
    assert refutation not in " ".join(run("check", PARITY_CONFLICT).stdout.split())


def test_documents_contain_refutations():
    check_document = json.loads(run("check", PARITY_CONFLICT, "--json").stdout)
    explain_document = json.loads(run("explain", PARITY_CONFLICT, "--json").stdout)
    assert check_document["conflict"] == explain_document["conflicts"][0] == [1, 2]
    assert check_document["refutation"] == explain_document["refutations"][0]
    (combination,) = check_document["refutation"]["combinations"]
    assert [row["row"] for row in combination["rows"]] == [1, 2]
    assert combination["modulus"] == 2
    assert json.loads(run("check", SLIPPED, "--json").stdout)["refutation"] is None


@pytest.mark.parametrize(
    ("command", "pattern"),
    [
        (["check"], r"not decided by auto in \d+\.\d{3} s"),
        (["explain", "--steps"], r"not explained in \d+\.\d{3} s"),
        (["count"], r"not counted by auto in \d+\.\d{3} s"),
    ],
)
def test_no_command_claims_to_have_finished_at_the_time_limit(command, pattern):
    result = run(
        *command, "30x9/" + "/".join(["1" * 15 + "2" * 15 + "=3.3"] * 9), "-v", "--timeout", 0
    )
    assert result.exit_code == 1
    assert any(re.fullmatch(pattern, line) for line in result.stderr.splitlines())
