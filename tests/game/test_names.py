"""Names of published games, in the spellings that people use."""

import json

import pytest

from mmsat.errors import InputError
from mmsat.game import names
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game, is_game, nearest_games, published_names, simplify_name
from mmsat.game.published import PUBLISHED_GAMES
from tests.support.cli_runner import run

SPELLINGS = {
    "daily-word": ["wordle", "Wordle", "WORDLE", "daily word", "DailyWord", "Daily-Word"],
    "bulls-and-cows": ["Bulls and Cows", "bullsandcows", "BULLS-AND-COWS", "bulls_and_cows"],
    "mastermind44": ["Mastermind 44", "mastermind-44"],
    "secret-search-4": ["Secret Search 4", "secretsearch4"],
    "moo": ["Moo", "MOO"],
}


@pytest.mark.parametrize(
    ("name", "spelling"), [(name, entry) for name, some in SPELLINGS.items() for entry in some]
)
def test_a_name_is_found_in_any_spelling(name, spelling):
    game = find_game(name)
    assert find_game(spelling) == Game.parse(spelling) == PUBLISHED_GAMES[spelling].game == game
    assert str(find_game(spelling)) == str(game)
    assert is_game(spelling)
    assert Board.parse(f"{spelling}/") == Board.parse(f"# a file\n {spelling} \n") == Board(game)
    document = {"mmsat": 1, "game": {"name": spelling}, "rows": []}
    assert Board.parse(json.dumps(document)) == Board(game)
    if game.name:
        document["game"] = Board(game).to_json()["game"] | {"name": spelling}
        assert Board.parse(json.dumps(document)) == Board(game)


def test_commands_take_any_spelling_of_a_name():
    assert "daily-word" in run("games", "Wordle").stdout
    assert run("count", "Bulls and Cows/").stdout == "5040\n"
    assert run("play", "Wordle", "--seed", 1, stdin="quit\n").exit_code == 0
    assert run("optimal", "electronic 3").exit_code in (0, 2)


def test_no_two_published_games_have_one_simplified_name():
    every = [*published_names(), *names.ALIASES]
    assert len({simplify_name(name) for name in every}) == len(every)


def test_an_ambiguous_name_is_refused_with_both(monkeypatch):
    monkeypatch.setattr(names, "ALIASES", {"Daily word": "lingo"})
    names._simple_names.cache_clear()
    try:
        with pytest.raises(InputError) as caught:
            find_game("DAILY WORD")
        assert str(caught.value) == (
            "the game: expected daily-word or lingo, found 'DAILY WORD' (the name is ambiguous)"
        )
        assert find_game("daily-word").name == "daily-word"
    finally:
        names._simple_names.cache_clear()


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("mastermnd", "'mastermind' or 'mastermind44'"),
        ("Wordel", "'wordle', 'word' or 'word-3'"),
        ("bulls-n-cows", "'bulls-and-cows'"),
        ("bull and cow", "'bulls-and-cows'"),
        ("Super Mastermind", "'super' or 'super-blanks'"),
        ("deluxe mastermind", "'super'"),
        ("Mini-Mastermind", "'mini'"),
        ("Mastermind for kids", "'kids'"),
        ("Royale Mastermind", "'royale', 'royale-one-key' or 'royale-side'"),
        ("Pico, Fermi, Bagels", "'bagels'"),
        ("AB game", "'ab'"),
    ],
)
def test_a_near_miss_asks_whether_that_was_meant(name, near):
    with pytest.raises(InputError) as caught:
        find_game(name)
    assert str(caught.value) == f"No such game '{name}'. Did you mean {near}?"
    for game in nearest_games(name):
        assert is_game(game)


def test_a_name_like_no_other_has_no_near_miss():
    with pytest.raises(InputError) as caught:
        find_game("xyzzy")
    assert str(caught.value) == (
        "No such game 'xyzzy'. Expected a size such as 4x6, or a name that `mmsat games` lists."
    )
