"""Games with own symbols or words, but without a name: their boards are printed as JSON."""

import json

import pytest

import mmsat
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import Symbols
from tests.support.cli_runner import run

DEFINITIONS = [
    {"pegs": 3, "symbols": "\N{RED APPLE}\N{BANANA}\N{GRAPES}"},
    {"pegs": 2, "symbols": ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"], "noun": "flag"},
    {"pegs": 3, "symbols": "xyz", "noun": "fruit", "repeats": False, "score": "places"},
    {"pegs": 2, "symbols": "ABCD", "score": "order"},
    {"pegs": 2, "colors": 4, "noun": "house"},
    {"pegs": 3, "words": ["abc", "bca", "cab"], "guesses": "any"},
    {"pegs": 2, "score": "pairs", "attributes": {"hue": "rgb", "form": "OX"}},
]


def board_of(definition):
    """Return a board of a game with one row."""
    document = {"mmsat": 1, "game": definition, "rows": []}
    board = mmsat.Board.parse(json.dumps(document))
    guess, *_, code = board.game.codes()
    return board.with_row(guess, board.game.score(code, guess))


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_every_printed_form_is_read_again(definition, tmp_path):
    board = board_of(definition)
    assert board.game.is_nameless
    forms = {
        "line": str(board),
        "document": json.dumps(board.to_dict()),
        "text": mmsat.game.notation.board_text.print_text(board.game, board.rows),
        "repr": eval(repr(board), {"Board": mmsat.Board}),  # noqa: S307  (repr of our own object)
    }
    for form, text in forms.items():
        assert mmsat.Board.of(text) == board, form
    file = tmp_path / "board.json"
    file.write_text(str(board), "utf-8")
    verdict = json.loads(run("check", file, "--json").stdout)
    assert verdict["verdict"] == "consistent"
    assert mmsat.Board.parse(verdict["board"]) == board
    assert "parse" not in repr(board.game)


def test_games_with_a_name_or_the_symbols_of_their_size_are_printed_as_lines():
    for name in ("4x6", "5x26p", "bulls-and-cows", "daily-word", "4x5x5"):
        game = mmsat.Game.parse(name)
        assert not game.is_nameless
        assert str(mmsat.Board(game)) == str(game)


def test_symbols_can_be_a_text():
    symbols = "\N{RED APPLE}\N{BANANA}\N{GRAPES}"
    game = mmsat.Game(3, 3, symbols=Symbols(symbols))
    assert game == mmsat.Game(3, 3, symbols=Symbols(tuple(symbols)))
    board = mmsat.Board(game, [(symbols, "1.1")])
    assert mmsat.Board.parse(str(board)) == board
    assert symbols in repr(game)
    assert game.scoring is SCORINGS["black-white"]
