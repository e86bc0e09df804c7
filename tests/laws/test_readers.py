"""Whatever the bytes are, each reader gives a value or a clear fault, soon and in little memory."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import fuzz
from mmsat.errors import InputError
from tests import tiers
from tests.readers import PIECES, READERS, Edit, Reader, attempt, mutate

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
@pytest.mark.filterwarnings("ignore::mmsat.GameWarning")
def test_samples_are_read(reader):
    for sample in reader.samples:
        reader.read(sample)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("weights", b"4,21e9991,1,1/2,1,1"),
        ("weights", b"1122 1e999999999\n"),
        ("checkpoint", b"[" * 3000),
        ("checkpoint", READERS["checkpoint"].samples[0].replace(b'"threads"', rb'"\ud800"')),
        ("checkpoint", READERS["checkpoint"].samples[0].replace(b'"game"', b'"name"')),
        ("record", READERS["record"].samples[0] + b"\xff\n"),
        ("record", READERS["record"].samples[0] + b"[]\n"),
    ],
)
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


def test_a_fault_is_told(monkeypatch, capsys):
    bad = Reader(lambda data: data.index(b"1"), (b"1122",))
    monkeypatch.setitem(READERS, "bad", bad)
    assert fuzz.main(["bad", "--seconds", "1", "--seed", "1"]) == 1
    assert "bad: ValueError: subsection not found" in capsys.readouterr().err


@pytest.mark.slow
def test_ten_seconds_of_each_reader():
    """In a process of its own, as its memory is measured."""
    command = [sys.executable, "-m", "benchmarks", "fuzz", *READERS, "--seconds", "10"]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": "."}
    )
    assert done.returncode == 0, done.stderr
