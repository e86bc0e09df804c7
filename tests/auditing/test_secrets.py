"""Logs with the codes of their games, which separate games and are compared with the scores."""

from __future__ import annotations

import json

import pytest

import mmsat
from tests.support.cli_runner import run

RULES = "4x6"


@pytest.fixture
def audit(tmp_path):
    """Return a function that audits a text and returns the records and the rejected records."""

    def audit_text(text, name):
        log, output = tmp_path / name, tmp_path / "records.jsonl"
        log.write_text(text)
        mmsat.audit([log], output, game=RULES)
        rejected = tmp_path / "records.jsonl.rejected.jsonl"
        return [
            [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
            for file in (output, rejected)
        ]

    return audit_text


def test_games_with_different_codes_are_different_games(audit):
    text = "secret,guess,black,white\n1233,1122,1,1\n1233,3345,0,2\n6655,1122,0,0\n"
    records, rejected = audit(text, "log.csv")
    assert [record["rows"] for record in records] == [2, 1]
    assert [record["verdict"] for record in records] == ["consistent"] * 2
    assert not any("true_row" in record for record in records)
    assert not rejected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "id,secret,guess,black,white\n1,1233,3345,0,2\n1,1233,1122,0,0\n"),
        ("b.csv", "Solution;board\n1233;4x6/3345=0.2/1122=0.0\n"),
        ("c.jsonl", '{"code": "1233", "board": "4x6/3345=0.2/1122=0.0"}\n'),
        ("d.jsonl", '{"Board": "4x6/3345=0.2/1122=0.0", "hidden_code": "1233"}\n'),
    ],
)
def test_scores_are_compared_with_the_code_of_the_game(audit, name, text):
    """Without the code, the game is consistent."""
    ((record,), rejected) = audit(text, name)
    assert record["verdict"] == "consistent"
    assert (record["true_row"], record["true"]) == (2, "1.1")
    assert not rejected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("id,secret,guess,score\n1,1233,1122,1.1\n1,1234,3345,0.2\n", "the same code"),
        ("id,secret,guess,score\n1,123,1122,1.1\n", "4 colors"),
    ],
)
def test_games_with_several_codes_or_an_invalid_code_are_rejected(audit, text, fault):
    records, (rejected,) = audit(text, "log.csv")
    assert not records
    assert fault in rejected["fault"]


def test_a_log_in_a_folder_of_board_files_is_rejected_at_once(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "log.csv").write_text("id,guess,score\n" + "1,1122,1.1\n" * 20_000)
    run("audit", str(folder), "--game", RULES, "-o", str(tmp_path / "records.jsonl"))
    rejected = json.loads((tmp_path / "records.jsonl.rejected.jsonl").read_text())
    assert "a folder has one board file per game" in rejected["fault"]
    assert not rejected["text"]
