"""Help: complete, quick to load, and with examples that are true."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.resources import files

import pytest
from click import Context

from mmsat import __version__
from mmsat.cli.group import COMMANDS, mmsat
from mmsat.counting.count import METHODS
from mmsat.encoding.languages import WRITERS
from mmsat.solving import ENGINES, SPECIAL
from tests.support.cli_runner import environment, run
from tests.support.external import program as external

CODES = {"check": 20, "decode": 10, "reduce": 10, "lift": 10}
"""Exit codes of the examples, if they are not 0."""
EARLIER = {
    "mmsat static 4x4 --max-guesses 3": 1,
    "mmsat check 4x6/1122=0.4/1122=0.2 --proof board.proof": 20,
    "mmsat check 4x6/1122=1.1/3345=0.2": 10,
    "mmsat check 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1": 10,
}
"""Exit codes of examples that others depend on, if they are not 0."""
WANTED = {
    "serve": {"--port", "--host", "--no"},
    "help": set(),
    "check": {
        "--lies",
        "--by",
        "--json",
        "--seed",
        "--timeout",
        "--engine",
        "--verbose",
        "--proof",
    },
    "verify": {"--json", "--timeout", "--board", "--extract"},
    "puzzle": {
        "--grade",
        "--rows",
        "--max",
        "--all",
        "--easy",
        "--fewest",
        "--most",
        "--words",
        "--count",
        "--json",
        "--output",
        "--timeout",
    },
    "explain": {
        "--lies",
        "--by",
        "--suspect",
        "--steps",
        "--output",
        "--json",
        "--seed",
        "--timeout",
        "--engine",
        "--limit",
        "--verbose",
    },
    "count": {
        "--lies",
        "--by",
        "--json",
        "--seed",
        "--timeout",
        "--engine",
        "--memory",
        "--verbose",
    },
    "list": {
        "--lies",
        "--by",
        "--json",
        "--seed",
        "--timeout",
        "--from",
        "--limit",
        "--sample",
        "--memory",
        "--verbose",
    },
    "odds": {"--lies", "--by", "--json", "--timeout", "--output", "--memory"},
    "analyze": {
        "--json",
        "--seed",
        "--strategy",
        "--opening",
        "--sample",
        "--jobs",
        "--output",
        "--table",
        "--value",
    },
    "optimal": {
        "--json",
        "--timeout",
        "--max",
        "--consistent",
        "--objective",
        "--output",
        "--checkpoint",
        "--jobs",
    },
    "static": {"--json", "--seed", "--timeout", "--checkpoint", "--max"},
    "suggest": {"--json", "--seed", "--timeout", "--strategy", "--limit", "--verbose"},
    "review": {"--weights", "--hard", "--json", "--output", "--seed", "--timeout", "--verbose"},
    "audit": {"--json", "--output", "--game", "--depth", "--jobs", "--dask"},
    "play": {"--json", "--role", "--turns", "--strategy", "--seed", "--resume"},
    "match": {"--json", "--player", "--rules", "--games", "--turns", "--penalty", "--seed"},
    "encode": {"--json", "--timeout", "--to", "--encoding", "--output"},
    "decode": {"--json"},
    "reduce": {"--json", "--to", "--output", "--explain"},
    "lift": {"--json"},
    "generate": {"--json", "--size", "--rows", "--seed", "--answer", "--to", "--output", "--jobs"},
    "study": {"--families", "--timeout", "--seed", "--count", "--max", "--jobs", "--output"},
    "score": {"--json"},
    "games": {"--json"},
    "strategies": {"--json"},
    "encodings": {"--json"},
    "reductions": {"--json"},
    "families": {"--json"},
    "instances": {"--json", "--line"},
}


def command(name):
    result = mmsat.get_command(Context(mmsat), name)
    assert result is not None
    return result


def examples(name):
    """The example lines of a command's help."""
    return command(name).examples


def test_every_module_of_commands_is_a_command():
    folder = files("mmsat.cli") / "commands"
    modules = {entry.name.removesuffix(".py") for entry in folder.iterdir()}
    assert modules - {"__init__", "__pycache__"} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_of_commands_says_what_each_says_itself(name):
    """The help of the group shows the first part of each command's first sentence."""
    summary = COMMANDS[name]
    first, _, _ = summary.removesuffix(".").partition(",")

    assert summary.endswith(".")
    assert len(summary) <= 60
    assert (command(name).short_help or command(name).help).startswith(first)


