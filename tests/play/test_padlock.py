"""Padlock puzzles express scores in sentences."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat.play.puzzle import NUMBER_WORDS, clue, clues, has_clues
from tests.support import twins
from tests.support.cli_runner import run
from tests.support.strategies import small_games


def read(text, parts):
    """Parse the score in a sentence."""
    score = dict.fromkeys(parts, 0)
    for part in text.lower().rstrip(".").split(","):
        number = next(
            (NUMBER_WORDS.index(word) for word in part.split() if word in NUMBER_WORDS), None
        )
        if number is None:
            assert part == " in any place"
        elif "white" in parts and "wrong place" in part:
            score["white"] = number
        else:
            score[parts[0]] = number
    return tuple(score.values())


@given(small_games(4, 4).filter(has_clues), st.data())
def test_a_sentence_determines_the_score(game, data):
    code, guess = (data.draw(st.sampled_from([*twins.codes(game)])) for _ in range(2))
    score = game.score(code, guess)
    assert read(clue(game, mmsat.Row(guess, score)), game.parts) == score


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("number/6521=1.0", "One digit is right and in the right place."),
        ("number/6145=0.2", "Two digits are right but in the wrong place."),
        ("4x6/1122=0.0", "No digit is right."),
        (
            "4x6/1122=1.2",
            "One digit is right and in the right place, two are right but in the wrong place.",
        ),
        ("word/BAND=2.0", "Two letters are right and in the right place."),
        ("4x6b/1122=0", "No digit is in the right place."),
        ("4x6w/1122=3", "Three digits are right, in any place."),
        ("14x6b/12345612345612=13", "13 digits are in the right place."),
    ],
)
def test_the_sentence_of_a_score(line, expected):
    assert clues(mmsat.Board.parse(line)) == [expected]


def test_a_board_is_printed_as_sentences():
    arguments = ("puzzle", "number", "--words", "padlock", "--seed", 3)
    puzzle = mmsat.puzzle("number", seed=3)
    printed = run(*arguments).stdout
    for row, text in zip(puzzle.board.rows, clues(puzzle.board), strict=True):
        assert re.search(" ".join(str(color + 1) for color in row.guess) + f"  {text}", printed)
    assert "black" not in printed
    assert f"{clues(puzzle.board)[-1]}\n" in run(*arguments, "-v").stdout


@pytest.mark.parametrize("game", ["daily-word", "royale", "secret-search-3"])
def test_marks_and_pairs_cannot_be_put_in_words(game):
    result = run("puzzle", game, "--words", "padlock", "--seed", 0)
    assert result.exit_code == 2
    assert "--words padlock needs scores that count colors" in result.stderr
    assert mmsat.puzzle(game).to_dict()["clues"] == []
