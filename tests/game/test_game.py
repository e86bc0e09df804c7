"""Games: their sizes and names, and the published games."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat.errors import InputError
from mmsat.game.definition import print_definition
from mmsat.game.game import MAX_CODE_VARIABLES, MAX_COLORS, MAX_PEGS, Game
from mmsat.game.names import PUBLISHED_GAMES, define, find_game, is_game
from tests.support import strategies, twins


@given(game=strategies.games())
def test_a_game_reads_back_from_its_text(game):
    assert Game.parse(str(game)) == find_game(str(game)) == game
    assert is_game(str(game))
    assert hash(Game.parse(str(game))) == hash(game)
    assert game.variables == (game.pegs, game.colors)


@given(game=strategies.small_games())
def test_a_game_contains_and_scores_codes_as_its_twins_do(game):
    codes = list(twins.codes(game))
    guesses = strategies.product_of(game)
    assert [code for code in guesses if game.contains(code)] == codes
    for code, guess in product(codes[:9], guesses[::7]):
        assert game.score(code, guess) == twins.score(game.scoring, code, guess)


@given(st.lists(st.sampled_from([0, 1, 5, 6, -1, True, 1.0, None, "1", 10**30]), max_size=5))
def test_a_code_has_one_color_for_each_peg(code):
    is_sequence = len(code) == 4 and all(type(entry) is int and 0 <= entry < 6 for entry in code)
    assert Game(4, 6).is_sequence(code) == is_sequence


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "4x",
        "x6",
        "4x6x",
        "4xx6",
        "4x6x0",
        "4x6x6x6",
        "4x6x6p",
        "4x6k",
        "4x6kk",
        "4x6p!",
        "4x6op",
        "4x2x2b",
        "4x500x500",
        "4x1000x1000000",
        "11x2x2k",
        "5x2x2!",
        "4 x 6",
        "4x6 ",
        "+4x6",
        "4x6!!",
        "4x6bw",
        "4.0x6",
        "0x6",
        "4x1001",
        "5x4!",
    ],
)
def test_an_invalid_size_is_an_input_error(text):
    with pytest.raises(InputError, match=r"^(the game[:,] |No such game )"):
        Game.parse(text)


def test_larger_games_than_the_maximum_are_input_errors():
    assert Game(MAX_COLORS, MAX_COLORS).pegs == MAX_COLORS
    assert Game(MAX_PEGS, MAX_CODE_VARIABLES // MAX_PEGS).pegs == MAX_PEGS
    for pegs, colors in (
        (MAX_PEGS + 1, 2),
        (2, MAX_COLORS + 1),
        (MAX_COLORS + 1, MAX_COLORS),
        (MAX_PEGS, MAX_CODE_VARIABLES // MAX_PEGS + 1),
    ):
        with pytest.raises(InputError):
            Game(pegs, colors)


PUBLISHED = {
    "mastermind": 1296,
    "super": 32768,
    "bulls-and-cows": 5040,
    "mini": 1296,
    "walt-disney": 125,
    "kids": 216,
    "royale": 15625,
    "grand": 390625,
    "electronic-3": 1000,
    "electronic-4": 10000,
    "electronic-5": 100000,
    "super-blanks": 59049,
}
"""Published numbers of codes."""


@pytest.mark.parametrize(("name", "num_codes"), PUBLISHED.items())
def test_the_numbers_of_codes_are_the_published_ones(name, num_codes):
    assert PUBLISHED_GAMES[name].game.size == num_codes


@pytest.mark.parametrize("name", PUBLISHED_GAMES)
def test_a_printed_definition_defines_the_same_game(name):
    game = PUBLISHED_GAMES[name].game
    assert define(print_definition(game), "a definition", name=game.name) == game


def test_no_name_of_a_game_looks_like_a_size_or_a_row():
    for name, published in PUBLISHED_GAMES.items():
        assert is_game(name)
        assert not name[0].isdigit()
        assert not set(name) & set("/=:# \t")
        assert published.name == name
        assert published.title
        assert published.summary
        assert published.source


@pytest.mark.parametrize(
    "call",
    [
        mmsat.check,
        mmsat.Board.parse,
        mmsat.Game.parse,
        mmsat.Game(4, 6).parse_code,
        mmsat.Game(4, 6).format_code,
        lambda value: mmsat.score("4x6", value, "1122"),
        lambda value: mmsat.suggest("4x6", strategy=value),
    ],
)
def test_none_is_reported_as_an_argument(call):
    with pytest.raises(mmsat.InputError, match="found None"):
        call(None)


def test_faults_of_a_code_have_their_columns():
    with pytest.raises(mmsat.InputError) as error:
        mmsat.Game(4, 6).parse_code("1177")
    assert str(error.value).splitlines() == [
        f"the arguments, code, column {column}: expected a color, 1 to 6, found '7'"
        for column in (3, 4)
    ]
