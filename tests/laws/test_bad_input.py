"""Every command refuses bad input in one form: lines of errors, and exit code 2."""

from __future__ import annotations

import shlex

import click
import pytest

from mmsat.cli.group import COMMANDS, mmsat
from mmsat.cli.parameters import BoardSource, Choice, Name, Number, OutputFile, Quantity
from tests.support.cli_runner import program_without_reader, run

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


def options_of(name):
    """Return the options of a command, except --help."""
    params = mmsat.get_command(click.Context(mmsat), name).params
    return [param for param in params if isinstance(param, click.Option)]


def wrong_values(kind):
    """Return values that a type of a parameter does not accept; none for any text."""
    if isinstance(kind, Number):
        too_large = [] if kind.high is None else [kind.high + 1]
        return [kind.low - 1, *too_large, "1.5", "", "many", "9" * 30, "nan"]
    if isinstance(kind, Quantity):
        return ["soon", "", "nan", "-1"]
    if isinstance(kind, Choice):
        return ["no-such-choice", "", "-"]
    if isinstance(kind, Name):
        return ["no-such-name", ""]
    if type(kind) is OutputFile:
        return ["no/such/folder/file", ""]
    return []


@pytest.mark.parametrize("name", COMMANDS)
def test_wrong_values_of_options_are_refused_by_their_names(name):
    arguments, _ = arguments_of(name)
    for option in options_of(name):
        flag = max(option.opts, key=len)
        for value in wrong_values(option.type):
            words = ["4x6"] * len(arguments) + [f"{flag}={value}"]
            result = run(name, *words)
            check_refusal(result, (name, *words))
            assert flag.strip("-") in result.stderr, (name, *words)
        if option.is_flag:
            check_refusal(run(name, f"{flag}=yes"), (name, flag))
        elif not option.multiple:
            result = run(name, *["4x6"] * len(arguments), flag, "1", flag, "2")
            check_refusal(result, (name, flag))
            assert f"{flag} is given 2 times" in result.stderr, (name, flag)


@pytest.mark.parametrize("name", COMMANDS)
def test_quiet_contradicts_verbose_and_not_json(name):
    flags = {max(option.opts, key=len) for option in options_of(name)}
    arguments, _ = arguments_of(name)
    words = ["2x2"] * len(arguments)
    if {"--quiet", "--verbose"} <= flags and words == ["2x2"]:
        result = run(name, *words, "--quiet", "--verbose")
        check_refusal(result, name)
        assert "--quiet cannot be combined with --verbose" in result.stderr
    if {"--quiet", "--json"} <= flags:
        assert "cannot be combined" not in run(name, *words, "--quiet", "--json").stderr


SMALL_EXAMPLES = {
    "generate": ["generate", "six-colors", "--seed", "1"],
    "review": ["review", "2x2/11=1.0"],
    "study": ["study"],
}
"""Command lines that are faster than the examples in the help."""


def simple_example(name):
    """Return the words of the first example in the help that needs no shell and no files."""
    if name in SMALL_EXAMPLES:
        return SMALL_EXAMPLES[name]
    for example in mmsat.get_command(click.Context(mmsat), name).examples:
        words = shlex.split(example)
        if words[0] == "mmsat" and not {"|", "<", ">", "<<"} & {*words} and "." not in words[-1]:
            return words[1:]
    return None


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
def test_a_reader_that_closes_the_pipe_changes_nothing(name, tmp_path, monkeypatch):
    """`mmsat COMMAND | head -1` ends without an error, and with the exit code of the command."""
    words = simple_example(name)
    if words is None:
        words = [name, "4x6/1122=1.1", "4x6/1122=1.1"][: 1 + len(arguments_of(name)[0])]
    monkeypatch.chdir(tmp_path)
    expected = run(*words, stdin="")
    process = program_without_reader(*words, input="", cwd=tmp_path)
    assert process.returncode == expected.exit_code, words
    assert "Traceback" not in process.stderr
    assert "Broken" not in process.stderr
