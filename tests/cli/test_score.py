"""The command `mmsat score`."""

from __future__ import annotations

import json

import pytest

import mmsat
from tests.support.cli_runner import fault_lines, run


@pytest.mark.parametrize(
    ("game", "code", "guess", "score"),
    [
        ("4x6", "1122", "1213", "1.2"),
        ("4x6", "1 1 2 2", "3-3-4-4", "0.0"),
        ("bulls-and-cows", "1234", "1243", "2.2"),
        ("4x6b", "1122", "1222", "3"),
        ("4x6w", "1122", "2211", "4"),
        ("daily-word", "crane", "TRAIL", "-GG--"),
    ],
)
def test_the_score_is_printed_as_in_a_board_line(game, code, guess, score):
    result = run("score", game, code, guess)
    assert (result.exit_code, result.stdout) == (0, f"{score}\n")
    document = json.loads(run("score", game, code, guess, "--json").stdout)
    board = mmsat.Board.parse(document["board"])
    secret = [color - 1 for color in document["code"]]
    assert board.is_consistent(secret)
    assert document["board"].endswith(f"={score}")
    assert document["game"] == str(board.game)
    assert [color - 1 for color in document["guess"]] == [*board.rows[0].guess]
    assert document["score"] == board.game.scoring.to_json(board.rows[0].score)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("4x6", "1178", "1122"), "CODE, column 3: expected a color, 1 to 6, found '7'"),
        (("4x6", "1122", "112"), "GUESS, column 1: expected 4 "),
        (("bulls-and-cows", "1123", "1234"), "CODE: expected a code of bulls-and-cows"),
        (("daily-word", "XXXXX", "CRANE"), "CODE: expected a code of daily-word"),
        (("4y6", "1122", "1122"), "4y6"),
    ],
)
def test_an_invalid_code_is_reported_with_its_argument(arguments, message):
    assert message in fault_lines(run("score", *arguments))[0]


def test_faults_of_both_arguments_are_reported():
    lines = fault_lines(run("score", "4x6", "1178", "112"))
    assert lines == [
        "Error: CODE, column 3: expected a color, 1 to 6, found '7'",
        "Error: CODE, column 4: expected a color, 1 to 6, found '8'",
        "Error: GUESS, column 1: expected 4 colors, not 3, found '112'",
    ]
    (line,) = fault_lines(run("score", "4x10d", "0012", "0123"))
    assert line.endswith("(no color repeats in a code)")


def test_a_repeated_color_is_noted_if_no_code_has_one():
    note = "the board line: no color repeats in a code, but one does in row 2\n"
    for command, code in (("count", 0), ("check", 10), ("suggest", 0)):
        result = run(command, "bulls-and-cows/1234=1A1B/1123=1A1B")
        assert (result.exit_code, result.stderr) == (code, note)
        assert run(command, "bulls-and-cows/1234=1A1B/1123=1A1B", "-q").stderr == ""
    assert run("count", "bulls-and-cows/1234=1A1B/5?6?=0A1B").stderr == ""
    assert run("count", "4x6/1122=1A1B").stderr == ""
