"""Games: their sizes and names, and the table of those that were sold."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from mmsat.errors import InputError
from mmsat.game.game import LARGEST, Game
from mmsat.game.variants import VARIANTS, find_game, is_game
from tests import strategies, twins


@given(game=strategies.games())
def test_a_game_is_its_spelling(game):
    assert Game.parse(str(game)) == find_game(str(game)) == game
    assert is_game(str(game))
    assert hash(Game.parse(str(game))) == hash(game)
    assert game.facts == (game.pegs, game.colors)


@given(game=strategies.small_games())
def test_a_game_scores_and_contains_as_its_twins_do(game):
    codes = list(twins.codes(game))
    guesses = strategies.product_of(game)
    assert [code for code in guesses if game.contains(code)] == codes
    for code, guess in product(codes[:9], guesses[::7]):
        assert game.score(code, guess) == twins.score(game.scoring.name, code, guess)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "4x",
        "x6",
        "4x6x6",
        "4 x 6",
        "4x6 ",
        "4X6",
        "+4x6",
        "4x6!!",
        "4x6bw",
        "4.0x6",
        "0x6",
        "4x1001",
        "5x4!",
    ],
)
def test_what_is_no_size_is_an_input_error(text):
    with pytest.raises(InputError, match="in the game"):
        Game.parse(text)


def test_the_largest_game_is_allowed_and_no_larger():
    assert Game(LARGEST, LARGEST).pegs == LARGEST
    for pegs, colors in ((LARGEST + 1, 2), (2, LARGEST + 1)):
        with pytest.raises(InputError):
            Game(pegs, colors)


def test_the_table_of_published_games_is_the_published_one():
    sizes = {name: str(variant.game) for name, variant in VARIANTS.items()}
    assert sizes == {
        "mastermind": "4x6",
        "mastermind44": "5x6",
        "super": "5x8",
        "number": "4x6",
        "walt-disney": "3x5",
        "mini": "4x6",
        "challenge": "5x8",
        "kids": "3x6",
        "new": "4x6",
        "bulls-and-cows": "4x10!",
    }


def test_no_name_of_a_game_can_be_taken_for_a_size_or_a_row():
    for name, variant in VARIANTS.items():
        assert is_game(name)
        assert not name[0].isdigit()
        assert not set(name) & set("/=:# \t")
        assert variant.name == name
        assert variant.title
        assert variant.note
