"""An audit resumes after errors and interruptions, without repeated or missing records."""

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
from mmsat.auditing import output as audit_output
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
def expected(log, tmp_path):
    """The output of an undisturbed audit."""
    out = tmp_path / "whole.jsonl"
    mmsat.audit([str(log)], str(out))
    return output(out)


def output(out):
    """Return the contents of the file of records and of the file of rejected records."""
    return out.read_bytes(), out.with_name(f"{out.name}.rejected.jsonl").read_bytes()


@contextmanager
def file_size_limit(size):
    """Limit the size of the files of this process. Writes beyond the limit are cut, then fail."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_an_audit_resumes_after_a_full_disk_at_any_byte(log, expected, tmp_path, ending):
    """Each attempt has space for more bytes, until the audit is complete."""
    whole, out = tmp_path / f"undisturbed.{ending}", tmp_path / f"out.{ending}"
    mmsat.audit([str(log)], str(whole))
    total_size = len(whole.read_bytes()) + len(expected[0]) + 1000
    rng = random.Random(ending)
    num_failed = 0
    for size in sorted(rng.sample(range(total_size), tiers.share(60, least=15))):
        if out.exists():
            break
        with file_size_limit(size):
            result = run("audit", log, "-o", out)
        if result.exit_code:
            num_failed += 1
            assert result.exit_code == 1
            assert f"{out}" in result.stderr.splitlines()[-1]
            assert os.strerror(errno.EFBIG) in result.stderr
            assert not out.exists()
            if (tmp_path / f"{out.name}.part").exists():
                assert "Run the same command again to resume." in result.stderr
    assert num_failed > 5
    mmsat.audit([str(log)], str(out))
    assert output(out) == output(whole)
    names = {path.name for path in tmp_path.iterdir() if path.name.startswith((".", "out"))}
    assert names == {out.name, f"{out.name}.rejected.jsonl"}


def test_a_parquet_file_that_cannot_be_written_is_removed(log, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    mmsat.audit([str(log)], str(whole))
    monkeypatch.setattr(auditing, "write_records", interrupt)
    with pytest.raises(KeyboardInterrupt):
        mmsat.audit([str(log)], str(out))
    monkeypatch.undo()
    with pytest.raises(OSError, match=r"out\.parquet"), file_size_limit(1000):
        mmsat.audit([str(log)], str(out))
    names = {path.name for path in tmp_path.iterdir() if "out" in path.name}
    assert names == {"out.parquet.part", "out.parquet.rejected.jsonl"}
    mmsat.audit([str(log)], str(out))
    assert output(out) == output(whole)


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("processes", [1, 2])
def test_an_audit_interrupted_at_random_resumes(log, expected, tmp_path, processes):
    """Ctrl-C is sent to all processes, as by a terminal."""
    out = tmp_path / "out.jsonl"
    code = (
        "import sys, mmsat.auditing.audit as a; a.audit.__wrapped__.__kwdefaults__['chunk'] = 1\n"
        "from mmsat.cli import main; print(flush=True); main()"
    )
    command = [sys.executable, "-c", code, "audit", str(log), f"--jobs={processes}", "-o"]
    start_time = time.monotonic()
    subprocess.run([*command, str(tmp_path / "undisturbed.jsonl")], check=True, capture_output=True)
    duration = time.monotonic() - start_time
    rng = random.Random(processes)
    num_interrupted = 0
    for _ in range(tiers.share(24, least=6)):
        out.unlink(missing_ok=True)  # the previous audit was complete
        running = subprocess.Popen(
            [*command, str(out)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        running.stdout.readline()
        time.sleep(rng.random() * duration / 2)
        os.killpg(running.pid, signal.SIGINT)
        _, text = running.communicate(timeout=60)
        if text.endswith('File "<string>", line 2, in <module>\nKeyboardInterrupt\n'):
            continue  # before the command was called
        assert running.returncode in (0, 130, -signal.SIGINT), (
            text
        )  # the shell reports 130 for both
        text = text.split("Exception ignored in")[0]  # Python's own, in a callback of its imports
        assert "Traceback" not in text
        if running.returncode:
            num_interrupted += 1
            # There is no message during startup, and the audit's own after it was complete.
            complete = [f"{out}.rejected.jsonl lists every unreadable record."]
            assert text.splitlines()[-1:] in ([], ["interrupted"], complete)
    assert num_interrupted
    mmsat.audit([str(log)], str(out))
    assert output(out) == expected


def test_an_output_folder_that_is_not_writable_is_reported(log):
    """Not even root can write to /sys."""
    result = run("audit", log, "-o", "/sys/out.jsonl")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: /sys/out.jsonl.")


def test_rejected_records_of_an_older_audit_are_removed(log, expected, tmp_path, monkeypatch):
    """The file of the older audit exists, and the new audit is killed when it starts."""
    out = tmp_path / "out.jsonl"
    (tmp_path / "out.jsonl.rejected.jsonl").write_text('{"record": 0, "fault": "old"}\n', "utf-8")
    monkeypatch.setattr(audit_output, "_touch", interrupt)
    with pytest.raises(KeyboardInterrupt):
        mmsat.audit([str(log)], str(out))
    monkeypatch.undo()
    mmsat.audit([str(log)], str(out))
    assert output(out) == expected
