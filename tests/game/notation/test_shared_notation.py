"""Codes of one question are read in one notation: a letter means the same color in all of them."""

import warnings
from itertools import product

import pytest

import mmsat
from mmsat import Board, Game, InputError, Weights
from mmsat.errors import ColorNamesWarning

NAMES = "RGBYOPWK"
"""The letters of eight names of colors; a game of six colors has no color of its own for two."""


@pytest.fixture(autouse=True)
def _names_may_be_renumbered():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColorNamesWarning)
        yield


@pytest.mark.parametrize(("first", "second"), [*product(NAMES, NAMES)])
def test_two_names_are_one_color_only_if_they_are_equal(first, second):
    game = Game.parse("mastermind")

    score = game.score(f"{first}GGG", f"{second}GGG")

    assert score == ((4, 0) if first == second else (3, 0))


@pytest.mark.parametrize("name", NAMES.replace("G", ""))
def test_a_code_is_read_like_the_guesses_of_its_board(name):
    board = Board.parse(f"mastermind/{name}GGG=4.0")

    for other in NAMES:
        code = f"{other}GGG"
        is_same = other == name
        if {name, other} in ({"K", "O"}, {"W", "P"}) and name in "KW":
            # On a board with one name, the color of the other name is taken.
            with pytest.raises(InputError, match="the colors before would get other numbers"):
                board.is_consistent(code)
            continue
        assert board.is_consistent(code) == is_same
        assert (board.missed(code) == ()) == is_same
        assert (code in mmsat.codes(board)) == is_same
        assert mmsat.suggest(board, own=[code]).own[0].chance == (1 if is_same else 0)


def test_guesses_are_evaluated_in_the_notation_of_the_board():
    board = Board.parse("mastermind/PRRR=1.1")

    of_purple, of_white = mmsat.suggest(board, own=["PRRR", "WRRR"]).own

    assert of_purple.guess == board.rows[0].guess
    assert of_white.guess != of_purple.guess


def test_the_other_code_decides_what_an_ambiguous_text_means():
    assert Game.parse("mastermind").score("RGBB", "BBBB") == (2, 0)
    assert Game.parse("4x10d").score("5082", "1234") == (0, 1)
    with pytest.raises(InputError, match="it may mean 2222 or 3333"):
        Game.parse("mastermind").score("BBBB", "BBBB")


def test_weights_are_read_in_one_notation():
    game = Game.parse("mastermind")

    by_text = Weights.parse(game, "PRRR 1\nWRRR 2\n")
    by_mapping = Weights.of_codes(game, {"PRRR": 1, "WRRR": 2})

    assert by_text == by_mapping
    assert len(by_text.codes) == 2
