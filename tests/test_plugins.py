"""Plug-ins: the example package in examples/plugin, references, objects, faults, and the server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import combinations
from pathlib import Path

import pytest

import mmsat
from mmsat import testing
from mmsat._util import registry
from mmsat.encoding import Totalizer
from mmsat.errors import PluginError
from mmsat.game.board import Board
from mmsat.solving import Decision, SolverEngine, find_engine
from mmsat.solving.searches import Brute
from mmsat.strategy.strategies import STRATEGIES
from mmsat.web.worker import respond
from tests.support.cli_runner import run as run_here

EXAMPLE = Path(__file__).parents[1] / "examples" / "plugin"


def install(folder, project, code=None):
    """Install a package by writing its metadata, which needs no build backend and no network."""
    info = folder / f"{project['name'].replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, "utf-8")
    lines = []
    for group, names in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in names.items())]
    (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    for name, text in (code or {}).items():
        (folder / name).write_text(text, "utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder in which the example and some faulty packages are installed."""
    folder = tmp_path_factory.mktemp("plugins")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    install(folder, project)
    shutil.copytree(EXAMPLE / "mmsat_example", folder / "mmsat_example")
    points = {"broken": "broken_one:X", "wrong": "pathlib:Path", "twice": "broken_one:X"}
    points |= {"knuth": "broken_one:X", "other-name": "mmsat_example.strategies:LastConsistent"}
    points |= {"abstract": "abstract_one:Half"}
    code = {
        "broken_one.py": "raise SystemExit('no license')\n",
        "abstract_one.py": "import mmsat\nclass Half(mmsat.Strategy):\n    name = 'abstract'\n",
    }
    install(folder, {"name": "faulty", "entry-points": {"mmsat.strategies": points}}, code)
    again = {"mmsat.strategies": {"twice": "broken_one:X"}}
    install(folder, {"name": "second", "entry-points": again})
    return folder


@pytest.fixture
def installed(folder, monkeypatch):
    """Make the packages of the folder available in this process."""
    monkeypatch.syspath_prepend(folder)
    registry.entry_points.cache_clear()
    yield
    registry.entry_points.cache_clear()
    STRATEGIES._plugins.clear()


def run(folder, *arguments, **environment):
    """Run the command line with the packages of the folder."""
    done = subprocess.run(
        [sys.executable, "-m", "mmsat", *arguments],
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("suggest 4x6/1122=1.1 --strategy last-consistent", "Guess 6621"),
        ("suggest 4x6/1122=1.1 --strategy mmsat_example.strategies:LastConsistent", "Guess 6621"),
        ("analyze 3x4 --strategy last-consistent", "guesses   250"),
        ("match 3x4 --player auto --player last-consistent --seed 1", "last-consistent"),
        ("check warmer/1357=1.2", "Consistent"),
        ("check 4x9h/1357=4.0/1357=1.2", "Inconsistent"),
        ("check warmer/1357=1.2 --engine sat:glucose4:sequential", "Consistent"),
        ("count warmer/1357=4.0", "1"),
        ("suggest warmer/1357=1.2/2468=1.1", "Guess"),
        ("optimal 3x4h", "3x4h"),
        ("encode 3x4h/123=1.1 --to lp", "End"),
        ("games warmer", "mmsat-example"),
        ("strategies last-consistent", "mmsat-example"),
        ("check 3x3 --engine mmsat.solving.searches:Brute", "Consistent"),
        ("reductions mmsat.reductions.satisfiability:Satisfiability", "Satisfiability"),
        ("encode 3x3b/112=2 --encoding mmsat.encoding:Sequential", "p cnf"),
    ],
)
def test_commands_accept_plugins(folder, arguments, expected):
    done = run(folder, *arguments.split())
    assert done.returncode in (0, 10, 20), done.stderr
    assert expected in done.stdout


