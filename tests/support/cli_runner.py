"""Run mmsat, in this process (which is faster) or as a program."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

from click.testing import CliRunner

from mmsat.cli.group import mmsat

CONSISTENT = "4x6/1122=1.1/3345=0.2"
SLIPPED = "4x6/1122=1.1/3345=0.2/1122=0.2"
LONG_COUNT = "30x6/" + "/".join(
    f"{''.join(str((peg * step) % 6 + 1) for peg in range(30))}=5.12" for step in (1, 5, 7)
)
"""A board with trillions of codes, which a decision diagram can count."""
TANGLED = "4x6/1122=0.4/1122=0.2/1122=2.0/3345=0.3"
"""A board with several conflicts and corrections."""


def run(*arguments, stdin=None):
    """Run a command in this process; the result has exit_code, stdout and stderr."""
    return CliRunner().invoke(mmsat, [str(argument) for argument in arguments], input=stdin)


def program(*arguments, **options):
    """Run the program; the result has returncode, stdout and stderr."""
    settings = {"capture_output": True, "text": True, "timeout": 120} | options
    command = [sys.executable, "-m", "mmsat", *map(str, arguments)]
    return subprocess.run(command, check=False, **settings)


def program_without_reader(*arguments, **options):
    """Run the program with a closed pipe as its standard output."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    streams = {"capture_output": False, "stdout": write_end, "stderr": subprocess.PIPE}
    process = program(*arguments, **streams, **options)
    os.close(write_end)
    return process


def shell(script, folder):
    """Run a shell script that calls mmsat; the result has returncode, stdout and stderr."""
    definition = f'mmsat() {{ {shlex.quote(sys.executable)} -m mmsat "$@"; }}'
    return subprocess.run(
        ["bash", "-c", f"{definition}\n{script}"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def environment(**changes):
    """Return the environment with changes, without variables that influence colors and widths."""
    excluded = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if name not in excluded}
    return kept | changes


FAULT = re.compile(
    r"Error: (\S.*?: expected \S.*, found (nothing|\S.*)"
    r"|(\S.*: )?No such [^'.]+ '.*'\. "
    r"(Did you mean '.+'\?|Expected .+\.|It is an option of mmsat .+\.)"
    r"|\S[^']*\.)",
    re.DOTALL,
)


def fault_lines(result):
    """Return the lines of an input error, one per fault, after a check of their form.

    The form is "PLACE: expected ..., found ..." or "No such NAME". Standard output is empty, and
    the exit code is 2.
    """
    assert result.exit_code == 2, result.stderr
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    fault_texts = [line for line in lines if not line.startswith("Try: mmsat")]
    assert fault_texts
    assert all(FAULT.fullmatch(line) for line in fault_texts), result.stderr
    return fault_texts
