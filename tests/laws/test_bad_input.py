"""Every command refuses bad input in one form: lines of errors, and exit code 2."""

from __future__ import annotations

import click
import pytest

from mmsat.cli.group import COMMANDS, mmsat
from mmsat.cli.parameters import BoardSource
from tests.support.cli_runner import run

CONTENTS = {
    "empty": b"",
    "blank": b" \n\t\n",
    "comment": b"# nothing\n",
    "binary": bytes(range(256)),
    "zeros": b"\0" * 64,
    "latin": "4x6\n11\xe4\xf6=1.1\n".encode("latin-1"),
    "cut-utf-16": "4x6/1122=1.1".encode("utf-16")[:-1],
    "wrong-utf-8": b"4x6/1122=\xff\xfe\n",
    "brackets": b"[" * 5000,
    "digits": b"1" * 5000,
    "list": b"[1, 2]\n",
    "null": b"null\n",
    "cut-object": b'{"mmsat": 1, "game": {"pegs": 4',
    "other-document": b'{"name": "x"}\n',
    "unknown-game": b"9x/1122=1.1\n",
    "huge-game": b"999999999x999999999\n",
    "huge-score": b"4x6/1122=99999999999999999999.1\n",
    "words": b"the quick brown fox\njumps over\n",
    "definition": b"pegs = 4\n",
}
"""Contents of files that are no board, no game, no log, no proof, no problem and no solution."""
READS_FOLDERS = ("audit",)
"""Commands for which a folder is valid input."""


def check_refusal(result, words):
    """Check that a result is a refusal, and that no error is about a bug."""
    assert result.exit_code == 2, words
    lines = result.stderr.splitlines()
    assert lines, words
    assert all(line.startswith(("Error: ", "Try: ", "seed ")) for line in lines), lines
    assert "contradicts itself" not in result.stderr
    assert result.stdout == "", words


def arguments_of(name):
    """Return the required arguments of a command, and the options that it requires."""
    params = mmsat.get_command(click.Context(mmsat), name).params
    arguments = [
        param for param in params if isinstance(param, click.Argument) and param.name != "files"
    ]
    needs_output = any("--output" in param.opts and param.required for param in params)
    return arguments, needs_output


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
def test_files_that_are_no_input_are_refused(name, tmp_path):
    arguments, needs_output = arguments_of(name)
    settings = ["-o", tmp_path / "records.jsonl"] if needs_output else []
    count = max(1, sum(argument.required for argument in arguments))
    for kind, content in CONTENTS.items():
        (tmp_path / kind).write_bytes(content)
        check_refusal(run(name, *[tmp_path / kind] * count, *settings), (name, kind))
        if any(type(argument.type) is BoardSource for argument in arguments):
            check_refusal(run(name, *["-"] * count, *settings, stdin=content), (name, kind))
    missing = tmp_path / "missing"
    check_refusal(run(name, *[missing] * count, *settings), (name, "missing"))
    if name not in READS_FOLDERS:
        check_refusal(run(name, *[tmp_path] * count, *settings), (name, "folder"))


@pytest.mark.parametrize("name", COMMANDS)
def test_command_lines_that_cannot_be_read_are_refused(name):
    arguments, _ = arguments_of(name)
    for words in (["--no-such-option"], ["--timeout"], ["--timeout", "soon"], ["--json=yes"]):
        check_refusal(run(name, *words), (name, *words))
    surplus = ["4x6"] * (len(arguments) + 1)
    if not any(argument.nargs == -1 for argument in arguments):
        check_refusal(run(name, *surplus), (name, *surplus))