def test_catalogues_list_plugins_with_their_packages(folder):
    lists = {
        command: json.loads(run(folder, command, "--json").stdout).get("plugins", [])
        for command in ("strategies", "games", "encodings", "reductions")
    }
    names = {command: [entry["name"] for entry in found] for command, found in lists.items()}
    assert names == {
        "strategies": ["last-consistent"],
        "games": ["warmer", "hot-warm"],
        "encodings": [],
        "reductions": [],
    }
    assert {entry["package"] for found in lists.values() for entry in found} == {"mmsat-example"}
    done = run(folder, "strategies")
    assert "last-consistent  mmsat-example" in done.stdout
    assert "Warning: The strategy 'broken' of the package faulty" in done.stderr


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("broken", "'broken' of the package faulty cannot be used. SystemExit: no license"),
        ("wrong", "Expected a subclass of mmsat's Strategy, found Path."),
        ("twice", "faulty and second cannot be used. Several packages provide it"),
        ("other-name", "Its class has the name 'last-consistent'."),
        ("abstract", "Its class does not define choose."),
        ("nowhere:Class", "ModuleNotFoundError: No module named 'nowhere'"),
        ("mmsat_example.strategies:Absent", "AttributeError"),
        ("unheard-of", "No such strategy 'unheard-of'."),
        ("./own/mine.py:Class", "Write mine:CLASS, and put the folder of mine.py in PYTHONPATH."),
    ],
)
def test_faulty_plugins_are_one_error(folder, name, fault):
    done = run(folder, "suggest", "4x6", "--strategy", name)
    assert done.returncode == 2
    assert fault in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_built_in_names_take_precedence(folder):
    assert run(folder, "analyze", "2x3", "--strategy", "knuth").returncode == 0


@pytest.mark.parametrize("arguments", ["check warmer/1357=1.2", "check 4x9h", "games warmer"])
def test_plugins_can_be_switched_off(folder, arguments):
    assert run(folder, *arguments.split(), MMSAT_PLUGINS="off").returncode == 2
    assert run(folder, *arguments.split(), MMSAT_PLUGINS="other").returncode == 2
    assert run(folder, *arguments.split(), MMSAT_PLUGINS="warmer,hot-warm").returncode in (0, 10)


@pytest.mark.parametrize(
    "arguments",
    [
        "suggest 4x6 --strategy last-consistent",
        "suggest 4x6 --strategy mmsat_example.strategies:LastConsistent",
        "check 4x6 --engine mmsat_example.engines:Engine",
        "games warmer",
    ],
)
@pytest.mark.parametrize("value", ["off", "other"])
def test_errors_name_the_variable_that_forbids_a_plugin(folder, arguments, value):
    done = run(folder, *arguments.split(), MMSAT_PLUGINS=value)
    assert done.returncode == 2
    assert done.stderr.endswith(". MMSAT_PLUGINS does not allow this plug-in.\n")
    assert "MMSAT_PLUGINS" not in run(folder, "suggest", "4x6", "--strategy", "knut").stderr


def test_built_in_names_read_no_entry_points(folder):
    code = "import sys, mmsat; mmsat.suggest('3x4', strategy='knuth'); mmsat.check('3x4')\n"
    code += "from mmsat._util.registry import entry_points as e; sys.exit(e.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, check=False)
    assert done.returncode == 0


class First(mmsat.Strategy):
    """Guess the first remaining code."""

    name = "first"

    def choose(self, state):
        return state.code(0)


class Slow(Brute):
    """Decide by brute force."""

    name = "slow"


class Own(Totalizer):
    """Count like a totalizer."""

    name = "own"


class Refuter(SolverEngine):
    """Find no code."""

    name = "refuter"

    def solve(self, *_):
        return None


class Guesser(SolverEngine):
    """Find the same code for every board."""

    name = "guesser"

    def solve(self, board, *_):
        return (0,) * board.game.pegs


class Mumbler(SolverEngine):
    """Return something that is not a code."""

    name = "mumbler"

    def solve(self, *_):
        return "a code"


class Direct(Brute):
    """Return a wrong decision without the check of SolverEngine."""

    name = "direct"

    def search(self, board, *_):
        return Decision(mmsat.Status.CONSISTENT, (0,) * board.game.pegs, self.spec)


class Crasher(SolverEngine):
    """Fail."""

    name = "crasher"

    def solve(self, *_):
        raise ZeroDivisionError("no codes")


class Loose(Totalizer):
    """Count wrongly: the outputs are free."""

    name = "loose"

    def count(self, _, bound, formula):
        return [formula.new() for _ in range(bound)]


