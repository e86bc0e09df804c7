"""Properties of all encodings in the registry and in the catalogue."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from pysat.formula import CNF, CNFPlus

from mmsat import encoding
from mmsat.constraints import System
from mmsat.encoding import ENCODINGS, Encoding, Formula, exactly_one
from mmsat.encoding.cnf import cnf, count_size, entries, load
from mmsat.game.board import Board
from mmsat.solving.encode import WRITERS
from tests.support import twins
from tests.support.formula_models import models
from tests.support.strategies import boards, small_games

CATALOGUE = Path(__file__).parents[2] / "encodings"
REGISTERED_NAMES = sorted(ENCODINGS)
CATALOGUE_NAMES = [entry.name for entry in entries()]
GOLDEN = Board.parse("6x2b/111111=3")
ONE_PEG = Board.parse("1x7")


def test_the_catalogue_has_all_registered_encodings_and_one_hot():
    assert [entry.name for entry in entries() if entry.kind == "count"] == REGISTERED_NAMES
    assert [entry.name for entry in entries() if entry.kind == "code"] == ["one-hot"]


def test_every_folder_except_models_is_an_entry():
    folders = {path.name for path in CATALOGUE.iterdir() if path.is_dir()}

    assert folders == {*CATALOGUE_NAMES, "models"}


def test_no_python_file_is_directly_in_the_catalogue():
    assert [path.name for path in CATALOGUE.iterdir() if path.suffix.startswith(".py")] == []


def test_every_encoding_of_the_package_is_registered():
    names = [path.stem for path in Path(encoding.__file__).parent.glob("[a-z]*.py")]
    kinds = {
        kind
        for module in (encoding, *(import_module(f"mmsat.encoding.{name}") for name in names))
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Encoding) and "name" in vars(kind)
    }
    assert {kind.name: kind for kind in kinds} == {n: type(entry) for n, entry in ENCODINGS.items()}
    assert {kind.name for kind in kinds} == set(REGISTERED_NAMES)


@pytest.mark.parametrize("name", CATALOGUE_NAMES)
def test_an_entry_has_the_fields_of_the_catalogue(name):
    entry = load(name)

    assert {"variables", "clauses"} <= entry.size.keys()
    assert ("at_most" in entry.size) == (entry.kind == "count")
    assert entry.propagation in {"complete", "claims", "partial"}
    assert entry.source
    assert entry.year == "folklore" or re.fullmatch(r"[12]\d{3}", entry.year)
    assert entry.readme.startswith(f"# {entry.title}\n")
    for part in ("**Variables**", "lauses**", "**Propagation**", "## Example", "golden.cnf"):
        assert part in entry.readme, part


@pytest.mark.parametrize("name", CATALOGUE_NAMES)
def test_the_index_has_the_summary_of_every_entry(name):
    entry = load(name)
    index = (CATALOGUE / "README.md").read_text("utf-8")

    assert f"| [{name}]({name}) | {entry.summary} | {entry.propagation} |\n" in index


@pytest.mark.parametrize("name", REGISTERED_NAMES)
def test_the_table_of_sizes_in_a_readme_is_right(name):
    rows = re.findall(r"^\|((?: \d+ \|)+)$", load(name).readme, re.MULTILINE)

    assert len(rows) >= 5
    for row in rows:
        n, bound, *size = (int(cell) for cell in row.split("|") if cell.strip())
        assert tuple(count_size(name, n, bound))[: len(size)] == tuple(size)


def test_the_table_of_sizes_in_the_index_is_right():
    index = (CATALOGUE / "README.md").read_text("utf-8")
    table = index[index.index("| n, b |") :].split("\n\n")[0].splitlines()
    names = [cell.strip() for cell in table[0].split("|")[2:-1]]
    cell_count = 0
    for row in table[2:]:
        parameters, *cells = (cell.strip() for cell in row.split("|")[1:-1])
        n, bound = map(int, parameters.split(", "))
        for name, cell in zip(names, cells, strict=True):
            size = count_size(name, n, bound)
            if cell == "refused":
                assert name == "direct"
                assert size.clauses > 2_000_000
            else:
                assert cell == f"{size.variables} / {size.clauses}"
            cell_count += 1

    assert names == [name for name in REGISTERED_NAMES if not ENCODINGS[name].is_native]
    assert cell_count >= 30


def examples(name: str) -> list[str]:
    """Return the worked examples of a README."""
    return re.findall(r"```clauses\n(.*?)\n```", load(name).readme, re.DOTALL)


def lines(formula: Formula) -> str:
    """Return clauses and cardinality constraints as the READMEs print them."""
    clauses = [" ".join(map(str, clause)) for clause in formula.clauses]
    native = [f"{' '.join(map(str, literals))} <= {bound}" for literals, bound in formula.at_most]
    return "\n".join([*clauses, *native])


@pytest.mark.parametrize("name", REGISTERED_NAMES)
def test_the_example_of_a_readme_is_reproducible(name):
    formula = Formula(4, 4)
    one, two = ENCODINGS[name].count([1, 2, 3, 4], 2, formula)

    assert examples(name) == [lines(formula)]
    assert f"outputs {one} and {two}," in load(name).readme


def test_the_examples_of_one_hot_are_reproducible():
    generated = []
    for n in (3, 7):
        formula = Formula(n, n)
        exactly_one(range(1, n + 1), formula)
        generated.append(lines(formula))

    assert examples("one-hot") == generated


def golden_text(name: str) -> str:
    """Generate the text of the golden formula of an entry."""
    if name == "one-hot":
        return "".join(WRITERS["cnf"].write(ONE_PEG))
    if not ENCODINGS[name].is_native:
        return "".join(WRITERS["cnf"].write(GOLDEN, name))
    formula = cnf(System.of(GOLDEN), name)
    head = f"p cnf+ {formula.variables} {len(formula.clauses) + len(formula.at_most)}\n"
    clauses = [f"{' '.join(map(str, clause))} 0\n" for clause in formula.clauses]
    native = [f"{' '.join(map(str, literals))} <= {bound}\n" for literals, bound in formula.at_most]
    return "".join([head, *clauses, *native])


@pytest.mark.parametrize("name", CATALOGUE_NAMES)
def test_the_golden_formula_is_reproducible(name):
    assert (CATALOGUE / name / "golden.cnf").read_bytes() == golden_text(name).encode()


@pytest.mark.parametrize("name", CATALOGUE_NAMES)
def test_the_golden_formula_has_one_model_per_code(name):
    text = (CATALOGUE / name / "golden.cnf").read_text("utf-8")
    parsed = (CNFPlus if "p cnf+" in text else CNF)(from_string=text)
    formula = Formula(
        parsed.nv, 0, parsed.clauses, [tuple(entry) for entry in getattr(parsed, "atmosts", [])]
    )
    board = ONE_PEG if name == "one-hot" else GOLDEN

    assert len(models(formula)) == len(twins.consistent(board))


@given(boards(small_games(), max_rows=3))
def test_each_consistent_code_has_one_model(board):
    variables = board.game.variables
    codes = [
        frozenset(variables.at(*entry) for entry in enumerate(code))
        for code in twins.consistent(board)
    ]
    for name in REGISTERED_NAMES:
        result = models(cnf(System.of(board), name))
        code_variables = set(range(1, board.game.pegs * board.game.colors + 1))
        assert sorted(map(sorted, codes)) == sorted(
            sorted(model & code_variables) for model in result
        )


@given(boards(small_games(3, 3), max_rows=3))
def test_disabled_rows_do_not_constrain(board):
    system = System.of(board)
    for name in REGISTERED_NAMES:
        formula = cnf(system, name, with_selectors=True)
        for row_mask in range(2 ** len(board.rows)):
            rows = [row for row in range(len(board.rows)) if row_mask >> row & 1]
            assumptions = [
                selector if row in rows else -selector
                for row, selector in enumerate(formula.selectors)
            ]
            assert len(models(formula, assumptions)) == len(twins.consistent(board.only(rows)))
