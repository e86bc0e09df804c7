"""The command `mmsat suggest`."""

from __future__ import annotations

import json

import pytest

import mmsat
from tests.support.cli_runner import CONSISTENT, SLIPPED, run


def test_the_suggestion_has_reasons():
    result = run("suggest", CONSISTENT, "--strategy", "knuth")
    document = json.loads(run("suggest", CONSISTENT, "--strategy", "knuth", "--json").stdout)
    guess = "".join(map(str, document["guess"]))
    assert result.exit_code == 0
    assert result.stdout.startswith(f"36 codes remain.\nGuess {guess}: it leaves ")
    assert f"{document['worst']} at worst" in result.stdout
    assert document["codes"] == "36"
    assert document["exact"]
    assert len(document["others"]) == 3


def test_contradictory_scores_are_reported():
    result = run("suggest", SLIPPED)
    assert result.exit_code == 1
    assert "can't" in result.stderr
    assert "mmsat explain" in result.stderr
    assert not result.stdout


@pytest.mark.long
def test_the_seed_determines_the_suggestion():
    board = "10x10/AABBCCDDEE=2.4"
    first, second = (json.loads(run("suggest", board, "--seed", 7, "--json").stdout) for _ in "12")
    first.pop("seconds"), second.pop("seconds")
    assert first == second
    assert not first["exact"]
    assert first["codes_exact"]


def test_a_time_limit_that_is_not_reached_changes_nothing():
    ample = run("suggest", CONSISTENT, "--timeout", 60, "--strategy", "sampled", "--seed", 1)
    assert ample.exit_code == 0
    assert ample.stdout == run("suggest", CONSISTENT, "--strategy", "sampled", "--seed", 1).stdout
    short = run("suggest", "8x12/AABBCCDD=2.2", "--timeout", 0.001)
    assert short.exit_code == 1
    assert "the suggestion: not finished within 0.001 seconds" in short.stderr


@pytest.mark.parametrize("board", ["4x6/1122=1.1", "wordle", "5x8", "bulls-and-cows"])
def test_a_small_game_has_a_guess_at_every_time_limit(board):
    """The start of another process counts, too."""
    result = run("suggest", board, "--timeout", 0)
    assert result.exit_code == 0
    assert "The time limit passed" in result.stdout
    assert not mmsat.suggest(board, timeout=0).is_complete


def test_the_estimate_of_an_inconsistent_board_is_an_error():
    result = run("suggest", SLIPPED, "--timeout", 0)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "can't" in result.stderr


def test_invalid_options_are_reported():
    assert run("suggest", CONSISTENT, "--strategy", "knut").exit_code == 2
    assert "knuth" in run("suggest", CONSISTENT, "--strategy", "knut").stderr
    assert run("suggest", "4x6/1=1").exit_code == 2


def test_the_sample_of_codes_can_be_smaller():
    document = json.loads(run("suggest", "8x12", "--size", 100, "--seed", 1, "--json").stdout)
    assert document["judged_by"] == 100
    assert not document["exact"]
    refused = run("suggest", "4x6", "4x6", "--size", 100)
    assert refused.exit_code == 2
    assert "--size" in refused.stderr
