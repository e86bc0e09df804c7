"""Help: complete, quick to load, and with examples that work."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.resources import files
from time import monotonic

import pytest
from click import Context

from mmsat import __version__
from mmsat.cli.group import COMMANDS, mmsat
from mmsat.counting.count import METHODS
from mmsat.solving import ENGINES, SPECIAL
from mmsat.solving.encode import WRITERS
from tests.support.cli_runner import run, shell
from tests.support.external import program as external

LAST_EXIT_CODES = {"check": 20, "decode": 10, "reduce": 10, "lift": 10}
"""For each command, the exit code of its last example, if it is not 0."""
EARLIER_EXIT_CODES = {
    "mmsat static 4x4 --max-guesses 3": 1,
    "mmsat check 4x6/1122=0.4/1122=0.2 --proof board.proof": 20,
    "mmsat check 4x6/1122=1.1/3345=0.2": 10,
    "mmsat check 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1": 10,
}
"""Exit codes of the examples before the last one, if they are not 0."""
EXPECTED_OPTIONS = {
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
        "--proof",
        "--timeout",
    },
    "explain": {
        "--lies",
        "--by",
        "--suspect",
        "--steps",
        "--proof",
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
        "--proof",
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
        "--proof",
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
        "--proof",
    },
    "optimal": {
        "--json",
        "--timeout",
        "--max",
        "--consistent",
        "--objective",
        "--proof",
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
    "suite": {
        "--for",
        "--output",
        "--seed",
        "--count",
        "--scale",
        "--solver",
        "--json",
        "--timeout",
    },
    "study": {"--families", "--timeout", "--seed", "--count", "--max", "--jobs", "--output"},
    "score": {"--json"},
    "games": {"--json"},
    "strategies": {"--json"},
    "encodings": {"--json"},
    "reductions": {"--json"},
    "families": {"--json"},
    "instances": {"--json", "--line"},
}
"""For each command, options that its help must list, up to the first hyphen inside the name."""


def command(name):
    result = mmsat.get_command(Context(mmsat), name)
    assert result is not None
    return result


def examples(name):
    """Return the example lines of a command's help."""
    return command(name).examples


def test_every_function_named_command_is_a_command():
    folder = files("mmsat.cli") / "commands"
    texts = [entry.read_text("utf-8") for entry in folder.iterdir() if entry.name.endswith(".py")]
    names = [
        name for text in texts for name in re.findall(r"^def (\w+)_command\(", text, re.MULTILINE)
    ]
    assert sorted(names) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_of_a_command_starts_like_its_help(name):
    """They share the words up to the first comma."""
    summary = COMMANDS[name]
    first, _, _ = summary.removesuffix(".").partition(",")

    assert summary.endswith(".")
    assert len(summary) <= 60
    assert (command(name).short_help or command(name).help).startswith(first)


def modules_of(*arguments, exit_code=0):
    """Return the modules that mmsat has loaded when it ends."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from mmsat.cli import main\n"
        "main()\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert process.returncode == exit_code
    return set(process.stderr.split())


def test_help_imports_no_command():
    modules = modules_of("--help")
    assert "mmsat.cli.group" in modules
    assert "mmsat.cli.commands" not in modules


@pytest.mark.parametrize(
    ("arguments", "exit_code", "used", "unused"),
    [
        (
            ("check", "4x6/1122=1.1/3345=0.2"),
            10,
            {"mmsat.diagnosis"},
            {"fractions", "json", "mmsat.game.library", "mmsat.diagnosis.explanation"},
        ),
        (
            ("optimal", "2x3"),
            0,
            {"mmsat.strategy.optimal.search"},
            {"concurrent.futures", "hashlib", "random", "pathlib", "mmsat.diagnosis"},
        ),
    ],
)
def test_a_command_imports_no_slow_module_that_it_does_not_use(arguments, exit_code, used, unused):
    modules = modules_of(*arguments, exit_code=exit_code)
    assert used <= modules
    assert modules & unused == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_options_and_examples_and_fits_one_screen(name):
    """The examples come before the details."""
    result = run(name, "--help")

    assert result.exit_code == 0
    assert EXPECTED_OPTIONS[name] <= set(re.findall(r"--[a-z]+", result.stdout))
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
def test_examples_run_with_the_expected_exit_codes(name, tmp_path, monkeypatch):
    """They run one after the other in one folder.

    Only examples with other programs or redirections need a shell.
    """
    monkeypatch.chdir(tmp_path)
    if any(line.startswith("cadical") for line in examples(name)):
        external("cadical")
    for number, example in enumerate(examples(name), 1):
        last = number == len(examples(name))
        expected = LAST_EXIT_CODES.get(name, 0) if last else EARLIER_EXIT_CODES.get(example, 0)
        words = shlex.split(example)
        if name == "serve":  # it runs until Ctrl-C; the tests of the server start it
            command(name).make_context(name, words[2:], obj=monotonic())
            continue
        if words[0] == "mmsat" and not {"|", ">", "<"} & {*words}:
            result = run(*words[1:])
            assert result.exit_code == expected, result.stderr
            continue
        process = shell(example, tmp_path)
        assert process.returncode == expected, process.stderr


def test_the_help_of_the_group_lists_commands_and_exit_codes():
    result = run("--help")

    assert result.exit_code == 0
    assert all(f"  {name} " in result.stdout for name in COMMANDS)
    assert "..." not in result.stdout.partition("Check a board:")[2]
    for text in ("10 consistent", "20 inconsistent", "130 interrupted", "_MMSAT_COMPLETE"):
        assert text in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_help_lists_all_engines_methods_and_languages():
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
def test_the_command_help_and_the_option_print_the_same(name):
    assert run("help", name).stdout == run(name, "--help").stdout
    assert run("help").stdout == run("--help").stdout


def test_help_has_no_type_names_of_click_and_the_version_has_a_short_option():
    assert run("-V").stdout == run("--version").stdout
    for name in COMMANDS:
        output = run(name, "--help").stdout
        assert "RANGE" not in output
        assert "INTEGER" not in output


SHARED_HELP = {
    "--jobs": "Work on N processor cores",
    "--limit": "Print up to N ",
    "--count": "Make N ",
    "--strategy": "Name of a strategy; `mmsat strategies` lists them.",
    "--timeout": "Stop after N seconds",
    "--quiet": "Print only results and errors.",
}
"""Options of several commands, and how their help begins."""
SHORT_OPTIONS = {
    "--jobs": "-j",
    "--limit": "-n",
    "--quiet": "-q",
    "--output": "-o",
    "--verbose": "-v",
}
FORMER_OPTIONS = (
    "--cores",
    "--processes",
    "--others",
    "--most",
    "--method",
    "--save",
    "--draw",
    "--plot",
)


def options_by_name():
    """Yield the command, the name and the parameter of each option that the help shows."""
    for name in COMMANDS:
        for param in command(name).params:
            for option in param.opts:
                if option.startswith("--") and not param.hidden:
                    yield name, option, param


def test_an_option_of_the_same_name_has_the_same_help():
    num_options = 0
    for name, option, param in options_by_name():
        if option in SHARED_HELP:
            num_options += 1
            assert param.help.startswith(SHARED_HELP[option]), (name, option)
        if option in SHORT_OPTIONS:
            assert SHORT_OPTIONS[option] in param.opts, (name, option)
        assert option not in FORMER_OPTIONS
    assert num_options > 60


def test_every_command_can_be_quiet():
    quiet = {name for name, option, _ in options_by_name() if option == "--quiet"}
    assert quiet == set(COMMANDS) - {"help"}
