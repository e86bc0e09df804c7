"""Names of published games, also as people type them."""

import json

import pytest

from mmsat.errors import InputError
from mmsat.game import names
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import (
    PUBLISHED_GAMES,
    find_game,
    is_game,
    nearest_games,
    published_names,
    simplify_name,
)
from tests.support.cli_runner import run

SPELLINGS = {
    "daily-word": ["wordle", "Wordle", "WORDLE", "daily word", "DailyWord", "Daily-Word"],
    "bulls-and-cows": ["Bulls and Cows", "bullsandcows", "BULLS-AND-COWS", "bulls_and_cows"],
    "mastermind44": ["Mastermind 44", "mastermind-44"],
    "secret-search-4": ["Secret Search 4", "secretsearch4"],
    "moo": ["Moo", "MOO"],
}


@pytest.mark.parametrize(
    ("name", "spelling"),
    [(name, entry) for name, spellings in SPELLINGS.items() for entry in spellings],
)
def test_a_name_is_found_in_any_spelling(name, spelling):
    game = find_game(name)
    assert find_game(spelling) == Game.parse(spelling) == PUBLISHED_GAMES[spelling].game == game
    assert str(find_game(spelling)) == str(game)
    assert is_game(spelling)
    assert Board.parse(f"{spelling}/") == Board.parse(f"# a file\n {spelling} \n") == Board(game)
    document = {"mmsat": 1, "game": {"name": spelling}, "rows": []}
    assert Board.parse(json.dumps(document)) == Board(game)
    assert Board.parse({"game": spelling, "rows": []}, files=False) == Board(game)
    if game.name:
        document["game"] = Board(game).to_dict()["game"] | {"name": spelling}
        assert Board.parse(json.dumps(document)) == Board(game)


def test_commands_accept_any_spelling_of_a_name():
    assert "daily-word" in run("games", "Wordle").stdout
    assert run("count", "Bulls and Cows/").stdout == "5040\n"
    assert run("play", "Wordle", "--seed", 1, stdin="quit\n").exit_code == 0
    assert run("optimal", "electronic 3").exit_code in (0, 2)


def test_published_games_have_different_simplified_names():
    all_names = [*published_names(), *names.ALIASES]
    assert len({simplify_name(name) for name in all_names}) == len(all_names)


def test_the_error_for_an_ambiguous_name_lists_both_games(monkeypatch):
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
    ("name", "suggestion"),
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
def test_the_error_for_an_unknown_name_suggests_similar_names(name, suggestion):
    with pytest.raises(InputError) as caught:
        find_game(name)
    assert str(caught.value) == f"No such game '{name}'. Did you mean {suggestion}?"
    for game in nearest_games(name):
        assert is_game(game)


def test_an_unknown_name_without_similar_names_gets_no_suggestion():
    with pytest.raises(InputError) as caught:
        find_game("xyzzy")
    assert str(caught.value) == (
        "No such game 'xyzzy'. Expected a size such as 4x6, or a name that `mmsat games` lists."
    )
