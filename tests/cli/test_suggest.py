"""The command `mmsat suggest`."""

from __future__ import annotations

import json
from collections import Counter

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


@pytest.mark.parametrize(
    "board", ["4x6/1122=1.1", "bulls-and-cows/0123=1A1B", "wordle/CRANE=-Y---"]
)
@pytest.mark.parametrize("lies", [0, 1])
def test_details_have_the_number_of_codes_for_each_score_of_a_guess(board, lies):
    codes = list(mmsat.codes(board, lies=lies))
    game, guess = mmsat.Board.parse(board).game, codes[len(codes) // 2]
    text = game.format_code(guess)
    result = run("suggest", board, "--lies", lies, "--guess", text, "-v", "--size", 10**6)
    table = result.stdout.partition(f"score of {text}")[2].splitlines()[1:]
    row = mmsat.Board(game).with_row
    expected = Counter(str(row(guess, game.score(code, guess))).partition("=")[2] for code in codes)
    printed = {score: int(number.replace(",", "")) for score, number in map(str.split, table)}
    assert printed == expected
    assert list(printed.values()) == sorted(printed.values(), reverse=True)
    assert "score of" not in run("suggest", board, "--guess", text).stdout


def test_a_sample_for_the_scores_of_a_guess_is_named():
    result = run("suggest", "5x8", "--guess", "11223", "-v", "--size", 500)
    lines = result.stdout.partition("score of 11223  in a sample")[2].splitlines()[1:]
    assert sum(int(line.split()[1]) for line in lines) == 500
