"""mmsat match."""

from __future__ import annotations

import json

import pytest

from mmsat.game.board import Board
from mmsat.play.rules import MATCHES
from tests.support.cli_runner import run
from tests.support.schemas import validator

TWO = ("--player", "first-consistent", "--player", "random-consistent")


def played(*arguments, stdin=None):
    result = run("match", *arguments, "--json", stdin=stdin)
    document = json.loads(result.stdout.splitlines()[-1])
    validator("match").validate(document)
    return result, document


@pytest.mark.parametrize("rules", MATCHES)
def test_matches_add_up(rules):
    _, document = played("mastermind", *TWO, "--games", 4, "--seed", 1, "--rules", rules)
    assert document["rules"] == rules
    assert document["complete"]
    totals = [
        sum(column) for column in zip(*(r["points"] for r in document["rounds"]), strict=True)
    ]
    assert [player["points"] for player in document["players"]] == totals
    assert document == played("mastermind", *TWO, "--games", 4, "--seed", 1, "--rules", rules)[1]


def test_a_table_for_people():
    result = run("match", "mini", *TWO, "--games", 2, "--seed", 1, "-v")
    assert result.exit_code == 0
    assert "codemaker" in result.stdout
    assert "first-consistent" in result.stdout
    assert result.stdout.rstrip().endswith(("wins.", "A draw."))


def test_a_match_of_consistent_mastermind():
    match = ("4x6", "--player", "human", "--player", "knuth", "--turns", 2, "--seed", 1)
    _, document = played(*match, "--consistent-only", stdin="1.0\n0.2\n2331\n1122\n1122\n3314\n")
    boards = [Board.parse(entry["board"]) for entry in document["rounds"]]
    assert [len(board.rows) for board in boards] == [2, 2]
    assert all(board.inconsistent_guesses() == () for board in boards)


def test_up_to_five_play_new_mastermind():
    players = [word for _ in range(5) for word in ("--player", "random-consistent")]
    _, document = played("new", *players, "--rules", "new-mastermind", "--seed", 2)
    assert [entry["maker"] for entry in document["rounds"]] == [1, 2, 3, 4, 5]
    assert run("match", "new", *players, *TWO, "--rules", "new-mastermind").exit_code == 2


def test_people_play_too():
    """First the person makes the code, and in one match scores wrongly; then breaks one."""
    maker = ("4x6", "--player", "human", "--player", "first-consistent", "--turns", 2, "--seed", 1)
    result, document = played(*maker, stdin="0.0\n0.0\n3333\n1122\n1122\n")
    first, second = document["rounds"]
    assert result.exit_code == 0
    assert (first["secret"], first["wrong_rows"], first["points"]) == ("3333", [], [3, 0])
    assert second["guesses"] == 2
    _, lied = played(*maker, stdin="0.0\n0.0\n1111\n1122\n1122\n")
    assert lied["rounds"][0]["wrong_rows"] == [1]
    assert lied["rounds"][0]["points"] == [2, 0]
    remaining, document = played(*maker, stdin="0.0\n0.0\n3333\n1122\nquit\n")
    assert remaining.exit_code == 1
    assert not document["complete"]
    assert len(document["rounds"]) == 1


def test_invalid_matches_are_reported():
    for arguments, text in (
        (("4x6",), "two players or more"),
        (("4x6", "--player", "knuth"), "two players or more"),
        (("4x6", *TWO, *TWO), "two players"),
        (("4x6", *TWO, "--games", 3), "equally often"),
        (("4x6", *TWO, "--rules", "chess"), "points"),
        (("4x6", "--player", "nobody", "--player", "knuth"), "nobody"),
        (("4", *TWO), "PEGSxCOLORS"),
    ):
        result = run("match", *arguments)
        assert result.exit_code == 2, arguments
        assert text in result.stderr
