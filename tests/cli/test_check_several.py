"""mmsat check of several boards: one line for each, and the exit code of the worst."""

from __future__ import annotations

import json

import pytest

import mmsat
from tests.support.cli_runner import CONSISTENT, SLIPPED, faults_told, run
from tests.support.schemas import validator

UNDECIDED = "8x8/17514653=0.4/25415543=1.3/55626743=1.4/48525155=1.3/47757834=1.4/55121858=1.2"


def code_of(line):
    """The code that the command prints for a board."""
    return json.loads(run("check", line, "--json").stdout)["witness"]


def test_several_arguments():
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
        f"{json.dumps(mmsat.Board.parse(line).to_json())}\n" for line in (CONSISTENT, SLIPPED)
    ),
    "documents with a board": f'{{"board": "{CONSISTENT}"}}\n{{"board": "{SLIPPED}", "n": 2}}\n',
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_file_with_one_board_per_line(text, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(text)
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and line[0] != "#"
    ]
    from_file = run("check", path)
    assert from_file.exit_code == 20
    told = from_file.stdout.splitlines()
    assert [line.partition(": ")[0] for line in told] == [f"{path}:{n}" for n, _ in lines]
    assert [line.rpartition(": ")[2].split()[0] for line in told].count("inconsistent") == 1
    from_input = run("check", "-", stdin=text)
    assert from_input.stdout == from_file.stdout.replace(str(path), "standard input")


def test_a_file_with_one_board_stays_one(tmp_path):
    path = tmp_path / "board.txt"
    for text in (CONSISTENT, f"# only one\n{CONSISTENT}\n", "4x6\n1122 1 1\n3345 0 2\n"):
        path.write_text(text)
        assert run("check", path).stdout == run("check", CONSISTENT).stdout


def test_generated_boards_go_straight_into_check():
    made = run("generate", "six-colors", "--size", 5, "--count", 3).stdout
    result = run("check", "-", stdin=made)
    verdicts = [mmsat.check(json.loads(line)["board"]).status for line in made.splitlines()]
    assert [line.split(": ")[1].split()[0] for line in result.stdout.splitlines()] == verdicts


def test_json_lines_of_the_schema(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{CONSISTENT}\n{SLIPPED}\n")
    result = run("check", path, "4x6", "--json")
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["board"] for each in documents] == [CONSISTENT, SLIPPED, "4x6"]
    for document in documents:
        validator("check").validate(document)
    assert documents[1]["conflict"] is None
    assert result.exit_code == 20


def test_every_fault_of_a_file_is_told_with_its_line(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{CONSISTENT}\n4x6/1127=1.1\n\n4x6/1122=1\n")
    told = faults_told(run("check", path))
    assert [line.split(", ")[:2] for line in told] == [
        [f"Error: {path}", "line 2"],
        [f"Error: {path}", "line 4"],
    ]


def test_reasons_and_lies():
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


def test_ctrl_c_keeps_what_is_known(monkeypatch):
    check, seen = mmsat.check, []

    def interrupted(*arguments, **settings):
        seen.append(1)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return check(*arguments, **settings)

    monkeypatch.setattr("mmsat.check", interrupted)
    result = run("check", CONSISTENT, SLIPPED)
    assert result.exit_code == 130
    assert result.stdout.startswith(f"{CONSISTENT}: consistent")
    assert result.stdout.count("\n") == 1
    assert result.stderr == "interrupted\n"


def test_details_and_silence():
    assert run("check", CONSISTENT, SLIPPED, "-v").stderr.startswith(
        "1 consistent, 1 inconsistent in "
    )
    assert run("check", CONSISTENT, SLIPPED, "-q").stderr == ""
