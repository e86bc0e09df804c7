"""An interrupted audit resumes: no record is repeated or missing, and errors are one sentence."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

import mmsat
import mmsat.auditing.audit as auditing
from mmsat.auditing import journal
from tests.support import tiers
from tests.support.cli_runner import run

GAMES = 120


@pytest.fixture
def log(tmp_path):
    """A log in which some records cannot be read."""
    lines = list(mmsat.generate_log("4x6", GAMES, 0.2, 1))
    for place in (3, 17, 18, 40):
        lines[place] = f"broken {'x' * place}\n"
    path = tmp_path / "log.jsonl"
    path.write_text("".join(lines), "utf-8")
    return path


@pytest.fixture
def wanted(log, tmp_path):
    """Return the output of an undisturbed audit."""
    out = tmp_path / "whole.jsonl"
    mmsat.audit([str(log)], str(out))
    return told(out)


def told(out):
    return out.read_bytes(), out.with_name(f"{out.name}.rejected.jsonl").read_bytes()


@contextmanager
def files_of_at_most(size):
    """No file of this process grows longer: writes are cut short, then fail."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_full_disk_at_any_byte(log, wanted, tmp_path, ending):
    """Each time there is room for some bytes more, until there is enough."""
    whole, out = tmp_path / f"undisturbed.{ending}", tmp_path / f"out.{ending}"
    mmsat.audit([str(log)], str(whole))
    enough = len(whole.read_bytes()) + len(wanted[0]) + 1000
    source = random.Random(ending)
    failed = 0
    for room in sorted(source.sample(range(enough), tiers.share(60, least=15))):
        if out.exists():
            break
        with files_of_at_most(room):
            result = run("audit", log, "-o", out)
        if result.exit_code:
            failed += 1
            assert result.exit_code == 1
            assert f"{out}" in result.stderr.splitlines()[-1]
            assert os.strerror(errno.EFBIG) in result.stderr
            assert not out.exists()
            if (tmp_path / f"{out.name}.part").exists():
                assert "Run the same command again to resume." in result.stderr
    assert failed > 5
    mmsat.audit([str(log)], str(out))
    assert told(out) == told(whole)
    names = {path.name for path in tmp_path.iterdir() if path.name.startswith((".", "out"))}
    assert names == {out.name, f"{out.name}.rejected.jsonl"}


def test_a_full_parquet_leaves_nothing_half(log, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    mmsat.audit([str(log)], str(whole))
    monkeypatch.setattr(auditing, "write_records", interrupt)
    with pytest.raises(KeyboardInterrupt):
        mmsat.audit([str(log)], str(out))
    monkeypatch.undo()
    with pytest.raises(OSError, match=r"out\.parquet"), files_of_at_most(1000):
        mmsat.audit([str(log)], str(out))
    names = {path.name for path in tmp_path.iterdir() if "out" in path.name}
    assert names == {"out.parquet.part", "out.parquet.rejected.jsonl"}
    mmsat.audit([str(log)], str(out))
    assert told(out) == told(whole)


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupted_audit_resumes(log, wanted, tmp_path, processes):
    """Ctrl-C at random instants, to all processes as a terminal sends it."""
    out = tmp_path / "out.jsonl"
    code = (
        "import sys, mmsat.auditing.audit as a; a.audit.__wrapped__.__kwdefaults__['chunk'] = 1\n"
        "from mmsat.cli import main; print(flush=True); main()"
    )
    command = [sys.executable, "-c", code, "audit", str(log), f"--jobs={processes}", "-o"]
    begun = time.monotonic()
    subprocess.run([*command, str(tmp_path / "undisturbed.jsonl")], check=True, capture_output=True)
    whole = time.monotonic() - begun
    source = random.Random(processes)
    interrupted = 0
    for _ in range(tiers.share(24, least=6)):
        out.unlink(missing_ok=True)  # it was done before
        running = subprocess.Popen(
            [*command, str(out)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        running.stdout.readline()
        time.sleep(source.random() * whole / 2)
        os.killpg(running.pid, signal.SIGINT)
        _, text = running.communicate(timeout=60)
        if text.endswith('File "<string>", line 2, in <module>\nKeyboardInterrupt\n'):
            continue  # before the command was called
        assert running.returncode in (0, 130, -signal.SIGINT), text  # a shell reports 130 for both
        text = text.split("Exception ignored in")[0]  # Python's own, in a callback of its imports
        assert "Traceback" not in text
        if running.returncode:
            interrupted += 1
            assert text.splitlines()[-1:] in ([], ["interrupted"])  # quiet while it starts
    assert interrupted
    mmsat.audit([str(log)], str(out))
    assert told(out) == wanted


def test_a_folder_where_nothing_can_be_written(log):
    """One where even root may not."""
    result = run("audit", log, "-o", "/sys/out.jsonl")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: /sys/out.jsonl.")


def test_an_older_audit_of_the_same_name_is_not_taken_for_this_one(
    log, wanted, tmp_path, monkeypatch
):
    """The old rejections exist, and the new audit is killed when it starts."""
    out = tmp_path / "out.jsonl"
    (tmp_path / "out.jsonl.rejected.jsonl").write_text('{"record": 0, "fault": "old"}\n', "utf-8")
    monkeypatch.setattr(journal, "_touch", interrupt)
    with pytest.raises(KeyboardInterrupt):
        mmsat.audit([str(log)], str(out))
    monkeypatch.undo()
    mmsat.audit([str(log)], str(out))
    assert told(out) == wanted
