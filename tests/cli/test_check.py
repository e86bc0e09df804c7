"""mmsat check and mmsat explain."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest

import mmsat
from mmsat.diagnosis.explanation import Explanation
from mmsat.diagnosis.verdict import Conflict, Verdict
from mmsat.game.board import Status
from mmsat.game.library import instances
from mmsat.game.row import Row
from mmsat.solving import ENGINES
from tests.support.cli_runner import CONSISTENT, SLIPPED, TANGLED, run

EXITS = {"consistent": 10, "inconsistent": 20}


COUNTED = [instance for instance in instances() if instance.count is not None]
"""Instances with a known count; the others are hard to decide."""


@pytest.mark.parametrize("instance", COUNTED, ids=lambda instance: instance.name)
def test_verdicts_of_the_library(instance):
    """Every board of the library gets its verdict as text, as exit code and in JSON."""
    result = run("check", str(instance.board))
    as_json = run("check", str(instance.board), "--json")

    assert result.exit_code == as_json.exit_code == EXITS[instance.verdict]
    assert f"\n{instance.verdict.capitalize()}:" in f"\n{result.stdout}"
    document = json.loads(as_json.stdout)
    assert document["verdict"] == instance.verdict
    assert document["board"] == str(instance.board)
    if instance.verdict == "consistent":
        assert instance.board.is_consistent([color - 1 for color in document["witness"]])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("board", "code"), [(CONSISTENT, 10), (SLIPPED, 20)])
def test_engines(engine, board, code):
    result = run("check", board, "--engine", engine, "--seed", "1", "--timeout", "60", "--json")

    assert result.exit_code == code
    decided_by = json.loads(result.stdout)["engine"]
    assert decided_by.startswith(engine) or engine == "auto"


def test_text_marks_the_conflict_and_the_correction():
    lines = run("check", SLIPPED).stdout.splitlines()

    assert lines[0] == "4x6"
    assert [line[0] for line in lines[2:5]] == ["!", " ", "!"]
    assert sum("-> 1.1" in line or "-> 0.2" in line for line in lines[2:5]) == 1
    why = "they score the same guess differently"
    assert f"Rows 1 and 3 can't both be right: {why}." in lines


def test_witness_stands_below_its_rows():
    result = run("check", CONSISTENT)

    code = json.loads(run("check", CONSISTENT, "--json").stdout)["witness"]
    assert f"code   {' '.join(map(str, code))}\n" in result.stdout


def test_verbose_talks_on_standard_error_only():
    quiet, loud = run("check", CONSISTENT), run("check", CONSISTENT, "-v")

    assert quiet.stdout == loud.stdout
    assert quiet.stderr == ""
    assert "decided by" in loud.stderr


def test_undecided_in_time(monkeypatch):
    """An undecided board is a failure, and is not passed off as either verdict."""

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
    """A board that no engine decides in a tenth of a second ends soon, undecided."""
    source = random.Random(5)
    game = mmsat.Game.parse("40x6")
    code = [source.randrange(6) for _ in range(40)]
    guesses = [tuple(source.randrange(6) for _ in range(40)) for _ in range(30)]
    board = mmsat.Board(game, tuple(Row(guess, game.score(code, guess)) for guess in guesses))
    result = run("check", str(board), "--timeout", "0.1")

    assert result.exit_code == 1


def test_many_rows_are_cut_and_shown_on_demand():
    board = "/".join(["4x6", *["1122=1.1"] * 50])
    assert "and 50 rows" in run("check", board).stdout
    assert run("check", board, "-v").stdout.count("1 1 2 2") == 50


def test_explain_lists_what_the_library_finds():
    """The document is the library's own answer."""
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


def test_explain_cuts_at_the_limit():
    document = json.loads(run("explain", TANGLED, "--limit", "2", "--json").stdout)

    assert len(document["conflicts"]) == len(document["corrections"]) == 2
    assert not document["all_conflicts"]
    assert not document["all_corrections"]


def test_explain_says_everything_when_asked():
    short, long = run("explain", TANGLED), run("explain", TANGLED, "--verbose")

    count = len(json.loads(run("explain", TANGLED, "--json").stdout)["corrections"])
    assert count > 10
    assert short.stdout.count("\nIf ") == 10
    assert long.stdout.count("\nIf ") == count
    assert "explained in" in long.stderr


def test_interrupted_explain_keeps_what_was_found(monkeypatch):
    """Ctrl-C prints the conflicts found so far, and exits as interrupted."""

    def explain(board, *, on_progress, **_):
        nothing = Explanation.unknown(board)
        on_progress(replace(nothing, status=Status.INCONSISTENT, conflicts=(Conflict((0, 1)),)))
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.explain", explain)
    result = run("explain", TANGLED, "--json")

    assert result.exit_code == 130
    document = json.loads(result.stdout)
    assert document["conflicts"] == [[1, 2]]
    assert document["verdict"] == "inconsistent"
    assert "interrupted" in result.stderr


def test_interrupted_before_anything_was_found(monkeypatch):
    def explain(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.explain", explain)
    result = run("explain", TANGLED, "--json")

    assert result.exit_code == 130
    assert json.loads(result.stdout)["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1122=1.1/1233=1.1", "each guess fits"),
        ("1122=1.1/1233=1.1/6666=0.0", "the guess of row 3 does not fit"),
        ("1122=1.1/6666=0.0/1111=0.0", "the guesses of rows 2 and 3 do not fit"),
    ],
)
def test_consistent_play_is_verified(rows, said):
    assert said in run("check", f"4x6/{rows}", "--consistent-play").stdout
    document = json.loads(run("check", f"4x6/{rows}", "--consistent-play", "--json").stdout)
    assert [str(row) in said for row in document["inconsistent_guesses"]].count(False) == 0
    assert bool(document["inconsistent_guesses"]) == ("not fit" in said)


ODD = "6x2b/112211=4/112212=4/111111=3"
"""Two rows of two colors that add up to an odd number of twos."""


def test_proofs_are_printed_by_explain_and_on_demand_by_check():
    proof = "2 divides the left side and not -1."
    assert proof in " ".join(run("explain", ODD).stdout.split())
    assert proof in " ".join(run("check", ODD, "-v").stdout.split())
    assert proof not in " ".join(run("check", ODD).stdout.split())


def test_proofs_stand_in_the_documents():
    checked = json.loads(run("check", ODD, "--json").stdout)
    explained = json.loads(run("explain", ODD, "--json").stdout)
    assert checked["conflict"] == explained["conflicts"][0] == [1, 2]
    assert checked["refutation"] == explained["refutations"][0]
    (combination,) = checked["refutation"]["combinations"]
    assert [row["row"] for row in combination["rows"]] == [1, 2]
    assert combination["modulus"] == 2
    assert json.loads(run("check", SLIPPED, "--json").stdout)["refutation"] is None


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["check"], r"not decided by auto in \d+\.\d{3} s"),
        (["explain", "--steps"], r"not explained in \d+\.\d{3} s"),
        (["count"], r"not counted by auto in \d+\.\d{3} s"),
    ],
)
def test_no_command_says_that_it_finished_when_the_time_was_up(command, words):
    result = run(
        *command, "30x9/" + "/".join(["1" * 15 + "2" * 15 + "=3.3"] * 9), "-v", "--timeout", 0
    )
    assert result.exit_code == 1
    assert any(re.fullmatch(words, line) for line in result.stderr.splitlines())