class Short(Totalizer):
    """Omit the last output if there are several."""

    name = "short"

    def count(self, literals, bound, formula):
        outputs = super().count(literals, bound, formula)
        return outputs[:-1] if len(outputs) > 1 else outputs


class Unknown(Totalizer):
    """Return literals that are not in the formula."""

    name = "unknown"

    def count(self, literals, bound, formula):
        return [output + 10**6 for output in super().count(literals, bound, formula)]


class Silent(Totalizer):
    """Return None."""

    name = "silent"

    def count(self, *_):
        return None


class OneDirection(Totalizer):
    """Define the outputs in one direction only."""

    name = "one-direction"

    def count(self, literals, bound, formula):
        outputs = [formula.new() for _ in range(bound)]
        for t, output in enumerate(outputs, 1):
            for subset in combinations(literals, t):
                formula.add(output, *(-literal for literal in subset))
        return outputs


def test_the_no_of_an_engine_is_called_unchecked_until_a_conflict_is_found():
    """Without a search for reasons, nothing contradicts a wrong "inconsistent"."""
    refuter = ("--engine", f"{__name__}:Refuter")
    note = "This answer of the engine is unchecked."
    result = run_here("check", "4x6/1122=1.1", *refuter, "--reason", "0")
    assert (result.exit_code, note in result.stderr) == (20, True)
    for option in ("--json", "--quiet"):
        assert note in run_here("check", "4x6/1122=1.1", *refuter, "--reason", "0", option).stderr
    several = run_here("check", "4x6/1122=1.1", "4x6/1122=3.1", *refuter)
    assert several.stdout.count("inconsistent (unchecked)") == 2
    documents = run_here("check", "4x6/1122=1.1", "4x6/1122=3.1", *refuter, "--json")
    assert documents.stderr.count("inconsistent (unchecked)") == 2
    lines = [json.loads(line) for line in documents.stdout.splitlines()]
    assert [line["unchecked"] for line in lines] == [True, True]
    assert mmsat.check("4x6/1122=1.1", engine=Refuter, reason=0).is_unchecked
    (verdict,) = mmsat.check_many(["4x6/1122=1.1"], engine=Refuter)
    assert verdict.is_unchecked
    assert not mmsat.check("4x6/1122=3.1", engine=Refuter).is_unchecked
    for engine in ("brute", "auto"):
        built_in_verdict = mmsat.check("4x6/1122=3.1", engine=engine, reason=0)
        assert "unchecked" not in built_in_verdict.to_dict()
    confirmed = run_here("check", "4x6/1122=3.1", *refuter)
    assert "in conflict" in confirmed.stdout
    assert note not in confirmed.stderr
    built_in = run_here("check", "4x6/1122=3.1", "--engine", "brute", "--reason", "0")
    assert note not in built_in.stderr


CONSISTENT_BOARDS = [
    "5x7/11234=1.2/25671=1.1/73715=0.2",
    "3x4d/123=1.2",
    "3x4p/112=G-Y",
]


@pytest.mark.parametrize("board", CONSISTENT_BOARDS)
@pytest.mark.parametrize("engine", [Refuter, Guesser, Mumbler, Direct])
def test_a_wrong_engine_is_named(engine, board):
    reference = re.escape(f"The engine {__name__}:{engine.__name__} is wrong: ")
    for call in (mmsat.check, mmsat.explain):
        with pytest.raises(PluginError, match=reference):
            call(board, engine=engine)
    with pytest.raises(AssertionError, match=r"^\dx\d"):
        testing.check_engine(engine)


def test_a_wrong_encoding_is_named():
    with pytest.raises(PluginError, match=f"The encoding {__name__}:Loose is wrong: "):
        mmsat.check("5x7/11234=1.2/25671=1.1/73715=0.2", engine=f"sat:glucose4:{__name__}:Loose")


@pytest.mark.parametrize("encoding", [Short, Unknown, Silent])
@pytest.mark.parametrize("board", [CONSISTENT_BOARDS[0], "10x6/1122334455=3.2"])
def test_outputs_of_an_encoding_are_checked(encoding, board):
    name = f"{__name__}:{encoding.__name__}"
    expected = rf"The encoding {re.escape(name)} is wrong: count of \d+ literals? up to"
    for call in (
        lambda: mmsat.check(board, engine=f"sat:glucose4:{name}"),
        lambda: mmsat.encode(board, encoding=encoding),
        lambda: mmsat.encode(board, "wcnf", encoding=name),
    ):
        with pytest.raises(PluginError, match=expected):
            call()
    with pytest.raises(AssertionError, match=expected):
        testing.check_encoding(encoding)


