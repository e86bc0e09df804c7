"""mmsat as a program: pipes, signals, terminals and exit codes that only a process shows."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli_runner import (
    CONSISTENT,
    LONG_COUNT,
    SLIPPED,
    environment,
    program,
    program_without_reader,
    run,
)

FULL_DEVICE = Path("/dev/full")
COLOR = re.compile(r"\x1b\[[0-9;]*(?:3[0-9]|4[0-9])[0-9;]*m")


def on_terminal(*arguments, **changes):
    """Return the output on a terminal of 80 columns, and the exit code."""
    controller, terminal = pty.openpty()
    settings = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"} | changes
    process = subprocess.Popen(
        [sys.executable, "-m", "mmsat", *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment(**settings),
    )
    os.close(terminal)
    received = b""
    try:
        while True:
            try:
                piece = os.read(controller, 4096)
            except OSError:  # Linux reports the closed end this way
                break
            if not piece:
                break
            received += piece
    finally:
        os.close(controller)
    return received.decode().replace("\r\n", "\n"), process.wait(timeout=60)


def test_a_terminal_is_not_flooded_by_a_list():
    """--limit lists more codes; a pipe gets all."""
    text, code = on_terminal("list", "5x6")
    assert code == 0
    *codes, _ = text.splitlines()
    assert len(codes) == 1000
    assert "--limit N lists more" in text
    more, _ = on_terminal("list", "5x6", "--limit", "1200")
    assert len(more.splitlines()) == 1200
    assert len(run("list", "4x6").stdout.splitlines()) == 6**4


def without_styles(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("check", CONSISTENT), 10),
        (("check", SLIPPED), 20),
        (("explain", SLIPPED), 0),
        (("count", SLIPPED), 0),
        (("check", LONG_COUNT, "--engine", "sat:nonesuch"), 2),
        (("count", LONG_COUNT, "--timeout", "0.1", "--engine", "brute"), 1),
    ],
)
def test_the_program_ends_with_the_exit_code(arguments, code):
    assert program(*arguments).returncode == code


def test_the_verdict_comes_first_on_a_terminal():
    """The board with the conflicting rows follows when the search for them has ended."""
    output, code = on_terminal("check", SLIPPED)

    lines = without_styles(output).split("\n")
    assert code == 20
    assert lines[:2] == ["Inconsistent: no code gets exactly these scores.", ""]
    assert sum(line.startswith("Inconsistent") for line in lines) == 1
    assert any(line.startswith("Rows 1 and 3") for line in lines)


def run_and_interrupt(*arguments, until=b""):
    """Run a command until it prints something, then interrupt it as Ctrl-C does.

    If `until` is given, wait until it is printed on standard error, which is a terminal, so that
    progress is shown. Return the exit code, the output and the messages.
    """
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mmsat", *arguments],
        stdout=subprocess.PIPE,
        stderr=terminal,
        start_new_session=True,
        # Tests that run in the background ignore Ctrl-C, and the process would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    os.close(terminal)
    ready, errors = [], b""
    while until not in errors or not ready:
        ready, _, _ = select.select([process.stdout, controller], [], [], 60)
        if controller in ready:
            errors += os.read(controller, 10_000)
        elif not until:
            break
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    errors += os.read(controller, 10_000)
    os.close(controller)
    assert ready
    return process.returncode, output.decode(), errors.decode()


@pytest.mark.parametrize("method", ["brute", "enumeration"])
def test_ctrl_c_ends_a_count_with_the_codes_counted_so_far(method):
    code, output, errors = run_and_interrupt(
        "count", LONG_COUNT, "--engine", method, until=b"codes found"
    )

    assert code == 130
    assert re.fullmatch(r"at least [1-9][0-9]*, at most [0-9]+\n", output)
    assert "interrupted" in errors
    assert "Traceback" not in errors


def test_an_interrupted_list_is_one_document():
    code, output, errors = run_and_interrupt("list", LONG_COUNT, "--json")

    assert code == 130
    assert json.loads(output)["listed"]
    assert "Traceback" not in errors


def test_a_list_ends_silently_when_the_reader_closes_the_pipe():
    process = subprocess.Popen(
        [sys.executable, "-m", "mmsat", "list", LONG_COUNT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    first = process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()

    assert process.wait(timeout=60) == 0
    assert len(first) == 31
    assert errors == ""


def test_codes_are_printed_as_they_are_found():
    """The first codes of a long list are printed while the search still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mmsat", "list", LONG_COUNT], stdout=subprocess.PIPE
    )
    try:
        ready, _, _ = select.select([process.stdout], [], [], 60)
        assert ready
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()


