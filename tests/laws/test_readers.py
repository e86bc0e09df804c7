"""Whatever the bytes are, each reader gives a value or a clear fault, soon and in little memory."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import fuzz
from mmsat.errors import InputError
from tests import fuzzing, tiers
from tests.fuzzing import PIECES, Edit, attempt, mutate
from tests.readers import FOUND, PROOFS, READERS, Reader, seal

pytestmark = pytest.mark.filterwarnings("ignore")
each_reader = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
EDITS = st.lists(
    st.builds(
        Edit,
        st.integers(0, 1000),
        st.integers(0, 30),
        st.sampled_from(PIECES) | st.binary(max_size=8) | st.text(max_size=8).map(str.encode),
    ),
    max_size=4,
)


@each_reader
def test_samples_are_read(reader):
    for sample in reader.samples:
        reader.read(sample)


def test_proofs_are_sealed_as_they_are_written():
    assert [*map(seal, PROOFS)] == [*PROOFS]
    with pytest.raises(InputError, match="begins with"):
        READERS["sealed"].read(b"")


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_what_was_once_no_clear_fault(name, data):
    attempt(READERS[name], data)
    with pytest.raises(InputError):
        READERS[name].read(data)


@each_reader
@settings(max_examples=tiers.share(300))
@given(data=st.data())
def test_samples_with_changes(reader, data):
    attempt(reader, mutate(data.draw(st.sampled_from(reader.samples)), data.draw(EDITS)))


@each_reader
@settings(max_examples=tiers.share(150))
@given(data=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_any_bytes(reader, data):
    attempt(reader, data)


def ask(monkeypatch, place, read):
    """What the fuzzer makes of a reader, in a run of two batches and one of one more."""
    monkeypatch.setitem(READERS, "bad", Reader(read, (b"1122",)))
    asked = ["bad", "--seconds", "10", "-o", str(place)]
    status = fuzz.main([*asked, "--inputs", "200"])
    fuzz.main([*asked, "--inputs", "100"])
    return status


def test_a_fault_is_told_and_runs_add_up(tmp_path, monkeypatch, capsys):
    book = tmp_path / "inputs.csv"
    drawn = []
    assert ask(monkeypatch, book, lambda data: drawn.append(data) or data.index(b"1")) == 1
    told = capsys.readouterr()
    assert "bad: ValueError: subsection not found" in told.err
    assert "| bad | 300 | 0 | 2 |" in told.out
    kept = [*tmp_path.glob("bad-*")]
    assert kept
    assert not any(b"1" in file.read_bytes() for file in kept)
    assert len({*drawn}) > 200


@pytest.mark.skipif(not fuzzing.RESET.exists(), reason="elsewhere only growth is seen")
def test_memory_that_is_given_back_is_seen(tmp_path, monkeypatch, capsys):
    """Straight from the system: what Python asks for may be what it had before."""

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
    said = f"Test unit written to {unit}\nstat::number_of_executed_units: 7\nguided: bad\n"
    monkeypatch.setitem(READERS, "bad", Reader(lambda data: data.index(b"1"), (b"1122",)))
    monkeypatch.setattr(fuzz.importlib.util, "find_spec", lambda _: True)
    run = nullcontext(SimpleNamespace(stderr=said.splitlines(keepends=True)))
    library = SimpleNamespace(Popen=lambda *_, **__: run, PIPE=None)
    monkeypatch.setattr(fuzz, "subprocess", library)
    assert fuzz.main(["bad", "--guided", "-o", str(tmp_path / "a")]) == 1
    told = capsys.readouterr()
    assert "bad: ValueError: subsection not found" in told.err
    assert "| bad | 0 | 7 | 1 |" in told.out


@pytest.mark.slow
def test_three_seconds_of_each_reader():
    """In a process of its own, as its memory is measured."""
    command = [sys.executable, "-m", "benchmarks", "fuzz", *READERS, "--seconds", "3"]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": "."}
    )
    assert done.returncode == 0, done.stderr
