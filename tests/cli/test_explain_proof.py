"""The option `mmsat explain --proof`."""

from __future__ import annotations

import json

import pytest

import mmsat
from tests.support.cli_runner import CONSISTENT, SLIPPED, run
from tests.support.schemas import validator

LONG = "8x6/11223344=1.1/" + "/".join(["12345612=0.3"] * 9) + "/12345612=8.0/65432165=1.2"


def test_a_proof_is_written_and_holds(tmp_path):
    file = tmp_path / "board.proof"
    result = run("explain", SLIPPED, "--proof", file)
    assert result.exit_code == 0
    assert result.stdout == run("explain", SLIPPED).stdout
    assert result.stderr == f"{file}: a proof by lemmas and codes, {file.stat().st_size:,} bytes\n"
    verified = run("verify", file, "--board", SLIPPED)
    assert (verified.exit_code, verified.stderr) == (0, "")
    assert verified.stdout == (
        f"The proof holds: {SLIPPED} is inconsistent; it has exactly 1 minimal conflict, exactly 2 "
        "corrections with 1 changed score, and none with fewer.\n"
    )
    document = json.loads(run("verify", file, "--json").stdout)
    validator("verify").validate(document)
    # Only methods that refute one set of rows state `rows`; an explanation has several sets.
    assert (document["method"], document["rows"]) == ("explanation", [])


def test_the_proof_in_json(tmp_path):
    file = tmp_path / "board.proof"
    document = json.loads(run("explain", SLIPPED, "--json", "--proof", file).stdout)
    validator("explain").validate(document)
    size = file.stat().st_size
    assert document["proof"] == {
        "file": str(file),
        "method": "explanation",
        "rows": [],
        "bytes": size,
    }
    document = json.loads(run("explain", CONSISTENT, "--json", "--proof", file).stdout)
    assert document["proof"]["method"] == "witness"
    assert run("verify", file).exit_code == 0


def test_long_boards_are_not_printed(tmp_path):
    file = tmp_path / "board.proof"
    assert run("explain", LONG, "--proof", file).exit_code == 0
    assert run("verify", file).stdout.startswith(
        "The proof holds: a board of 8x6 with 12 rows is inconsistent; "
    )


def test_a_time_limit_and_an_interrupt_keep_an_older_file(tmp_path, monkeypatch):
    file = tmp_path / "board.proof"
    file.write_text("older")
    monkeypatch.setattr("mmsat.prove_explanation", lambda *_, **__: None)
    result = run("explain", SLIPPED, "--proof", file)
    assert result.exit_code == 1
    assert "Inconsistent" in result.stdout
    assert f"no proof was found in time, and {file} was not written\n" in result.stderr

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.prove_explanation", interrupted)
    result = run("explain", SLIPPED, "--proof", file, "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["proof"] is None
    assert file.read_text() == "older"


@pytest.mark.parametrize("stop", [KeyboardInterrupt, None])
def test_what_is_proven_so_far_is_kept(stop, tmp_path, monkeypatch):
    """After Ctrl-C or at the time limit, the file has fewer claims, and is a proof of them."""
    make, claims = mmsat.prove_explanation, []

    def make_parts(*args, on_partial, **settings):
        parts = []
        make(*args, on_partial=parts.append, **settings)
        on_partial(parts[number])  # `number` of the loop below
        if stop is not None:
            raise stop

    monkeypatch.setattr("mmsat.prove_explanation", make_parts)
    for number in range(3):
        file = tmp_path / f"{number}.proof"
        result = run("explain", SLIPPED, "--proof", file, "--json")
        assert result.exit_code == (1 if stop is None else 130)
        in_time, end = (" in time", "") if stop is None else ("", "interrupted\n")
        assert result.stderr == (
            f"{file}: a proof by lemmas and codes, {file.stat().st_size:,} bytes\n"
            f"only a part was proven{in_time}; `mmsat verify {file}` shows which\n{end}"
        )
        assert json.loads(result.stdout)["proof"]["bytes"] == file.stat().st_size
        verified = run("verify", file, "--board", SLIPPED)
        assert verified.exit_code == 0
        claims.append(verified.stdout.partition("; ")[2])
    assert claims == [
        "each listed conflict is minimal (1 conflict, perhaps not all).\n",
        "it has exactly 1 minimal conflict.\n",
        (
            "it has exactly 1 minimal conflict; the 2 listed corrections have 1 changed score, and "
            "no correction has fewer.\n"
        ),
    ]


def test_wrong_usage(tmp_path):
    file = tmp_path / "board.proof"
    for options in (["--lies", "1"], ["--steps"], ["--suspect", "1"]):
        result = run("explain", SLIPPED, "--proof", file, *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"--proof cannot be combined with {options[0]}." in result.stderr
    assert run("explain", SLIPPED, "--proof", "-").exit_code == 2
    assert not file.exists()


def test_the_time_limit_of_a_long_proof_is_told_before(tmp_path, monkeypatch):
    monkeypatch.setattr("mmsat.cli.commands.explain.MIN_LONG_PROOFS", 3)
    monkeypatch.setattr("mmsat.cli.commands.explain.PROOF_SECONDS", 0.0)
    file = tmp_path / "board.proof"
    result = run("explain", SLIPPED, "--proof", file)
    assert "Proving 1 conflict and 2 corrections, for at most 0 seconds." in result.stderr
    assert "no proof was found in time" in result.stderr
    assert result.exit_code == 1
    assert not file.exists()
