"""The command `mmsat match`."""

from __future__ import annotations

import json

import pytest

from mmsat.game.board import Board
from mmsat.play.rules import MATCHES
from tests.support.cli_runner import run
from tests.support.schemas import validator

TWO_PLAYERS = ("--player", "first-consistent", "--player", "random-consistent")


def run_match(*arguments, stdin=None):
    """Run a match with --json; return the result and the document, which is validated."""
    result = run("match", *arguments, "--json", stdin=stdin)
    document = json.loads(result.stdout.splitlines()[-1])
    validator("match").validate(document)
    return result, document


@pytest.mark.parametrize("rules", MATCHES)
def test_points_add_up_and_the_seed_determines_the_match(rules):
    match = ("mastermind", *TWO_PLAYERS, "--games", 4, "--seed", 1, "--rules", rules)
    _, document = run_match(*match)
    assert document["rules"] == rules
    assert document["complete"]
    totals = [
        sum(column) for column in zip(*(r["points"] for r in document["rounds"]), strict=True)
    ]
    assert [player["points"] for player in document["players"]] == totals
    assert document == run_match(*match)[1]


def test_the_text_is_a_table_with_the_winner():
    result = run("match", "mini", *TWO_PLAYERS, "--games", 2, "--seed", 1, "-v")
    assert result.exit_code == 0
    assert "codemaker" in result.stdout
    assert "first-consistent" in result.stdout
    assert result.stdout.rstrip().endswith(("wins.", "A draw."))


def test_consistent_only_refuses_inconsistent_guesses():
    match = ("4x6", "--player", "human", "--player", "knuth", "--turns", 2, "--seed", 1)
    _, document = run_match(*match, "--consistent-only", stdin="1.0\n0.2\n2331\n1122\n1122\n3314\n")
    boards = [Board.parse(entry["board"]) for entry in document["rounds"]]
    assert [len(board.rows) for board in boards] == [2, 2]
    assert all(board.inconsistent_guesses() == () for board in boards)


def test_new_mastermind_allows_up_to_five_players():
    players = [word for _ in range(5) for word in ("--player", "random-consistent")]
    _, document = run_match("new", *players, "--rules", "new-mastermind", "--seed", 2)
    assert [entry["maker"] for entry in document["rounds"]] == [1, 2, 3, 4, 5]
    assert run("match", "new", *players, *TWO_PLAYERS, "--rules", "new-mastermind").exit_code == 2


def test_a_person_can_play():
    """The person is codemaker in round 1, once with a wrong score, and codebreaker in round 2."""
    maker = ("4x6", "--player", "human", "--player", "first-consistent", "--turns", 2, "--seed", 1)
    result, document = run_match(*maker, stdin="0.0\n0.0\n3333\n1122\n1122\n")
    first, second = document["rounds"]
    assert result.exit_code == 0
    assert (first["secret"], first["wrong_rows"], first["points"]) == ("3333", [], [3, 0])
    assert second["guesses"] == 2
    _, with_wrong_score = run_match(*maker, stdin="0.0\n0.0\n1111\n1122\n1122\n")
    assert with_wrong_score["rounds"][0]["wrong_rows"] == [1]
    assert with_wrong_score["rounds"][0]["points"] == [2, 0]
    quit_result, document = run_match(*maker, stdin="0.0\n0.0\n3333\n1122\nquit\n")
    assert quit_result.exit_code == 1
    assert not document["complete"]
    assert len(document["rounds"]) == 1


def test_invalid_matches_are_reported():
    for arguments, text in (
        (("4x6",), "two players or more"),
        (("4x6", "--player", "knuth"), "two players or more"),
        (("4x6", *TWO_PLAYERS, *TWO_PLAYERS), "two players"),
        (("4x6", *TWO_PLAYERS, "--games", 3), "equally often"),
        (("4x6", *TWO_PLAYERS, "--rules", "chess"), "points"),
        (("4x6", "--player", "nobody", "--player", "knuth"), "nobody"),
        (("4", *TWO_PLAYERS), "PEGSxCOLORS"),
    ):
        result = run("match", *arguments)
        assert result.exit_code == 2, arguments
        assert text in result.stderr
