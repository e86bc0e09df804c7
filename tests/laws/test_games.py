"""Properties of all published games: notations, scorer, engines, counts, and lists."""

from __future__ import annotations

import json
import random
import tomllib
from importlib.resources import files
from itertools import islice
from pathlib import Path

import jsonschema
import pytest

import mmsat
from mmsat.game.board import PRINTERS, Board, Status
from mmsat.game.names import GAMES_FOLDER, PUBLISHED_GAMES
from mmsat.solving.cp import Cp
from mmsat.solving.deadline import Deadline
from mmsat.solving.sat import Sat
from mmsat.solving.searches import Brute
from tests.support import twins
from tests.support.published_games import each_game, played, slipped
from tests.support.random_boards import random_guess, random_secret

MAX_LISTED_CODES = 70_000
"""Maximum size of a game whose codes are all listed."""
ENGINES = {
    "brute": lambda board: Brute().decide(board, Deadline()).code,
    "cp": Cp().solve,
    "sat": Sat("cadical195", "totalizer").solve,
    "native": Sat("minicard", "native").solve,
    "auto": lambda board: mmsat.check(board, reason=0).witness,
}


def is_consistent(board, code):
    """Return whether a code is consistent with a board according to the twin."""
    return board.game.contains(code) and twins.wrong_rows(board, code) == []


@each_game
def test_a_game_has_all_fields(name):
    variant = PUBLISHED_GAMES[name]
    game = variant.game
    assert variant.name == name
    assert all((variant.title, variant.year, variant.source, variant.summary, variant.players))
    assert (str(game) == name) == bool(game.symbols or game.space.table())
    assert Board.parse(name).game == Board.parse(str(game)).game == game
    assert len(game.color_symbols.names) == game.colors


@each_game
def test_every_notation_is_read_back(name):
    for board in (played(name)[0], slipped(name)[0], Board(PUBLISHED_GAMES[name].game)):
        for printed in PRINTERS.values():
            text = printed(board)
            assert Board.parse(text) == board
            assert printed(Board.parse(text)) == text
        assert Board.parse(json.dumps(board.to_dict()), files=False) == board
        rows = str(board).partition("/")[2]
        assert Board.parse(f"{name}/{rows}") == Board.parse(f"{name}/{rows.lower()}") == board


@each_game
def test_a_game_scores_like_its_twin(name):
    game = PUBLISHED_GAMES[name].game
    rng = random.Random(1)
    for _ in range(300):
        code, guess = random_secret(rng, game), random_guess(rng, game)
        assert game.score(code, guess) == twins.score(game.scoring, code, guess)
        assert game.scoring.flaw(game.pegs, game.score(code, guess)) is None


@each_game
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_a_code_and_refutes_a_contradiction(name, engine):
    board, secret = played(name)
    assert is_consistent(board, secret)
    assert is_consistent(board, ENGINES[engine](board))
    assert ENGINES[engine](slipped(name)[0]) is None


@each_game
def test_codes_are_counted_and_listed_like_by_the_twin(name):
    board, secret = played(name)
    codes = mmsat.codes(board)
    assert secret in codes
    listed = list(islice(codes, 500))
    assert listed == sorted(set(listed))
    assert all(is_consistent(board, code) for code in listed)
    if board.game.size <= MAX_LISTED_CODES:
        expected = twins.consistent(board)
        assert listed == expected[:500]
        assert codes.count == len(expected)
    else:
        assert codes.count >= len(listed) > 0
        rng = random.Random(2)
        for code in [random_secret(rng, board.game) for _ in range(500)]:
            assert (code in codes) == is_consistent(board, code)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [n for n in PUBLISHED_GAMES if PUBLISHED_GAMES[n].game.size > MAX_LISTED_CODES]
)
def test_all_methods_give_the_same_count_for_the_largest_games(name):
    board, _ = played(name)
    counted = {mmsat.count(board, method=method).count for method in ("brute", "ganak")}
    assert counted == {mmsat.codes(board).count}


@each_game
def test_a_contradiction_is_found_and_corrected(name):
    board, wrong_score = slipped(name)
    last = len(board.rows) - 1
    verdict = mmsat.check(board)
    assert verdict.status is Status.INCONSISTENT
    rows = verdict.conflict.rows
    assert last in rows  # the secret satisfies all other rows
    assert mmsat.check(board.only(rows), reason=0).status is Status.INCONSISTENT
    for row in rows:
        assert mmsat.check(board.only(entry for entry in rows if entry != row)).is_consistent
    (change,) = verdict.correction.changes
    assert change.row in rows
    assert change.after != change.before == board.rows[change.row].score
    corrected = board.changed({change.row: change.after})
    assert mmsat.check(corrected).is_consistent
    assert change.row != last or change.before == wrong_score
    assert mmsat.count(corrected).count == verdict.correction.codes.count


@each_game
def test_the_file_of_a_game_is_valid_by_the_schema(name):
    """Published games use the same schema as custom games."""
    schema = json.loads((files("mmsat") / "schemas" / "game.json").read_text("utf-8"))
    document = tomllib.loads(Path(GAMES_FOLDER, f"{name}.toml").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    assert {"title", "year", "source", "rules"} <= document.keys()
    invalid = document | {"shape": 5}
    assert not jsonschema.Draft202012Validator(schema).is_valid(invalid)
