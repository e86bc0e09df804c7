"""The contents of `import mmsat`, and the modules it does not load."""

from __future__ import annotations

import functools
import inspect
import json
import re
import subprocess
import sys
import typing
from importlib import import_module
from pathlib import Path

import jedi
import pytest
from mypy import api

import mmsat
from mmsat.cli.group import COMMANDS
from mmsat.solving.encode import ALIASES, WRITERS, TextFormat

HEAVY = ("pysat", "ortools", "pyganak", "pandas", "numpy", "matplotlib", "rich", "click")


def loaded(code):
    """The top-level modules that a fresh interpreter has loaded after some code."""
    show = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{show}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import mmsat",
        "import mmsat; print(mmsat.Board.parse('4x6/1122=1.1').is_consistent((0, 2, 2, 1)))",
        "import mmsat.game.library; mmsat.game.library.find('classic/rafler-1').board",
    ],
)
def test_reading_boards_loads_no_solver_and_nothing_heavy(code):
    modules = loaded(code)
    assert "mmsat" in modules
    assert not modules & set(HEAVY)


def test_the_probe_would_see_a_heavy_module():
    assert "click" in loaded("import mmsat, click")


PUBLIC = """
Analysis Board BoardOutlook CardinalityConstraint Chain Change CodeKind Codes Combination CommonFact
Conflict Conventions Correction Count CountEstimate DiedError Difficulty DiscriminatingGuess Evader
Explanation Fault Gadgets Game GameValue GameWarning Generated HiddenKind InconsistentError
InputError InternalError LibraryError LiteralsFact Machine Mark MatchResult Miss MissingError
MmsatError Move Node Odds Optimum PlayedRound PlayedTree Player Proof Prospect Puzzle Ranking
Reduction Refutation Reply Review Round Row ScoreFact Scoring SeveralBoards SeveralMatch
SeveralSuggestion SizeError SizeFormulas Sizes Space State StaticSet Status Step StepLine Steps
Strategy StrategyProof StrategyTree Suggestion Summary Suspicion Symbols TimeLimitError Tolerance
Trial ValueProof VariableMap Verdict Verification Way Weights WordListWarning analyze audit chain
check check_arrays check_many codes count count_arrays decode encode estimate explain game_value
games generate generate_log generate_many match match_many minimal_puzzle optimal play_round prove
prove_codes prove_count prove_explanation prove_optimum prove_value puzzle reduce review score
static steps suggest suggest_many suspect verify
"""
"""What people may rely on. A name that comes or goes is a decision, to be made here as well."""


def test_what_is_public_is_what_was_decided():
    assert mmsat.__all__ == sorted(PUBLIC.split())
    assert set(mmsat.__all__) <= set(dir(mmsat))


def test_the_stub_reexports_each_public_name():
    """A type checker ignores a name of a stub that is imported without `as`."""
    stub = Path(mmsat.__file__).with_suffix(".pyi").read_text("utf-8")
    lines = re.findall(r"^from (\S+) import (\w+) as (\w+)$", stub, re.MULTILINE)
    assert sorted(name for _, name, _ in lines) == mmsat.__all__
    for module, name, exported in lines:
        assert name == exported
        assert getattr(import_module(module, "mmsat"), name) is getattr(mmsat, name)


@functools.cache
def editor():
    """How an editor sees the package: its files, but not the import hook of this checkout."""
    python = jedi.create_environment(sys._base_executable, safe=False)
    project = jedi.Project(Path(mmsat.__file__).parent.parent)
    return functools.partial(jedi.Script, project=project, environment=python)


@pytest.mark.parametrize(
    ("code", "line", "column"), [("import mmsat\nmmsat.", 2, 6), ("from mmsat import ", 1, 18)]
)
def test_editors_complete_the_public_names(code, line, column):
    """Without running the code, as Jupyter, Spyder and language servers do."""
    assert {*mmsat.__all__} <= {result.name for result in editor()(code).complete(line, column)}


def test_editors_know_public_calls_and_their_results():
    (called,) = editor()("import mmsat\nmmsat.check").goto(2, 8, follow_imports=True)
    assert called.full_name == "mmsat.diagnosis.check.check"
    fields = editor()("import mmsat\nmmsat.check('4x6').").complete(2, 19)
    assert {"witness", "conflict", "is_consistent"} <= {field.name for field in fields}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"^module 'mmsat' has no attribute 'chek'$"):
        mmsat.chek  # noqa: B018


def test_each_command_is_a_public_name_or_its_error_says_what_to_use():
    unknown = {*COMMANDS} - {*mmsat.__all__, "help"}
    assert unknown <= {*mmsat._REPLACEMENTS}
    for name in mmsat._REPLACEMENTS:
        with pytest.raises(AttributeError, match=rf"^module 'mmsat' has no .*{name}'; use ") as got:
            mmsat.__getattr__(name)
        public_names = re.findall(r"mmsat\.(\w+)", str(got.value))
        commands = re.findall(r"`mmsat (\w+)`", str(got.value))
        assert {*public_names} <= {*mmsat.__all__, "testing"}
        assert {*commands} <= {*COMMANDS}
        assert public_names or commands
        assert not hasattr(mmsat, name) or inspect.ismodule(getattr(mmsat, name))
        assert name not in mmsat.__all__


