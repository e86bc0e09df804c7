"""The command `mmsat generate`."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

import mmsat
from mmsat.cli import output
from mmsat.game.board import Board
from mmsat.reductions.families import FAMILIES
from mmsat.reductions.samples import Answer
from mmsat.solving.encode import WRITERS
from tests.support.cli_runner import fault_lines, run


def test_help_lists_every_answer():
    text = run("generate", "--help").stdout.partition("--answer ANSWER")[2].partition("--")[0]
    assert set(Answer) <= set(re.findall(r"\w+", text))


def test_every_notation_describes_the_same_board(tmp_path):
    board = FAMILIES["six-colors"].make(5, 3, Answer.CONSISTENT).board
    request = ("generate", "six-colors", "--size", 5, "--seed", 3, "--answer", "consistent")
    for notation in ("line", "text", "json"):
        assert Board.parse(run(*request, "--to", notation).stdout) == board
    path = tmp_path / "board.txt"
    result = run(*request, "-o", path)
    assert result.stdout == ""
    assert Board.parse(path.read_text()) == board
    assert path.read_text() == run(*request).stdout
    document = json.loads(run(*request, "--json", "-o", path).stdout)
    assert document["board"] == str(board)
    assert document["verdict"] == "consistent"
    assert run("check", path).exit_code == 10


def test_a_board_file_describes_how_it_was_made():
    text = run("generate", "sat", "--size", 6, "--answer", "inconsistent").stdout
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert comments[0] == "# family sat, size 6, seed 0, answer inconsistent"
    assert "Tseitin" in text
    assert "It is inconsistent by construction." in text
    assert max(map(len, comments)) <= 100


def test_invalid_requests_are_usage_errors():
    assert run("generate", "no-such").exit_code == 2
    assert run("generate", "sat", "--answer", "slipped").exit_code == 2
    assert run("generate", "sat", "--rows", "4").exit_code == 2
    assert fault_lines(run("generate", "sat", "--size", "2"))


def test_an_inconsistent_board_can_be_requested():
    line = run("generate", "permanent", "--size", 4, "--answer", "inconsistent", "--to", "line")
    assert run("check", line.stdout.strip()).exit_code == 20


def test_as_many_inconsistent_random_boards_as_requested_are_made():
    request = ("generate", "six-colors", "--size", 8, "--answer", "inconsistent", "--count", 6)
    boards = run(*request, "--to", "line").stdout.split()
    assert len({*boards}) == 6
    assert {run("check", board, "--engine", "cp").exit_code for board in boards} == {20}


def test_progress_is_shown_while_a_large_board_is_made(monkeypatch):
    monkeypatch.setattr(output, "FIRST_UPDATE_SECONDS", 0.0001)
    monkeypatch.setattr(
        output.Progress, "is_shown", property(lambda _: True, lambda *_: None), raising=False
    )
    result = run("generate", "six-colors", "--rows", 3000, "--to", "line")
    assert "making the board, 0 s so far" in result.stderr


def test_more_rows_than_can_be_made_in_seconds_are_refused_at_once():
    (text,) = fault_lines(run("generate", "six-colors", "--rows", "99999999"))
    assert "0 to 625,000 rows at this size" in text


LOG_OPTIONS = "--game and --slips are the options of logs."
REQUEST = ("generate", "six-colors", "--size", 3, "--seed", 5, "--count", 3)
BOARDS = [FAMILIES["six-colors"].make(3, seed, Answer.ANY).board for seed in (5, 6, 7)]


def read_boards(text, to):
    """Return the boards of an output."""
    if to == "text":
        return [Board.parse(part) for part in text.split("\n\n")]
    return [Board.parse(line) for line in text.splitlines()]


@pytest.mark.parametrize("to", ["line", "text", "json"])
def test_several_boards_are_written_in_every_notation(to, tmp_path):
    printed = run(*REQUEST, "--to", to).stdout
    assert read_boards(printed, to) == BOARDS
    assert ("family six-colors, size 3, seed 6, answer any" in printed) == (to == "text")
    path = tmp_path / "boards.txt"
    result = run(*REQUEST, "--to", to, "-o", path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{path}: {len(printed):,} bytes\n"
    assert path.read_text() == printed


def test_several_boards_are_json_lines_by_default():
    documents = [json.loads(line) for line in run(*REQUEST).stdout.splitlines()]
    assert [document["board"] for document in documents] == [*map(str, BOARDS)]
    assert [document["seed"] for document in documents] == [5, 6, 7]
    assert run(*REQUEST, "--json").stdout == run(*REQUEST).stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--games 2 --to line", f"--games cannot be combined with --to. {LOG_OPTIONS}"),
        ("--games 2 --size 3", f"--games cannot be combined with --size. {LOG_OPTIONS}"),
        ("sat --games 2", f"--games cannot be combined with the family sat. {LOG_OPTIONS}"),
        ("six-colors --slips 0.2", "--slips requires --games."),
        ("six-colors --count 2 --game 4x6", "--game requires --games."),
        ("--size 3", "Missing argument FAMILY. `mmsat families` lists the families."),
        ("--count 3", "Missing argument FAMILY. `mmsat families` lists the families."),
        (
            "six-colors --count 2 --to line --json",
            "--json cannot be combined with --to. --json prints JSON Lines.",
        ),
    ],
)
def test_an_option_without_effect_is_refused(options, message):
    assert fault_lines(run("generate", *options.split())) == [f"Error: {message}"]


@pytest.mark.parametrize("to", ["cnf", "opb", "line", "text", "json"])
def test_a_suite_has_a_file_for_each_board_and_an_index(to, tmp_path):
    folder = tmp_path / "suite"
    result = run(*REQUEST, "--to", to, "-o", folder)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{folder}: 3 files\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["suite"]
    head, *rows = (folder / "index.csv").read_text().splitlines()
    assert head == "name,verdict,sha256,board"
    ending = to if to in WRITERS else "json" if to == "json" else "txt"
    assert len(list(folder.iterdir())) == 4
    for row, seed, board in zip(rows, (5, 6, 7), BOARDS, strict=True):
        name, verdict, sha256, line = row.split(",")
        assert name == f"six-colors-3-{seed}.{ending}"
        assert line == str(board)
        assert verdict == mmsat.check(board).status
        data = (folder / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == sha256
        if to in WRITERS:
            assert data.decode() == "".join(WRITERS[to].export(board))
        else:
            assert Board.parse(data.decode()) == board


def test_a_suite_is_written_completely_or_not_at_all(tmp_path, monkeypatch):
    folder = tmp_path / "suite"
    folder.mkdir()
    assert run(*REQUEST, "--to", "cnf", "-o", folder).exit_code == 0  # an empty folder
    before = {path: path.read_bytes() for path in folder.iterdir()}
    (line,) = fault_lines(run(*REQUEST, "--to", "cnf", "-o", folder))
    assert line.endswith(f"expected a new or an empty folder, found '{folder}' (it is not empty)")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    written_paths = []

    def write(path, pieces):
        written_paths.append(path)
        if len(written_paths) == 2:
            raise OSError(28, "No space left on device", path)
        return len(b"".join(pieces))

    monkeypatch.setattr("mmsat.cli.commands.encoding.atomic_write", write)
    failed = run(*REQUEST, "--to", "cnf", "-o", tmp_path / "other")
    assert failed.exit_code == 1
    assert "No space left on device" in failed.stderr
    assert len(written_paths) == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["suite"]


def test_a_board_can_be_made_in_the_language_of_a_solver():
    board = FAMILIES["six-colors"].make(4, 0, Answer.ANY).board
    printed = run("generate", "six-colors", "--size", 4, "--to", "opb").stdout
    assert printed == "".join(WRITERS["opb"].export(board))


@pytest.mark.parametrize("ending", [".opb", ".CNF", ".json", ".txt"])
def test_the_ending_of_a_file_selects_the_format(ending, tmp_path):
    board = FAMILIES["six-colors"].make(4, 0, Answer.ANY).board
    path = tmp_path / f"board{ending}"
    assert run("generate", "six-colors", "--size", 4, "-o", path).exit_code == 0
    if ending in {".opb", ".CNF"}:
        language = ending[1:].lower()
        assert path.read_text() == "".join(WRITERS[language].export(board))
    else:
        assert Board.parse(path.read_text()) == board
        assert path.read_text().startswith("{") == (ending == ".json")
