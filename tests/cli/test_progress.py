"""Long operations report their progress, the elapsed time, and the fraction if it is known."""

from __future__ import annotations

import io
import json
import re
import sys

import pyarrow.parquet
import pytest

import mmsat
from mmsat._util.processes import open_executor
from mmsat.cli import group, options, output
from mmsat.cli.group import COMMANDS
from mmsat.play.rules import MATCHES
from tests.support.cli_runner import CONSISTENT, SLIPPED, run

COMMANDS_WITHOUT_PROGRESS = {
    *("decode", "lift", "reduce", "score", "help"),
    *("games", "strategies", "encodings", "reductions", "families", "instances"),
    *("list", "play", "serve"),  # their output shows the progress
}
PLAYERS = ["--player", "first-consistent", "--player", "sampled"]
STUDY = ["--part", "transition", "--count", "1", "--max-size", "8", "-o", "{folder}/study"]
COMMANDS_WITH_PROGRESS = {
    "analyze": (["4x6", "--sample", "40"], "40 of 40 codes played, 100% done, "),
    "audit": (["{folder}/log.jsonl", "-o", "{folder}/out.csv"], "20 games checked, 100% done, "),
    "study": (["hardness", *STUDY], r"six-colors, any, size 8, \d+ rows, \d+% done, "),
    "check": ([SLIPPED], "looking for the reason"),
    "count": (["8x8/11223344=2.2/55667788=1.3"], "counting"),
    "encode": ([SLIPPED, "-o", "{folder}/board.cnf"], "characters of cnf written"),
    "explain": ([SLIPPED], "found 1 conflict"),
    "generate": (["six-colors", "--count", "4"], "3 of 4 lines made, 75% done, "),
    "match": (["4x4", *PLAYERS], "1 of 2 rounds played, 50% done, "),
    "odds": ([CONSISTENT], "counting codes, color by color"),
    "optimal": (["4x5"], "lower bound|looking for strategies"),
    "puzzle": (["4x6", "--count=3", "--grade=3", "--seed=1"], "2 puzzles of 3, .* 67% done, "),
    "review": ([CONSISTENT], "1 of 2 guesses reviewed, 50% done, "),
    "static": (["4x4"], "fewer than"),
    "suite": (
        ["--for", "sat", "--count", "2", "--scale", "15", "-o", "{folder}/suite"],
        "1 of 2 instances written, 50% done, ",
    ),
    "suggest": (["4x6/1122=1.1"], "evaluating other guesses"),
    "verify": (["{folder}/board.proof"], "checking"),
}
"""For each command, arguments and the expected text, with the fraction if there is one."""


def test_every_command_is_tested_or_has_no_progress_line():
    assert {*COMMANDS_WITH_PROGRESS} | COMMANDS_WITHOUT_PROGRESS == {*COMMANDS}


@pytest.mark.parametrize("name", COMMANDS_WITH_PROGRESS)
def test_long_operations_report_progress(name, tmp_path, monkeypatch):
    run("generate", "--games", 20, "-o", tmp_path / "log.jsonl")
    run("check", SLIPPED, "--proof", tmp_path / "board.proof")
    monkeypatch.setattr(output, "FIRST_UPDATE_SECONDS", 0.0001)
    monkeypatch.setattr(output, "UPDATE_SECONDS", 0.0)
    monkeypatch.setattr(
        output.Progress, "is_shown", property(lambda _: True, lambda *_: None), raising=False
    )
    monkeypatch.setenv("COLUMNS", "200")
    arguments, text = COMMANDS_WITH_PROGRESS[name]
    result = run(name, *(argument.format(folder=tmp_path) for argument in arguments))
    lines = [line.rstrip() for line in result.stderr.split("\r")]
    assert result.exit_code in {0, 10, 20}
    assert any(re.search(rf"({text}).*\d s so far", line) for line in lines), result.stderr


@pytest.mark.parametrize("rules", MATCHES)
def test_progress_of_a_match_grows_in_equal_steps_to_1(rules, monkeypatch):
    texts = []
    monkeypatch.setattr(output.Progress, "report", lambda _, *arguments: texts.append(arguments))
    assert run("match", "2x2", *PLAYERS, "--rules", rules, "--games", "4").exit_code == 0
    assert [share for _, share in texts] == [n / len(texts) for n in range(1, len(texts) + 1)]


@pytest.mark.parametrize(
    ("share", "limit", "expected"),
    [
        (None, None, ", 10 s so far"),
        (0.5, None, ", 50% done, 10 s so far, about 10 s left"),
        (None, 30, ", 10 s so far, at most 20 s left"),
        (0.5, 12, ", 50% done, 10 s so far, at most 2 s left"),
        (0.5, 60, ", 50% done, 10 s so far, about 10 s left"),
        (None, 9, ", 10 s so far, at most 0 s left"),
    ],
)
def test_time_is_printed_in_words(share, limit, expected):
    assert output.timing(10, share, limit) == expected


