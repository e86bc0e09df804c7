"""The command `mmsat check` with several boards."""

from __future__ import annotations

import json

import pytest

import mmsat
from tests.support.cli_runner import CONSISTENT, SLIPPED, run
from tests.support.schemas import validator

UNDECIDED = "8x8/17514653=0.4/25415543=1.3/55626743=1.4/48525155=1.3/47757834=1.4/55121858=1.2"


def code_of(line):
    """Return the code that the command prints for a board."""
    return json.loads(run("check", line, "--json").stdout)["witness"]


def test_each_board_is_one_line_and_the_worst_sets_the_exit_code():
    result = run("check", CONSISTENT, SLIPPED)
    code = "".join(map(str, code_of(CONSISTENT)))
    assert result.exit_code == 20
    assert result.stdout == f"{CONSISTENT}: consistent ({code})\n{SLIPPED}: inconsistent\n"
    assert result.stderr == ""
    assert run("check", CONSISTENT, "4x6").exit_code == 10


FORMS = {
    "board lines": f"# a comment\n{CONSISTENT}\n\n  {SLIPPED}  \n4x6\n",
    "an empty board first": f"4x6\n\n\n{CONSISTENT}\n{SLIPPED}\n",
    "documents": "".join(
        f"{json.dumps(mmsat.Board.parse(line).to_dict())}\n" for line in (CONSISTENT, SLIPPED)
    ),
    "documents with a board": f'{{"board": "{CONSISTENT}"}}\n{{"board": "{SLIPPED}", "n": 2}}\n',
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_file_can_have_one_board_per_line(text, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(text)
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and line[0] != "#"
    ]
    from_file = run("check", path)
    assert from_file.exit_code == 20
    output_lines = from_file.stdout.splitlines()
    assert [line.partition(": ")[0] for line in output_lines] == [f"{path}:{n}" for n, _ in lines]
    assert [line.rpartition(": ")[2].split()[0] for line in output_lines].count("inconsistent") == 1
    from_input = run("check", "-", stdin=text)
    assert from_input.stdout == from_file.stdout.replace(str(path), "standard input")


def test_a_file_can_have_a_single_board(tmp_path):
    path = tmp_path / "board.txt"
    for text in (CONSISTENT, f"# only one\n{CONSISTENT}\n", "4x6\n1122 1 1\n3345 0 2\n"):
        path.write_text(text)
        assert run("check", path).stdout == run("check", CONSISTENT).stdout


def test_the_output_of_generate_can_be_checked():
    lines = run("generate", "six-colors", "--size", 5, "--count", 3).stdout
    result = run("check", "-", stdin=lines)
    verdicts = [mmsat.check(json.loads(line)["board"]).status for line in lines.splitlines()]
    assert [line.split(": ")[1].split()[0] for line in result.stdout.splitlines()] == verdicts


def test_json_is_one_valid_document_per_line(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{CONSISTENT}\n{SLIPPED}\n")
    result = run("check", path, "4x6", "--json")
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [document["board"] for document in documents] == [CONSISTENT, SLIPPED, "4x6"]
    for document in documents:
        validator("check").validate(document)
    assert documents[1]["conflict"] is None
    assert result.exit_code == 20


def test_every_fault_of_a_file_is_reported_with_its_line(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{CONSISTENT}\n4x6/1127=1.1\n\n4x6/1122=1\n")
    output_lines = run("check", path).stderr.splitlines()
    assert [line.split(", ")[:2] for line in output_lines] == [
        [f"Error: {path}", "line 2"],
        [f"Error: {path}", "line 4"],
    ]


@pytest.mark.parametrize("extra", [(), ("--json",), ("--reason", "1"), ("4x6",)], ids=str)
def test_the_valid_lines_of_a_file_are_checked(extra, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{CONSISTENT}\n4x6/1127=1.1\n{SLIPPED}\nhello\n")
    valid = tmp_path / "valid.txt"
    valid.write_text(f"{CONSISTENT}\n# comment\n{SLIPPED}\n# comment\n")
    result, expected = run("check", path, *extra), run("check", valid, *extra)
    assert (result.exit_code, expected.exit_code) == (2, 20)
    wrong_color, no_board = result.stderr.splitlines()
    assert wrong_color.startswith(f"Error: {path}, line 2, column 8: ")
    assert no_board.startswith(f"Error: {path}, line 4, column 1: expected a board line such as ")
    if "--json" in extra:
        documents = [
            [json.loads(line) | {"seconds": 0} for line in outcome.stdout.splitlines()]
            for outcome in (result, expected)
        ]
        assert documents[0] == documents[1]
        assert len(documents[0]) == 2
    else:
        assert result.stdout == expected.stdout.replace(str(valid), str(path))


def test_one_valid_line_of_a_file_is_checked_like_several(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{CONSISTENT}\n4x6/1127=1.1\n")
    result = run("check", path)
    assert result.exit_code == 2
    assert result.stdout.startswith(f"{path}:1: consistent")
    assert "Check each board by its own command." in run("check", path, "--consistent-play").stderr


@pytest.mark.parametrize("command", ["suggest", "encode"])
def test_commands_that_use_all_boards_together_refuse_a_file_with_a_wrong_line(command, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{CONSISTENT}\n4x6/1127=1.1\n{SLIPPED}\n")
    result = run(command, path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{path}, line 2, column 8" in result.stderr


@pytest.mark.parametrize("heading", ["Game 1", "game 2:", "Round 3"])
@pytest.mark.parametrize("command", ["check", "count"])
def test_a_log_of_games_is_for_audit(command, heading, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text(f"4x6\n{heading}\n1122 1 1\n")
    assert "mmsat audit checks each game" in run(command, path).stderr
    path.write_text("4x6\ngames\n1122 1 1\n")
    assert "audit" not in run(command, path).stderr


def test_reasons_and_lies_apply_to_each_board():
    with_reason = run("check", SLIPPED, "4x6", "--reason", 5).stdout.splitlines()
    verdict = mmsat.check(SLIPPED)
    rows = " and ".join(str(row + 1) for row in verdict.conflict.rows)
    assert with_reason[0] == f"{SLIPPED}: inconsistent (rows {rows})"
    assert run("check", SLIPPED, CONSISTENT, "--lies", 1).exit_code == 10


def test_the_time_limit_is_for_all_boards():
    result = run("check", UNDECIDED, CONSISTENT, "--timeout", 0)
    assert result.exit_code == 1
    assert result.stdout == f"{UNDECIDED}: unknown\n{CONSISTENT}: unknown\n"
    assert result.stderr == "2 boards undecided: not finished within 0 seconds\n"


def test_ctrl_c_keeps_the_verdicts_so_far(monkeypatch):
    check, calls = mmsat.check, []

    def interrupted(*arguments, **settings):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return check(*arguments, **settings)

    monkeypatch.setattr("mmsat.check", interrupted)
    result = run("check", CONSISTENT, SLIPPED)
    assert result.exit_code == 130
    assert result.stdout.startswith(f"{CONSISTENT}: consistent")
    assert result.stdout.count("\n") == 1
    assert result.stderr == "interrupted\n"


def test_verbose_prints_a_summary_and_quiet_prints_nothing():
    assert run("check", CONSISTENT, SLIPPED, "-v").stderr.startswith(
        "1 consistent, 1 inconsistent in "
    )
    assert run("check", CONSISTENT, SLIPPED, "-q").stderr == ""


@pytest.mark.parametrize("command", ["count", "explain", "list", "odds"])
def test_a_command_of_one_board_refuses_a_file_of_several(command, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text("4x6/1122=1.1\n\n4x6/3345=0.2\n", "utf-8")
    result = run(command, path)
    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: {path}: expected one board, found 2 boards, one per line "
        "(mmsat check reads several boards)\n"
    )


def test_a_line_that_is_no_board_has_the_place_and_an_example(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text("4x6/1122=1.1\n5x8/11223=1.1\nbad line\n", "utf-8")
    result = run("check", path)
    assert result.exit_code == 2
    place = f"{path}, line 3, column 1"
    assert f"{place}: expected a board line such as 4x6/1122=1.1, found 'bad line'" in result.stderr