@pytest.mark.parametrize("encoding", [Short, Unknown, Silent, Loose, OneDirection])
def test_encode_writes_no_file_with_a_wrong_encoding(encoding, tmp_path):
    file = tmp_path / "board.cnf"
    name = f"{__name__}:{encoding.__name__}"
    arguments = f"encode 2x3/12=1.0 --encoding {name} -o {file}"
    done = run(Path(__file__).parents[1], *arguments.split())
    assert done.returncode == 2
    assert f"The encoding {name} is wrong: count of " in done.stderr
    assert done.stderr.count("is wrong") == 1
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--engine {}:Refuter", "The engine {}:Refuter is wrong: "),
        ("--engine {}:Guesser", "The engine {}:Guesser is wrong: "),
        ("--engine {}:Crasher", "no codes\nThe cause may be the plug-in {}:Crasher. Test it"),
        ("--engine {}:Slow --proof b.proof", "cannot be combined with the engine {}:Slow. A proof"),
        ("--engine sat:glucose4:{}:Own --proof b.proof", "with the encoding {}:Own. A proof"),
    ],
)
def test_commands_blame_the_plugin(arguments, message):
    folder = Path(__file__).parents[1]
    command = f"check 5x7/11234=1.2/25671=1.1/73715=0.2 {arguments}".format(__name__)
    done = run(folder, *command.split())
    assert done.returncode in (1, 2)
    assert message.format(__name__, __name__) in done.stderr
    assert "mmsat contradicts itself" not in done.stderr


def test_calls_accept_objects_and_classes():
    board = "4x6/1122=1.1"
    for strategy in (First, First(), f"{__name__}:First"):
        assert mmsat.suggest(board, strategy=strategy).guess == (0, 1, 2, 2)
        assert mmsat.analyze("3x4", strategy).total > 0
    with pytest.raises(mmsat.InputError, match="own options"):
        mmsat.suggest(board, strategy=First(), consistent_only=True)
    for engine in (Slow, Slow(), f"{__name__}:Slow"):
        assert mmsat.check(board, engine=engine).is_consistent
        assert find_engine(engine).name == "slow"
    expected = mmsat.encode(board, encoding="totalizer").splitlines()
    for encoding in (Own, Own(), f"{__name__}:Own"):
        lines = mmsat.encode(board, encoding=encoding).splitlines()
        assert lines[-1] == expected[-1]
        assert len(lines) == len(expected)
    assert mmsat.check(board, engine=f"sat:glucose4:{__name__}:Own").is_consistent
    for wrong in (3, int, Own):
        with pytest.raises(mmsat.InputError, match="expected the name of a strategy, or a Strat"):
            mmsat.suggest(board, strategy=wrong)
    with pytest.raises(mmsat.InputError, match="encoding"):
        mmsat.prove(board, encoding=Own())


@pytest.mark.usefixtures("installed")
def test_the_example_obeys_the_laws():
    testing.check_strategy("last-consistent")
    testing.check_scoring("hot-warm")
    testing.check_game("warmer")
    assert "warmer" in mmsat.games()
    with pytest.raises(mmsat.InputError, match=r"No such game|PEGSxCOLORS"):
        Board.parse("mmsat_example.games:GAME/1357=1.2", files=False)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("allowed", [(), ("warmer", "hot-warm")])
def test_the_server_accepts_only_the_allowed_plugins(monkeypatch, allowed):
    monkeypatch.setenv(registry.PLUGINS_VARIABLE, "")
    registry.allow_only(allowed)
    answers = {}
    question = {"question": "check", "given": {"board": "warmer/1357=1.2"}, "seconds": 10.0}
    respond(question, answers.__setitem__)
    assert ("answer" in answers) == bool(allowed)
    with pytest.raises(mmsat.InputError, match="No package provides the plug-in 'absent'"):
        registry.require_plugins(("absent", "warmer"))