def test_a_board_is_read_from_standard_input():
    assert program("check", "-", input="4x6\n1122 1 1\n").returncode == 10
    assert program("check", "-", stdin=subprocess.DEVNULL).returncode == 2


def test_a_board_line_can_be_piped_to_other_commands():
    line = program("instances", "classic/rafler-9", "--line").stdout
    assert program("check", "-", input=line).returncode == 10
    assert program("list", "-", input=line).stdout.count("\n") == 1


@pytest.mark.skipif(not FULL_DEVICE.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["list", "check", "count"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_to_a_full_disk_is_one_error(command, unbuffered):
    """The error is the same if the output is buffered, and noticed only at the end."""
    with FULL_DEVICE.open("w") as full:
        process = program(
            *(command, CONSISTENT),
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(PYTHONUNBUFFERED=unbuffered),
        )

    assert process.returncode == 1
    assert process.stderr.startswith("Error: ")
    assert process.stderr.count("\n") == 1
    assert "No space left" in process.stderr


@pytest.mark.parametrize("command", ["list", "check", "count", "games"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_pipe_without_a_reader_changes_no_exit_code(command, unbuffered):
    process = program_without_reader(
        *(command, *[CONSISTENT] * (command != "games")),
        env=environment(PYTHONUNBUFFERED=unbuffered),
    )

    assert process.returncode == (10 if command == "check" else 0)
    assert process.stderr == ""


@pytest.mark.parametrize("command", ["list", "check", "games"])
def test_closed_streams_change_no_exit_code(command):
    """Without standard input, there is no board; that is a usage error."""
    board = "" if command == "games" else f" {CONSISTENT}"
    for closed, board_or_input in ((">&- 2>&-", board), ("<&-", board.replace(CONSISTENT, "-"))):
        process = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m mmsat {command}{board_or_input} {closed}"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        from_input = "-" in board_or_input.split()
        expected = 2 if from_input else {"check": 10}.get(command, 0)
        assert process.returncode == expected
        assert "bug" not in process.stderr


def test_terminals_get_colors_and_pipes_do_not():
    text, code = on_terminal("check", SLIPPED)
    piped = program("check", SLIPPED, env=environment())

    assert code == piped.returncode == 20
    assert COLOR.search(text)
    assert "\x1b" not in piped.stdout
    assert "●" in text
    assert piped.stdout.isascii()


def test_pegs_can_be_distinguished_without_colors():
    """The symbols of the pegs are printed with and without colors, in the same order."""
    with_colors, _ = on_terminal("check", CONSISTENT)
    without_colors, _ = on_terminal("check", CONSISTENT, NO_COLOR="1")
    piped = program("check", CONSISTENT, env=environment()).stdout
    for text in (without_styles(with_colors), without_styles(without_colors), piped):
        rows = [re.findall(r"\b[1-6]\b", line)[1:5] for line in text.splitlines()[2:4]]
        assert rows == [list("1122"), list("3345")]


def test_no_color_and_dumb_terminals_have_no_colors():
    text, _ = on_terminal("check", SLIPPED, NO_COLOR="1")
    dumb, _ = on_terminal("check", SLIPPED, TERM="dumb")

    assert not COLOR.search(text)
    assert "\x1b" not in dumb


def test_force_color_prints_colors_to_a_pipe():
    forced = program("check", SLIPPED, env=environment(FORCE_COLOR="1", TERM="xterm-256color"))
    assert COLOR.search(forced.stdout)


@pytest.mark.parametrize("columns", [40, pytest.param(80, marks=pytest.mark.slow), 200])
@pytest.mark.parametrize(
    "arguments",
    [("check", LONG_COUNT), ("games",), ("encodings",), ("instances", "mistakes/far-back")],
    ids=lambda value: value[0],
)
def test_lines_fit_the_terminal(arguments, columns):
    """Only a board line, which is one word, may be wider than the terminal."""
    text, _ = on_terminal(*arguments, COLUMNS=str(columns))
    wrapped_lines = [line for line in without_styles(text).splitlines() if "/" not in line]

    max_width = max(columns, 64)  # tables have a minimum width
    assert wrapped_lines
    assert max(map(len, wrapped_lines)) <= max_width


def test_ascii_terminals_get_ascii():
    text, code = on_terminal("check", CONSISTENT, PYTHONIOENCODING="ascii")

    assert code == 10
    assert text.isascii()


def test_a_pipe_without_unicode_is_not_a_failure():
    process = program("instances", env=environment(PYTHONIOENCODING="ascii"))
    assert process.returncode == 0


def test_progress_is_for_terminals_only():
    """A long count prints progress on a terminal but not in a pipe."""
    limits = ("--engine", "brute", "--timeout", "1.5")
    shown, _ = on_terminal("count", LONG_COUNT, *limits)
    piped = program("count", LONG_COUNT, *limits)

    assert "counting" in shown
    assert re.search(r"[0-9] s so far", shown)
    assert "so far" not in piped.stderr
    assert re.fullmatch(r"at least [0-9]+, at most [0-9]+\n", piped.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit")
@pytest.mark.parametrize("mib", range(40, 160, 20))
def test_little_memory_is_reported_in_one_line(mib, tmp_path):
    """Memory may run out in Python, in its libraries, or while they are loaded."""
    log, records = tmp_path / "log.jsonl", tmp_path / "records.jsonl"
    run("generate", "--games", 20, "-o", log)

    def limit_memory():
        resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))

    result = program("audit", log, "-o", records, preexec_fn=limit_memory)
    if result.returncode:
        (line,) = result.stderr.splitlines()
        assert "not enough memory" in line or "Memory allocation" in line
        assert result.returncode == 1
        assert [*tmp_path.iterdir()] == [log]
    else:
        assert records.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit")
@pytest.mark.parametrize("mib", range(60, 180, 15))
def test_a_thread_without_memory_is_reported_in_one_line(mib):
    def limit_memory():
        resource.setrlimit(resource.RLIMIT_DATA, (mib << 20, mib << 20))

    result = program("optimal", "4x7", preexec_fn=limit_memory)
    if result.returncode:
        (line,) = result.stderr.splitlines()
        assert "not enough memory" in line or "Memory allocation" in line
        assert result.returncode == 1
    else:
        assert "4.6764" in result.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit")
def test_reading_a_file_needs_memory_only_for_its_contents(tmp_path):
    """The limits of 4 GiB for a proof and 256 MiB for a tree are not allocated."""
    proof, tree = tmp_path / "board.proof", tmp_path / "tree.json"
    run("check", SLIPPED, "--proof", proof)
    run("optimal", "2x2", "-o", tree)

    def limit_memory():
        resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))

    for command in (("verify", proof), ("analyze", "2x2", "--strategy", f"tree:{tree}")):
        assert program(*command, preexec_fn=limit_memory).returncode == 0
    with proof.open() as text:
        assert program("verify", "-", stdin=text, preexec_fn=limit_memory).returncode == 0


def test_ctrl_c_during_a_proof_leaves_no_file(tmp_path):
    board = "8x12/1-2-3-4-5-6-7-8=1.3/1-3-5-7-9-11-2-4=2.1/1-1-2-2-3-3-4-4=1.1"
    file = tmp_path / "board.proof"
    code, _, errors = run_and_interrupt("count", board, "--proof", str(file), until=b"states")

    assert code == 130
    assert f"interrupted; no proof was found, and {file} was not written" in errors
    assert "Traceback" not in errors
    assert not [*tmp_path.iterdir()]


def test_ctrl_c_during_the_proof_of_an_explanation_keeps_what_is_proven(tmp_path):
    """The conflicts and the cheapest corrections are proven in two seconds, the rest in minutes."""
    board = (
        "12x8/734371231515=3.2/877783621384=1.7/575776746153=1.4/624552288262=0.6/"
        "731577211765=1.4/415122147553=2.4/166637787257=1.5/457556176173=1.4/168665811165=1.4/"
        "856363665572=1.4/135454637226=1.6/648326485421=2.8"
    )
    file = tmp_path / "board.proof"
    code, _, errors = run_and_interrupt(
        "explain", board, "--proof", str(file), until=b"no correction is missing"
    )
    assert code == 130
    assert f"only a part was proven; `mmsat verify {file}` shows which" in errors
    assert "Traceback" not in errors
    assert "it has exactly 6 minimal conflicts" in run("verify", file).stdout
