"""The entry for CSPLib and the dataset for CPMpy: every model is run, every table line checked."""

from __future__ import annotations

import ast
import json
import re
import runpy
import shlex
import subprocess
from pathlib import Path

import pytest
from cpmpy.tools.io.opb import load_opb

import mmsat
from mmsat.solving.encode import read_solution
from tests.support.cli_runner import run
from tests.support.external import program as external

EXAMPLES = Path(__file__).parents[1] / "examples"
ENTRY = EXAMPLES / "csplib"
SPECIFICATION = (ENTRY / "specification.md").read_text("utf-8")
TABLE = re.findall(
    r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (.+?) \| (.+) \|$", SPECIFICATION, re.MULTILINE
)
QUICK = ("classic", "random8", "slipped12")
"""Instances that every solver decides in a second."""


def board_of(name):
    """Return the board of an instance, from the command or the example in the specification."""
    (command,) = (line[-1] for line in TABLE if line[0] == name)
    if command == "the example above":
        return mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    words = shlex.split(command.strip("`"))
    return mmsat.Board.parse(run(*words[1:], "--to", "line").stdout)


def data_of(name):
    return json.loads((ENTRY / "data" / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    "name",
    [pytest.param(line[0], marks=[pytest.mark.slow] * (line[0] == "six24")) for line in TABLE],
)
def test_data_and_table_are_those_of_the_board(name):
    (line,) = (line for line in TABLE if line[0] == name)
    board, data = board_of(name), data_of(name)
    assert data == {
        "pegs": board.game.pegs,
        "colors": board.game.colors,
        "guesses": [[color + 1 for color in row.guess] for row in board.rows],
        "blacks": [row.score[0] for row in board.rows],
        "whites": [row.score[1] for row in board.rows],
    }
    assert [int(text) for text in line[1:4]] == [data["pegs"], data["colors"], len(board.rows)]
    assert mmsat.count(board).count == int(line[4])
    text = (ENTRY / "data" / f"{name}.dzn").read_text("utf-8")
    values = dict(re.findall(r"^(\w+) = (.*);$", text, re.MULTILINE))
    numbers = [int(number) for number in re.findall(r"\d+", values["guesses"])]
    assert numbers == [color for guess in data["guesses"] for color in guess]
    assert values["guesses"].count("|") == len(board.rows) + 1
    for key in ("pegs", "colors", "blacks", "whites"):
        assert json.loads(values[key]) == data[key]


def test_every_file_of_data_is_in_the_table():
    stems = sorted(line[0] for line in TABLE)
    for ending in ("json", "dzn"):
        assert sorted(file.stem for file in (ENTRY / "data").glob(f"*.{ending}")) == stems


@pytest.mark.parametrize("name", QUICK)
def test_the_minizinc_model_finds_a_code_if_there_is_one(name):
    files = (ENTRY / "models" / "mastermind.mzn", ENTRY / "data" / f"{name}.dzn")
    command = [external("minizinc"), "--solver", "gecode", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    board = board_of(name)
    code = read_solution(done.stdout, board.game).code
    assert (code is not None) == (mmsat.count(board).count > 0)
    assert code is None or board.is_consistent(code)


@pytest.mark.parametrize("name", [*QUICK, "two24"])
def test_the_cpmpy_model_finds_a_code_if_there_is_one(name):
    module = runpy.run_path(str(ENTRY / "models" / "mastermind_cpmpy.py"))
    model, code = module["mastermind"](**data_of(name))
    board = board_of(name)
    assert model.solve() == (mmsat.count(board).count > 0)
    if name != "slipped12":
        assert board.is_consistent([int(color) - 1 for color in code.value()])


def test_the_pycsp3_model_reads_the_keys_of_the_data_in_their_order():
    """PyCSP3 assigns the keys by position. It has no solver in this environment."""
    tree = ast.parse((ENTRY / "models" / "Mastermind.py").read_text("utf-8"))
    (names,) = (
        [name.id for name in node.targets[0].elts]
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
    )
    for name in QUICK:
        assert [*data_of(name)] == names
    calls = [
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        if "id" in vars(node.func)
    ]
    assert {"VarArray", "satisfy", "Count", "Sum"} <= {*calls}


def test_the_folder_has_the_form_of_an_entry():
    head = SPECIFICATION.split("---")[1]
    assert re.search(r"^Title: +\S", head, re.MULTILINE)
    assert re.search(r"^Proposer: +\S", head, re.MULTILINE)
    references = (ENTRY / "references" / "references.bib").read_text("utf-8")
    keys = re.findall(r"^@\w+\{(\w+),", references, re.MULTILINE)
    assert {*re.findall(r"cite\{(\w+)\}", SPECIFICATION)} == {*keys}
    models = {file.name for file in (ENTRY / "models").iterdir()}
    kinds = {
        "mastermind.mzn": "MiniZinc",
        "Mastermind.py": "PyCSP3",
        "mastermind_cpmpy.py": "CPMpy",
    }
    assert models == {*kinds, *(f"{name}.metadata" for name in kinds)}
    for name, kind in kinds.items():
        metadata = (ENTRY / "models" / f"{name}.metadata").read_text("utf-8")
        assert metadata == f"---\nType: {kind}\n---\n"


@pytest.mark.filterwarnings("ignore:Loading a model whilst:UserWarning")
@pytest.mark.parametrize(("competition", "ending"), [("pb", ".opb"), ("sat", ".cnf")])
def test_the_dataset_makes_a_suite_and_describes_its_instances(competition, ending, tmp_path):
    dataset_class = runpy.run_path(str(EXAMPLES / "mastermind_dataset.py"))["MastermindDataset"]
    options = {"competition": competition, "scale": 20}
    with pytest.raises(ValueError, match="download"):
        dataset_class(str(tmp_path), **options)
    dataset = dataset_class(str(tmp_path), **options, count=4, download=True)
    assert len(dataset) == 4
    for file, info in dataset_class(str(tmp_path), **options):
        board = mmsat.Board.parse(info["board"])
        assert file.endswith(ending)
        assert info["categories"] == {"competition": competition, "seed": 0, "scale": 20}
        assert info["verdict"] == mmsat.check(board).status
        if competition == "pb":
            assert load_opb(file).solve() == (info["verdict"] == "consistent")
