"""The option `mmsat optimal --proof`."""

from __future__ import annotations

import json

import pytest

from tests.support.cli_runner import run
from tests.support.schemas import validator


def test_a_proof_is_written_and_holds(tmp_path):
    file = tmp_path / "optimal.proof"
    result = run("optimal", "3x4", "--proof", file)
    assert result.exit_code == 0
    size = file.stat().st_size
    assert result.stderr == f"{file}: a proof by a tree and lower bounds, {size:,} bytes\n"
    verified = run("verify", file, "--board", "3x4")
    assert (verified.exit_code, verified.stderr) == (0, "")
    assert verified.stdout == (
        "The proof holds: the strategy finds the 64 codes of 3x4 in 206 guesses in total, and no "
        "strategy in fewer (11 lower bounds).\n"
    )
    document = json.loads(run("verify", file, "--json").stdout)
    validator("verify").validate(document)
    assert (document["verdict"], document["method"]) == ("optimal", "strategy")
    folder = tmp_path / "parts"
    assert run("verify", file, "--extract", folder).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["board.txt", "bounds.txt", "tree.txt"]


def test_the_proof_in_json(tmp_path):
    file = tmp_path / "optimal.proof"
    options = ["--objective", "worst", "--consistent-only", "--proof", file]
    document = json.loads(run("optimal", "3x4", "--json", *options).stdout)
    validator("optimal").validate(document)
    assert document["proof"]["file"] == str(file)
    assert document["proof"]["bytes"] == file.stat().st_size
    assert run("verify", file).stdout.startswith(
        "The proof holds: the strategy, guessing only possible codes, finds every code of 3x4 "
        "within 4 guesses, and no strategy needs fewer ("
    )


def test_a_time_limit_and_an_interrupt_leave_an_older_file(tmp_path, monkeypatch):
    file = tmp_path / "optimal.proof"
    file.write_text("older")
    result = run("optimal", "4x7", "--proof", file, "--timeout", "0.000001")
    assert result.exit_code == 1
    message = f"the strategy is not proven to be optimal, and {file} was not written\n"
    assert message in result.stderr
    monkeypatch.setattr("mmsat.prove_optimum", lambda *_, **__: None)
    result = run("optimal", "3x3", "--proof", file)
    assert result.exit_code == 1
    assert result.stderr == f"no proof was found in time, and {file} was not written\n"

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.prove_optimum", interrupted)
    result = run("optimal", "3x3", "--proof", file, "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["proof"] is None
    assert file.read_text() == "older"


@pytest.mark.parametrize(
    ("command", "options", "exit_code", "message"),
    [
        (
            "optimal",
            ["3x3", "--max-guesses", "4"],
            2,
            "--proof cannot be combined with --max-guesses.",
        ),
        ("optimal", ["3x3", "--hard"], 2, "--proof cannot be combined with --hard."),
        ("optimal", ["5x6"], 1, "expected a game of up to 4,096 codes, found 5x6 with 7,776 codes"),
        ("analyze", ["3x3"], 2, "--proof requires --value."),
        (
            "analyze",
            ["5x5", "--value"],
            1,
            "expected a game of up to 1,296 codes, found 5x5 with 3,125 codes",
        ),
        ("analyze", ["3x3w", "--value"], 2, "a game whose scores can identify every code"),
    ],
)
def test_proofs_of_other_games_are_refused_before_the_search(
    command, options, exit_code, message, tmp_path
):
    file = tmp_path / "game.proof"
    result = run(command, *options, "--proof", file)
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert message in result.stderr
    assert not file.exists()


@pytest.mark.parametrize("words", [["optimal", "3x3"], ["analyze", "3x3", "--value"]])
def test_a_proof_is_not_written_to_standard_output(words):
    assert run(*words, "--proof", "-").exit_code == 2


def test_a_proof_of_a_value_is_written_and_holds(tmp_path):
    file = tmp_path / "value.proof"
    result = run("analyze", "3x4", "--value", "--proof", file)
    assert result.exit_code == 0
    assert "219/68" in result.stdout
    size = file.stat().st_size
    assert result.stderr == f"{file}: a proof by trees and lower bounds, {size:,} bytes\n"
    verified = run("verify", file, "--board", "3x4")
    assert (verified.exit_code, verified.stderr) == (0, "")
    assert verified.stdout.startswith("The proof holds: the value of 3x4 is 219/68; a mixture of ")
    document = json.loads(run("verify", file, "--json").stdout)
    validator("verify").validate(document)
    assert (document["verdict"], document["method"]) == ("valued", "value")
    folder = tmp_path / "parts"
    assert run("verify", file, "--extract", folder).exit_code == 0
    names = ["board.txt", "bounds.txt", "codemaker.txt", "maps.txt", "trees.txt"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert run("verify", file, "--board", "3x3").exit_code == 1


def test_the_proof_of_a_value_in_json(tmp_path, monkeypatch):
    file = tmp_path / "value.proof"
    arguments = ["analyze", "3x3", "--value", "--json", "--proof", file]
    document = json.loads(run(*arguments).stdout)
    validator("analyze").validate(document)
    assert document["proof"] == {
        "file": str(file),
        "method": "value",
        "rows": [],
        "bytes": file.stat().st_size,
    }
    monkeypatch.setattr("mmsat.prove_value", lambda *_, **__: None)
    result = run(*arguments)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["proof"] is None
    assert result.stderr == f"no proof was found in time, and {file} was not written\n"
