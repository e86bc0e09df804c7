"""The questions about guesses equal the definitions, on random boards of every kind of game."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmsat.game.notation.board_reader import speller
from tests.support import tiers
from tests.support.schemas import validator
from tests.support.strategies import played_boards
from tests.support.web_client import ask


@settings(max_examples=tiers.share(25), deadline=None)
@given(played_boards(), st.randoms(use_true_random=False))
def test_the_split_of_a_guess_is_that_of_brute_force(address, played, random):
    board, _ = played
    game = board.game
    remaining = [code for code in game.codes() if board.is_consistent(code)]
    guess = random.choice(list(game.codes()))
    text = speller(game).print_code(guess)
    status, document = ask(address, "split", board=json.dumps(board.to_dict()), guess=text)
    assert status == 200
    answer = document["answer"]
    validator("split").validate(answer)
    sizes = Counter(tuple(game.scoring.to_json(game.score(code, guess))) for code in remaining)
    assert {tuple(part["score"]): part["codes"] for part in answer["parts"]} == sizes
    assert answer["judged_by"] == len(remaining)
    assert answer["exact"]
    counts = [part["codes"] for part in answer["parts"]]
    assert counts == sorted(counts, reverse=True)
    wins = [part["codes"] for part in answer["parts"] if part["wins"]]
    # If only colors count, several codes have the score of the guess itself.
    winning_score = tuple(game.scoring.to_json(game.score(guess, guess)))
    assert wins == [sizes[winning_score]] * (winning_score in sizes)


@settings(max_examples=tiers.share(25), deadline=None)
@given(played_boards(), st.randoms(use_true_random=False))
def test_the_scores_of_a_board_against_a_code(address, played, random):
    board, _ = played
    game = board.game
    code = random.choice(list(game.codes()))
    status, document = ask(
        address, "scores", board=json.dumps(board.to_dict()), code=speller(game).print_code(code)
    )
    assert status == 200
    validator("scores").validate(document["answer"])
    scores = [game.scoring.to_json(game.score(code, row.guess)) for row in board.rows]
    assert document["answer"]["scores"] == scores
    assert document["answer"]["wrong"] == [row + 1 for row in board.missed(code)]


def test_a_split_with_lies_counts_the_codes_within_the_tolerance(address):
    line = "3x4/112=1.1/234=0.1"
    arguments = {"board": line, "lies": 1, "by": "rows"}
    _, count = ask(address, "count", **arguments)
    _, document = ask(address, "split", guess="123", **arguments)
    assert sum(part["codes"] for part in document["answer"]["parts"]) == int(
        count["answer"]["count"]
    )


@pytest.mark.parametrize(
    ("line", "allowed", "refused"),
    [
        ("daily-word/CRANE=GY---", "CURRY", "TRAIL"),
        ("4x6/1122=4.0", "1122", "1123"),
        ("4x6/1122=1.1/3345=0.2", "1233", "1111"),
    ],
)
def test_hard_mode_refuses_a_guess_that_ignores_a_score(address, line, allowed, refused):
    for guess, wanted in ((allowed, 200), (refused, 400)):
        status, document = ask(address, "play", board=line, guess=guess, hard=True, seed=1)
        assert status == wanted, (guess, document)
        assert ask(address, "play", board=line, guess=guess, seed=1)[0] == 200
    (fault,) = document["error"]["faults"]
    assert fault["found"] == refused
    assert "ignores information of row 1" in fault["rule"]


def test_a_review_and_suggestions_know_hard_mode(address):
    line = "daily-word/CRANE=GY---/TRAIL=-YY--"
    _, review = ask(address, "review", board=line, hard=True)
    assert review["answer"]["hard"]
    assert review["answer"]["moves"][1]["breach"] == 1
    _, document = ask(address, "suggest", board="daily-word/CRANE=GY---", hard=True, others=0)
    assert document["answer"]["guess"][0] == 3


@settings(max_examples=tiers.share(25), deadline=None)
@given(played_boards(), st.randoms(use_true_random=False))
def test_a_guess_is_evaluated_as_it_is_compared_with_the_best(address, played, random):
    """The numbers are the same as if the best guesses were searched, too."""
    board, _ = played
    guess = random.choice(list(board.game.codes()))
    arguments = {
        "board": json.dumps(board.to_dict()),
        "guess": speller(board.game).print_code(guess),
    }
    status, document = ask(address, "evaluate", **arguments)
    assert status == 200
    answer = document["answer"]
    validator("evaluation").validate(answer)
    _, suggestion = ask(address, "suggest", **arguments, compare=True)
    compared = suggestion["compared"]
    (expected,) = [each for each in compared["guesses"] if each["guess"] == answer["guess"]]
    assert {key: answer[key] for key in expected if key != "guess_text"} == {
        key: value for key, value in expected.items() if key != "guess_text"
    }
    assert answer["by"] == compared["by"]
    assert answer["codes"] == suggestion["answer"]["codes"]