@pytest.mark.parametrize("command", ["check", "explain", "odds", "suggest"])
def test_a_time_limit_bounds_the_remaining_time(command, monkeypatch):
    limits = []
    monkeypatch.setattr(output.Progress, "show", lambda self: limits.append(self.limit))
    monkeypatch.setattr(output.Progress, "clear", lambda self: limits.append(self.limit))
    monkeypatch.setattr(
        output.Progress, "is_shown", property(lambda _: True, lambda *_: None), raising=False
    )
    monkeypatch.setattr(group, "monotonic", lambda: 0.0)
    monkeypatch.setattr(options, "monotonic", lambda: 0.0)
    run(command, CONSISTENT, "--timeout", "60")
    assert {*limits} == {60}


COMMANDS_WITH_TIMEOUT = ["check", "count", "encode", "explain", "list", "odds", "review", "suggest"]


@pytest.mark.parametrize("name", COMMANDS_WITH_TIMEOUT)
@pytest.mark.parametrize(("timeout", "remaining_seconds"), [("7", 2), ("5", 0), ("3", 0)])
def test_reading_the_board_is_part_of_the_time_limit(name, timeout, remaining_seconds, monkeypatch):
    monkeypatch.setattr(options, "monotonic", lambda: 105)
    command = group.mmsat.get_command(None, name)
    with command.make_context(name, [CONSISTENT, "--timeout", timeout], obj=100) as context:
        assert context.params["timeout"] == remaining_seconds


def test_waiting_for_standard_input_does_not_count_for_the_time_limit(monkeypatch):
    monkeypatch.setattr(options, "monotonic", lambda: 105)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONSISTENT.encode())))
    command = group.mmsat.get_command(None, "check")
    with command.make_context("check", ["-", "--timeout", "7"], obj=100) as context:
        assert context.params["timeout"] == 7


@pytest.mark.parametrize("name", COMMANDS_WITH_TIMEOUT)
def test_a_zero_time_limit_is_reported_as_a_timeout(name):
    """As if reading the board took the whole time limit."""
    result = run(name, CONSISTENT, "--timeout", "1e-9")
    if name == "suggest":  # it always finds a guess in games whose codes can be listed
        assert result.exit_code == 0
        assert "The time limit passed: this is only the best of a few possible codes" in (
            result.stdout
        )
        return
    assert result.exit_code == 1
    late = "not finished within 0 seconds" in result.stderr
    assert late or "Undecided: the search ended before a verdict was found." in result.stdout


@pytest.mark.parametrize("timeout", [[], ["--timeout", "60"]])
def test_progress_of_puzzles_is_the_same_with_a_time_limit(timeout, monkeypatch):
    texts = []
    monkeypatch.setattr(output.Progress, "report", lambda _, *arguments: texts.append(arguments))
    assert run("puzzle", "4x6", "--grade=3", "--seed=1", *timeout).exit_code == 0
    assert texts[0] == ("boards drawn: 1 of grade 2", 0)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "boards"])
@pytest.mark.parametrize("processes", [1, 2])
def test_progress_of_an_audit_is_the_fraction_of_bytes_read(ending, processes, tmp_path):
    """In every format, the fraction grows to 1, and is close to the fraction of checked games."""
    games = [json.loads(line)["board"] for line in mmsat.generate_log("4x6", 3000, 0.0, 1)]
    log = tmp_path / f"log.{ending}"
    if ending == "boards":
        log.mkdir()
        for number, board in enumerate(games):
            (log / f"{number:04}.txt").write_text(board, "utf-8")
    elif ending == "parquet":
        table = pyarrow.table({"board": games})
        pyarrow.parquet.write_table(table, log, row_group_size=500)
    else:
        lines = [f'{{"board": "{game}"}}' if ending == "jsonl" else game for game in games]
        log.write_text("\n".join(["board"] * (ending == "csv") + lines), "utf-8")
    texts = []
    with open_executor(processes) as executor:
        mmsat.audit(
            [str(log)],
            str(tmp_path / "out.jsonl"),
            depth="verdict",
            chunk=500,
            executor=executor,
            on_progress=lambda *arguments: texts.append(arguments),
        )
    assert [num_games for num_games, _ in texts] == [500, 1000, 1500, 2000, 2500, 3000]
    assert texts[-1][1] == pytest.approx(1)
    assert all(abs(share - num_games / 3000) < 0.34 for num_games, share in texts)
    assert sorted(texts) == texts


SLOW_BOARD = "40x12/" + "/".join(
    "-".join(str(1 + (n * k) % 12) for n in range(40)) + "=3.27" for k in (1, 5)
)


@pytest.mark.parametrize(("option", "expected"), [([], 1), (["--quiet"], 0)])
def test_a_slow_command_notes_once_that_it_runs(option, expected, monkeypatch):
    """Standard error is not a terminal here."""
    monkeypatch.setattr(output, "NOTE_SECONDS", 0.2)
    result = run("count", SLOW_BOARD, "--timeout", 2, *option)
    assert result.exit_code == 1
    assert len(re.findall(r"still working after \d+ s \(counting.*\)\n", result.stderr)) == expected
