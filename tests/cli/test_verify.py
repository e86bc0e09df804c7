"""The commands `mmsat check --proof` and `mmsat verify`."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace

import jsonschema
import pytest

from mmsat.diagnosis import Conflict
from mmsat.diagnosis.check import Findings
from mmsat.encoding import clause_encodings
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.limits import LIMITS
from mmsat.proof.bundle import Bundle
from mmsat.solving.encode import WRITERS
from tests.support.cli_runner import CONSISTENT, SLIPPED, run
from tests.support.external import program as external
from tests.support.schemas import validator

TWO_COLORS = "10x2/1111122222=4.4/1212121212=5.5/1111111111=3.0/2222222222=6.0"


@pytest.fixture
def proof(tmp_path):
    """Write a proof by lemmas, and return its file."""
    result = run("check", SLIPPED, "--proof", tmp_path / "board.proof")
    assert result.exit_code == 20
    assert "a proof by lemmas" in result.stderr
    return tmp_path / "board.proof"


@pytest.mark.parametrize(
    ("board", "code", "method"),
    [(CONSISTENT, 10, "witness"), (SLIPPED, 20, "lrat"), (TWO_COLORS, 20, "algebra")],
)
def test_a_proof_is_written_and_holds(board, code, method, tmp_path):
    file = tmp_path / "board.proof"
    result = run("check", board, "--proof", file, "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == code
    assert document["proof"]["method"] == method
    assert document["proof"]["bytes"] == file.stat().st_size
    validator("check").validate(document)

    verified = run("verify", file)
    assert (verified.exit_code, verified.stderr) == (0, "")
    assert verified.stdout.startswith(f"The proof holds: {board} is ")
    document = json.loads(run("verify", file, "--board", board, "--json").stdout)
    validator("verify").validate(document)
    assert (document["holds"], document["file"]) == (True, str(file))
    for key in document:
        if key not in ("board", "verdict", "method", "holds", "count"):
            assert not validator("verify").is_valid(document | {key: None})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.proof"]


@pytest.mark.parametrize("encoding", sorted(set(clause_encodings()) - {"totalizer"}))
def test_a_proof_uses_the_encoding_of_the_engine(encoding, tmp_path):
    file = tmp_path / "board.proof"
    run("check", SLIPPED, "--engine", f"sat:cadical195:{encoding}", "--proof", file)
    assert f"\nencoding {encoding}\n" in file.read_text()
    assert run("verify", file).exit_code == 0


@pytest.mark.parametrize(
    ("engine", "name"), [("sat:minicard:native", "a.proof"), ("sat:glucose4:totalizer", "a.pbp")]
)
def test_a_proof_that_cannot_use_the_encoding_of_the_engine_says_so(engine, name, tmp_path):
    result = run("check", SLIPPED, "--engine", engine, "--proof", tmp_path / name)
    encoding = engine.rpartition(":")[2]
    assert f"The proof does not use the encoding {encoding} of the engine." in result.stderr
    assert (tmp_path / name).exists()


def test_a_changed_proof_is_rejected(proof):
    text = proof.read_text()
    proof.write_text(text.replace("=0.2\nverdict", "=0.3\nverdict"))
    result = run("verify", proof)
    assert result.exit_code == 1
    assert re.fullmatch(
        r"Rejected: the head was changed: its SHA-256 is [0-9a-f]{64}, "
        r"but the file states 'head [0-9a-f]{64}'\.\n",
        result.stdout,
    )
    document = json.loads(run("verify", proof, "--json").stdout)
    validator("verify").validate(document)
    assert document["holds"] is False

    bundle = Bundle.read(text)
    changed_proof = str(replace(bundle, board=bundle.board[:-1] + "3"))
    result = run("verify", "-", stdin=changed_proof)
    assert result.exit_code == 1
    assert "Rejected: line 1 of [cnf] is" in result.stdout


def test_a_proof_of_another_board_is_rejected(proof):
    result = run("verify", proof, "--board", CONSISTENT)
    assert result.exit_code == 1
    assert "another board" in result.stdout


@pytest.mark.parametrize("data", [b"", b"hello", bytes(range(256)), b"mmsat proof 7\n"])
def test_a_file_that_is_not_a_proof_is_refused(data, tmp_path):
    (tmp_path / "junk").write_bytes(data)
    for result in (run("verify", tmp_path / "junk"), run("verify", "-", stdin=data)):
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "expected " in result.stderr
    assert str(tmp_path / "junk") in run("verify", tmp_path / "junk").stderr
    missing = run("verify", tmp_path / "nonesuch")
    assert missing.exit_code == 2
    assert "expected a proof file, or -, found " in missing.stderr
    assert run("verify", tmp_path).exit_code == 2


def test_verify_is_undecided_at_the_time_limit(proof, monkeypatch):
    run("check", "4x6/1122=1.1/1133=1.1/2211=1.2/3456=0.2", "--proof", proof)
    monkeypatch.setattr(LIMITS, "lemma_slice", 1)
    result = run("verify", proof, "--timeout", "0.0000001")
    assert result.exit_code == 1
    assert result.stdout.startswith("Undecided: time limit reached")
    document = json.loads(run("verify", proof, "--timeout", "0.0000001", "--json").stdout)
    validator("verify").validate(document)
    assert document["holds"] is None


def test_ctrl_c_ends_verify_and_writes_no_proof(proof, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mmsat.verify", interrupted)
    assert run("verify", proof).exit_code in (1, 130)  # click's runner returns 1
    proof.unlink()
    monkeypatch.setattr("mmsat.prove", interrupted)
    result = run("check", SLIPPED, "--proof", proof)
    assert result.exit_code == 130
    assert "Inconsistent" in result.stdout
    assert "interrupted" in result.stderr
    result = run("check", SLIPPED, "--proof", proof, "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["proof"] is None
    assert not proof.exists()


def test_ctrl_c_during_the_explanation_keeps_the_verdict(tmp_path, monkeypatch):
    """The verdict is already known and is printed; no proof is started."""

    def interrupted(self, _limit):
        self.conflicts.append(Conflict((0, 1)))
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr(Findings, "search", interrupted)
    file = tmp_path / "board.proof"
    result = run("check", SLIPPED, "--proof", file)
    assert result.exit_code == 130
    assert "Inconsistent" in result.stdout
    assert "Rows 1 and 2 can't both be right" in result.stdout
    assert result.stderr == "interrupted\n"
    result = run("check", SLIPPED, "--json", "--proof", file)
    assert result.exit_code == 130
    document = json.loads(result.stdout)
    validator("check").validate(document)
    assert (document["conflict"], document["proof"]) == ([1, 2], None)
    assert not file.exists()


def test_a_proof_that_is_not_found_in_time_is_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr("mmsat.prove", lambda *_, **__: None)
    file = tmp_path / "board.proof"
    result = run("check", SLIPPED, "--proof", file)
    assert result.exit_code == 1
    assert "Inconsistent" in result.stdout
    assert "no proof was found in time" in result.stderr
    result = run("check", SLIPPED, "--proof", file, "--json")
    assert json.loads(result.stdout)["proof"] is None
    validator("check").validate(json.loads(result.stdout))
    assert not file.exists()


def test_the_verdict_is_printed_if_the_proof_cannot_be_written(tmp_path, monkeypatch):
    def too_long(*_, **__):
        message = "all proofs exceed 512 MiB"
        raise SizeError(message)

    def full(*_):
        raise OSError(28, "No space left on device")

    file = tmp_path / "board.proof"
    for target, replacement, text in [
        ("mmsat.prove", too_long, f"all proofs exceed 512 MiB; {file} was not written\n"),
        ("mmsat.cli.commands.proofs.atomic_write", full, "not written: No space left on device"),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(target, replacement)
            result = run("check", SLIPPED, "--proof", file)
            assert result.exit_code == 1
            assert "Inconsistent" in result.stdout
            assert text in result.stderr
            result = run("check", SLIPPED, "--proof", file, "--json")
            assert result.exit_code == 1
            assert json.loads(result.stdout)["proof"] is None
            assert not file.exists()


def test_a_proof_is_not_written_to_standard_output():
    result = run("check", SLIPPED, "--proof", "-")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "Error: --proof cannot write to standard output. Give the name of a file.\n"
    )


def test_a_rejected_proof_is_not_extracted(proof, tmp_path):
    proof.write_text(proof.read_text()[:-3])
    result = run("verify", proof, "--extract", tmp_path / "pieces")
    assert result.exit_code == 1
    assert "nothing was written" in result.stderr
    assert not (tmp_path / "pieces").exists()


def test_a_missing_folder_is_reported_before_the_check(tmp_path, monkeypatch):
    monkeypatch.setattr("mmsat.check", None)
    result = run("check", SLIPPED, "--proof", tmp_path / "none" / "board.proof")
    assert result.exit_code == 2
    assert "folder" in result.stderr


def test_a_proof_by_lemmas_is_extracted_to_five_files(proof, tmp_path):
    folder = tmp_path / "pieces"
    assert run("verify", proof, "--extract", folder).exit_code == 0
    names = {path.name for path in folder.iterdir()}
    assert names == {"board.txt", "formula.cnf", "formula.map", "proof.drat", "proof.lrat"}
    assert (folder / "board.txt").read_text() == f"{SLIPPED}\n"
    map_lines = (folder / "formula.map").read_text().splitlines()
    assert map_lines[:2] == ["1 peg1color1", "2 peg1color2"]
    cnf = (folder / "formula.cnf").read_text()
    assert cnf == "".join(WRITERS["cnf"].write(Board.parse("4x6/1122=1.1/1122=0.2")))
    process = subprocess.run(
        [external("cadical"), "-q", folder / "formula.cnf"], capture_output=True, check=False
    )
    assert process.returncode == 20


@pytest.mark.parametrize(
    ("board", "file_name"), [(CONSISTENT, "witness.txt"), (TWO_COLORS, "certificate.txt")]
)
def test_other_proofs_are_extracted_to_two_files(board, file_name, tmp_path):
    run("check", board, "--proof", tmp_path / "a.proof")
    assert run("verify", tmp_path / "a.proof", "--extract", tmp_path / "b").exit_code == 0
    assert {path.name for path in (tmp_path / "b").iterdir()} == {"board.txt", file_name}


def test_the_schema_of_verify_is_strict():
    with pytest.raises(jsonschema.ValidationError):
        validator("verify").validate({"file": "x"})


def test_a_large_file_that_is_no_proof_is_not_read(tmp_path):
    """The file has more bytes than a proof may have, and takes no space."""
    file = tmp_path / "other.proof"
    with file.open("wb") as empty:
        empty.truncate(1 << 36)
    result = run("verify", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "expected a proof by `mmsat check --proof`" in result.stderr