@pytest.mark.parametrize("name", mmsat.__all__)
def test_a_public_name_is_documented_and_typed(name):
    thing = getattr(mmsat, name)
    assert thing.__doc__
    if inspect.isfunction(thing):
        for parameter in inspect.signature(thing).parameters:
            assert re.search(rf"\b{parameter}\b", thing.__doc__), parameter
    for member in [thing, *members(thing)]:
        typing.get_type_hints(member)  # no name is missing at run time


@pytest.mark.parametrize("name", mmsat.__all__)
def test_the_types_of_fields_and_results_are_public(name):
    """They can be imported to annotate code; the keys of dictionaries have schemas instead."""
    thing = getattr(mmsat, name)
    hints = typing.get_type_hints(thing)
    shown = [hints["return"]] if inspect.isfunction(thing) else [*hints.values()]
    shown += [typing.get_type_hints(member)["return"] for member in members(thing)]
    for kind in own_types(shown):
        assert getattr(mmsat, kind.__name__, None) is kind


def members(thing):
    """The functions behind the public methods and properties that a class defines itself."""
    if not inspect.isclass(thing):
        return
    for name, value in vars(thing).items():
        if isinstance(value, property):
            result = value.fget
        else:
            result = getattr(value, "func", getattr(value, "__func__", value))
        if inspect.isfunction(result) and not name.startswith("_"):
            yield result


def own_types(hints):
    """Return the classes of mmsat in some types, without those that all objects share."""
    for hint in hints:
        if typing.get_origin(hint) is typing.ClassVar:
            continue
        is_own = inspect.isclass(hint) and hint.__module__.startswith("mmsat")
        if is_own and not typing.is_typeddict(hint):
            yield hint
        yield from own_types(typing.get_args(hint))


SCRIPT = f"""
import mmsat; from mmsat import {", ".join(mmsat.__all__)}
mmsat.chek('foo', 3)
board = mmsat.Board("4x6", [("1122", "1.1"), ([0, 0, 1, 1], (1, None))], known=["1233"])
mmsat.Board(mmsat.Game.of("4x6")).with_row("1122", (1, 1))
points: tuple[int, ...] = board.game.score("1122", [0, 1, 2, 3])
code_list = mmsat.codes(board)
found: bool = "1233" in code_list and [0, 1, 2, 2] in code_list and board.is_consistent("1233")
number: int = code_list.index("1233") + code_list[3:].index((0, 0, 1, 1)) + code_list.count
mmsat.suggest(board, own=["1122", (0, 0, 1, 2)], opening=["1122"])
mmsat.reduce("sat", "p cnf 1 1\\n1 0\\n").decode("12")
error: mmsat.MmsatError = mmsat.TimeLimitError("the work", 3)
lines: list[str] = mmsat.encode(board).splitlines() + mmsat.encode(board, "opb").splitlines()
mmsat.encode(board, "smt2").chek()
mmsat.encode(board, "pysat").nv
"""


@pytest.mark.long
def test_a_misspelled_name_fails_under_a_type_checker(tmp_path):
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    settings = ["--no-incremental", "--follow-imports=silent", "--config-file=", str(file)]
    output, trouble, _ = api.run(settings)
    assert not trouble
    assert re.findall(r"script.py:(\d+): error: (.*)", output) == [
        ("3", 'Module has no attribute "chek"; maybe "check"?  [attr-defined]'),
        ("14", '"str" has no attribute "chek"  [attr-defined]'),
    ]


@pytest.mark.long
def test_a_misspelled_name_fails_under_pyright(tmp_path):
    """Pyright is the type checker of editors with Pylance or basedpyright."""
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    python = Path(sys.executable)
    command = [python.with_name("basedpyright"), "--pythonpath", python, "--outputjson", file]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    errors = [
        (found["range"]["start"]["line"] + 1, found["message"])
        for found in json.loads(output)["generalDiagnostics"]
        if found["severity"] == "error"
    ]
    assert errors == [
        (3, '"chek" is not a known attribute of module "mmsat"'),
        (14, 'Cannot access attribute "chek" for class "str"\n\xa0\xa0Attribute "chek" is unknown'),
    ]


def test_the_types_of_encode_name_every_text_format():
    assert {*typing.get_args(TextFormat)} == {*WRITERS, *ALIASES}


OBJECTS = {"strategy": "a Strategy", "engine": "an Engine"}
"""Arguments that may be objects instead of names."""


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (call, argument)
        for call in mmsat.__all__
        if inspect.isfunction(getattr(mmsat, call))
        for argument in OBJECTS.keys() & inspect.signature(getattr(mmsat, call)).parameters.keys()
    ],
)
def test_the_first_call_of_a_process_accepts_objects(call, argument):
    """Rules of arguments are added by modules, which the call itself must have loaded."""
    code = f"import mmsat; mmsat.{call}('4x6', {argument}=5)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert f", or {OBJECTS[argument]}, found 5" in result.stderr


def test_python_suggests_public_names():
    command = [sys.executable, "-c", "import mmsat; mmsat.chek"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "module 'mmsat' has no attribute 'chek'. Did you mean: 'check'?" in done.stderr
