"""Logs in JSON arrays and in text files with the boards of several games."""

from __future__ import annotations

import json

import pytest

from mmsat.auditing.grids import split_games
from tests.support.cli_runner import fault_lines, run

ROWS = ["1122 1 1", "3345 0 2"]
BOARDS = ["4x6/1122=1.1/3345=0.2", "4x6/1177=1.1"]
"""A consistent board, and one with a color that the game does not have."""
DOCUMENT = {"game": "4x6", "rows": [{"guess": "1122", "black": 1, "white": 1}]}


def audit(folder, name, text, *options):
    """Return the records of an audit: id and board of each readable game, and the rejected ones."""
    log = folder / name
    log.write_text(text, "utf-8")
    out = folder / "out.jsonl"
    result = run("audit", log, "-o", out, *options)
    assert result.exit_code in (0, 1), result.stderr
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    rejected = folder / "out.jsonl.rejected.jsonl"
    lines = rejected.read_text("utf-8").splitlines() if rejected.exists() else []
    return (
        [(record.get("id") or "", record["board"]) for record in records],
        [json.loads(line) for line in lines],
    )


@pytest.mark.parametrize(
    "value",
    [
        [BOARDS[0], "4x6/1122=1.1"],
        {"games": [BOARDS[0], {"board": "4x6/1122=1.1"}]},
        [BOARDS[0], DOCUMENT],
        [{"board": BOARDS[0]}, DOCUMENT],
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_each_element_of_an_array_is_a_record(tmp_path, value, indent):
    records, rejected = audit(tmp_path, "games.json", json.dumps(value, indent=indent))
    assert [board for _, board in records] == [BOARDS[0], "4x6/1122=1.1"]
    assert rejected == []


def test_one_document_is_one_record(tmp_path):
    records, _ = audit(tmp_path, "game.json", json.dumps(DOCUMENT))
    assert records == [("", "4x6/1122=1.1")]


def test_an_invalid_element_is_rejected_and_the_others_are_judged(tmp_path):
    text = json.dumps([BOARDS[0], BOARDS[1], 7, {"id": "a", "board": "4x6/1234=1.1"}])
    records, rejected = audit(tmp_path, "games.json", text)
    assert records == [("", BOARDS[0]), ("a", "4x6/1234=1.1")]
    assert [record["source"].rpartition(":")[2] for record in rejected] == ["2", "3"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "valid JSON"),
        ("[]", "an array of games"),
        ("3", "an array of games"),
        ("", "expected games"),
    ],
)
def test_a_document_without_games_is_refused(tmp_path, text, message):
    log = tmp_path / "games.json"
    log.write_text(text)
    (line,) = fault_lines(run("audit", log))
    assert message in line


LAYOUTS = {
    "blank lines": ("4x6\n{}\n{}\n\n{}\n", ["", ""]),
    "the game again": ("4x6\n{}\n{}\n4x6\n{}\n", ["", ""]),
    "headings": ("4x6\nGame 1\n{}\n{}\nGame 2\n{}\n", ["Game 1", "Game 2"]),
    "headings in markdown": (
        "4x6\n\n## Game 1\n\n{}\n{}\n\n## Game 2:\n\n{}\n",
        ["Game 1", "Game 2"],
    ),
    "games below headings": ("Game 1\n4x6\n{}\n{}\nGame 2\n4x6\n{}\n", ["Game 1", "Game 2"]),
    "games in headings": (
        "Round 1 (4x6)\n{}\n{}\nRound 2 (4x6)\n{}\n",
        ["Round 1 (4x6)", "Round 2 (4x6)"],
    ),
    "comments": ("# a log\n4x6\n{}\n# a comment\n{}\n\n\n{}\n\n", ["", ""]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_each_game_of_a_text_is_a_record(tmp_path, layout, newline):
    text, titles = LAYOUTS[layout]
    text = text.format(*ROWS, "1234 2 1").replace("\n", newline)
    records, rejected = audit(tmp_path, "log.txt", text)
    assert records == [(titles[0], BOARDS[0]), (titles[1], "4x6/1234=2.1")]
    assert rejected == []


def test_board_lines_are_records(tmp_path):
    records, _ = audit(tmp_path, "log.txt", f"{BOARDS[0]}\n# b\ndaily-word/CRANE=-----\n")
    assert [board for _, board in records] == [BOARDS[0], "daily-word/CRANE=-----"]


def test_the_option_names_the_game_of_a_text(tmp_path):
    text = "Game 1\n1122 1 1\n\nGame 2\n1234 2 1\n"
    records, _ = audit(tmp_path, "log.txt", text, "--game", "4x6")
    assert records == [("Game 1", "4x6/1122=1.1"), ("Game 2", "4x6/1234=2.1")]
    (line,) = fault_lines(run("audit", tmp_path / "log.txt"))
    assert line.endswith(
        "line 2, column 1: expected a line with the game above the rows, such as 4x6, or the "
        "option --game 4x6, found '1122 1 1' (the file names no game)"
    )


@pytest.mark.parametrize("text", ["5x8\n11223 1 1\n", "5x8/11223=1.1\n"])
def test_another_game_than_that_of_the_option_is_rejected(tmp_path, text):
    records, rejected = audit(tmp_path, "log.txt", f"4x6\n1122 1 1\n\n{text}", "--game", "4x6")
    assert records == [("", "4x6/1122=1.1")]
    (record,) = rejected
    assert "the game differs from --game" in record["fault"]


def test_faults_name_the_line_of_the_file(tmp_path):
    text = "4x6\n1122 1 1\n\n1177 1 1\n\n1234 2 1\n"
    records, rejected = audit(tmp_path, "log.txt", text)
    assert [board for _, board in records] == ["4x6/1122=1.1", "4x6/1234=2.1"]
    (record,) = rejected
    assert "line 4, column 3" in record["fault"]
    assert record["source"].endswith("log.txt:4")


def test_grids_without_a_game_name_the_option(tmp_path):
    log = tmp_path / "grids.txt"
    log.write_text("\U0001f7e9\U0001f7e8\u2b1b\u2b1b\u2b1b\n", "utf-8")
    (line,) = fault_lines(run("audit", log))
    assert "--game daily-word" in line


def test_a_score_with_a_slash_is_not_a_board_line():
    (game,) = split_games(["4x6\n", "1122=1/1\n", "3345 0/2\n"])
    assert game.rows == [(2, "1122=1/1"), (3, "3345 0/2")]
