"""The fuzzer reports faults, memory and time, and its runs add up."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from benchmarks import fuzz
from tests.support import fuzzing
from tests.support.readers import READERS, Reader

pytestmark = pytest.mark.filterwarnings("ignore")


def ask(monkeypatch, place, read):
    """Return the exit status of a run of two batches, which is followed by a run of one more."""
    monkeypatch.setitem(READERS, "bad", Reader(read, (b"1122",)))
    asked = ["bad", "--seconds", "10", "-o", str(place)]
    status = fuzz.main([*asked, "--inputs", "200"])
    fuzz.main([*asked, "--inputs", "100"])
    return status


def test_a_fault_is_reported_and_runs_add_up(tmp_path, monkeypatch, capsys):
    book = tmp_path / "inputs.csv"
    drawn = []
    assert ask(monkeypatch, book, lambda data: drawn.append(data) or data.index(b"1")) == 1
    output = capsys.readouterr()
    assert "bad: ValueError: subsection not found" in output.err
    assert "| bad | 300 | 0 | 2 |" in output.out
    kept = [*tmp_path.glob("bad-*")]
    assert kept
    assert not any(b"1" in file.read_bytes() for file in kept)
    assert len({*drawn}) > 200


@pytest.mark.skipif(not fuzzing.RESET.exists(), reason="elsewhere only growth is seen")
def test_memory_that_is_given_back_is_seen(tmp_path, monkeypatch, capsys):
    """Memory is allocated from the system, because Python may reuse its own."""

    def take(_):
        with mmap.mmap(-1, 16 << 20) as room:
            room[:: mmap.PAGESIZE] = bytes(len(room) // mmap.PAGESIZE)

    monkeypatch.setattr(fuzzing, "KILOBYTES", 8 << 10)
    assert ask(monkeypatch, tmp_path / "a", take) == 1
    assert "bad: ResourceError: 0." in capsys.readouterr().err


def test_time_is_seen(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(fuzzing, "SECONDS", 0.0)
    assert ask(monkeypatch, tmp_path / "a", lambda data: data * 9) == 1
    assert "bad: ResourceError" in capsys.readouterr().err


def test_guided_needs_atheris(monkeypatch, capsys):
    monkeypatch.setattr(fuzz.importlib.util, "find_spec", {}.get)
    with pytest.raises(SystemExit) as ended:
        fuzz.main(["line", "--guided"])
    assert ended.value.code == 2
    assert "--guided needs atheris: pip install atheris" in capsys.readouterr().err


def test_guided_runs_are_counted_and_their_faults_told(tmp_path, monkeypatch, capsys):
    unit = tmp_path / "unit"
    unit.write_bytes(b"x")
    text = f"Test unit written to {unit}\nstat::number_of_executed_units: 7\nguided: bad\n"
    monkeypatch.setitem(READERS, "bad", Reader(lambda data: data.index(b"1"), (b"1122",)))
    monkeypatch.setattr(fuzz.importlib.util, "find_spec", lambda _: True)
    run = nullcontext(SimpleNamespace(stderr=text.splitlines(keepends=True)))
    library = SimpleNamespace(Popen=lambda *_, **__: run, PIPE=None)
    monkeypatch.setattr(fuzz, "subprocess", library)
    assert fuzz.main(["bad", "--guided", "-o", str(tmp_path / "a")]) == 1
    output = capsys.readouterr()
    assert "bad: ValueError: subsection not found" in output.err
    assert "| bad | 0 | 7 | 1 |" in output.out


@pytest.mark.slow
def test_three_seconds_of_each_reader():
    """Run in a separate process, because its memory is measured."""
    command = [sys.executable, "-m", "benchmarks", "fuzz", *READERS, "--seconds", "3"]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": "."}
    )
    assert done.returncode == 0, done.stderr