def modules_of(*arguments):
    """The modules that mmsat has loaded at its end."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from mmsat.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(done.stderr.split())


def test_help_imports_no_command():
    modules = modules_of("--help")
    assert "mmsat.cli.group" in modules
    assert "mmsat.cli.commands" not in modules


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_what_there_is(name):
    """Each command's help has a sentence, its options and an example, and fits one screen.

    The examples come before the details.
    """
    result = run(name, "--help")

    assert result.exit_code == 0
    assert WANTED[name] <= set(re.findall(r"--[a-z]+", result.stdout))
    assert examples(name)
    lines = result.stdout.splitlines()
    start = lines.index("Examples:")
    assert tuple(lines[start + 1 : start + 1 + len(examples(name))]) == tuple(
        f"  {example}" for example in examples(name)
    )
    assert start <= 6
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 40


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name == "study")) for name in COMMANDS],
)
def test_examples_are_true(name, tmp_path, monkeypatch):
    """The examples run, one after the other in one folder, and give the promised exit code.

    Only those of more than one program need a shell.
    """
    monkeypatch.chdir(tmp_path)
    if any(line.startswith("cadical") for line in examples(name)):
        external("cadical")
    mmsat_here = f'mmsat() {{ {shlex.quote(sys.executable)} -m mmsat "$@"; }}'
    for number, example in enumerate(examples(name), 1):
        last = number == len(examples(name))
        wanted = CODES.get(name, 0) if last else EARLIER.get(example, 0)
        words = shlex.split(example)
        if words[0] == "mmsat" and not {"|", ">", "<"} & {*words}:
            result = run(*words[1:])
            assert result.exit_code == wanted, result.stderr
            continue
        done = subprocess.run(
            ["bash", "-c", f"{mmsat_here}\n{example}"],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == wanted, done.stderr


def test_group_help_tells_the_contract():
    result = run("--help")

    assert result.exit_code == 0
    assert all(f"  {name} " in result.stdout for name in COMMANDS)
    assert "..." not in result.stdout.partition("Check a board:")[2]
    for text in ("10 consistent", "20 inconsistent", "130 interrupted", "_MMSAT_COMPLETE"):
        assert text in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_help_names_what_the_registries_have():
    """Names written out in help are those of the registries, all of them."""
    for name in (*ENGINES, *SPECIAL):
        assert re.search(rf"\b{name}\b", run("check", "--help").stdout)
    for name in METHODS:
        assert re.search(rf"\b{name}\b", run("count", "--help").stdout)
    for name in WRITERS:
        assert re.search(rf"\b{name}\b", run("encode", "--help").stdout)


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments):
    modules = {name.partition(".")[0] for name in modules_of(*arguments)}
    assert "click" in modules
    assert not modules & {"rich", "numpy", "pysat", "ortools", "pyganak", "multiprocessing"}


def test_version():
    assert run("--version").stdout == f"mmsat {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_the_same_by_both_ways(name):
    assert run("help", name).stdout == run(name, "--help").stdout
    assert run("help").stdout == run("--help").stdout


def test_numbers_are_called_n_and_the_version_has_a_letter():
    assert run("-V").stdout == run("--version").stdout
    for name in COMMANDS:
        output = run(name, "--help").stdout
        assert "RANGE" not in output
        assert "INTEGER" not in output


SAME = {
    "--jobs": "Work on N processor cores",
    "--limit": "Print up to N ",
    "--count": "Make N ",
    "--strategy": "Name of a strategy; `mmsat strategies` lists them.",
    "--timeout": "Stop after N seconds, with exit code 1.",
    "--quiet": "Print only results and errors.",
}
"""Options of several commands, and how their help begins."""
SHORT = {"--jobs": "-j", "--limit": "-n", "--quiet": "-q", "--output": "-o", "--verbose": "-v"}
FORMER = ("--cores", "--processes", "--others", "--most", "--method", "--save", "--draw", "--plot")


def options_by_name():
    """All options of all commands that the help shows: (command, option, parameter)."""
    for name in COMMANDS:
        for param in command(name).params:
            for option in param.opts:
                if option.startswith("--") and not param.hidden:
                    yield name, option, param


def test_an_option_of_the_same_name_has_the_same_help():
    seen = 0
    for name, option, param in options_by_name():
        if option in SAME:
            seen += 1
            assert param.help.startswith(SAME[option]), (name, option)
        if option in SHORT:
            assert SHORT[option] in param.opts, (name, option)
        assert option not in FORMER
    assert seen > 60


def test_every_command_can_be_quiet():
    quiet = {name for name, option, _ in options_by_name() if option == "--quiet"}
    assert quiet == set(COMMANDS) - {"help"}
