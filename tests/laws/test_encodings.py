"""Properties of all encodings in the registry and in its catalogue."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from pysat.formula import CNF, CNFPlus

from mmsat.constraints.system import System
from mmsat.encoding import encodings
from mmsat.encoding.catalogue import count_size, entries, load
from mmsat.encoding.cnf import cnf
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import Formula, exactly_one
from mmsat.encoding.languages import WRITERS
from mmsat.game.board import Board
from tests.support import twins
from tests.support.formula_models import models
from tests.support.strategies import boards, small_games

CATALOGUE = Path(__file__).parents[2] / "encodings"
NAMES = sorted(ENCODINGS)
EVERY = [entry.name for entry in entries()]
GOLDEN = Board.parse("6x2b/111111=3")
ONE_PEG = Board.parse("1x7")


def test_the_catalogue_has_the_registry_and_one_hot():
    assert [entry.name for entry in entries() if entry.kind == "count"] == NAMES
    assert [entry.name for entry in entries() if entry.kind == "code"] == ["one-hot"]


def test_every_folder_is_an_entry_but_the_models_of_others():
    folders = {place.name for place in CATALOGUE.iterdir() if place.is_dir()}

    assert folders == {*EVERY, "models"}


def test_no_python_file_lies_directly_in_the_catalogue():
    assert [place.name for place in CATALOGUE.iterdir() if place.suffix.startswith(".py")] == []


def test_every_encoding_of_the_package_is_registered():
    modules = [path.stem for path in Path(encodings.__file__).parent.glob("[a-z]*.py")]
    kinds = {
        kind
        for name in modules
        for kind in vars(import_module(f"mmsat.encoding.{name}")).values()
        if isinstance(kind, type) and issubclass(kind, encodings.Encoding) and "name" in vars(kind)
    }
    assert {kind.name: kind for kind in kinds} == {n: type(entry) for n, entry in ENCODINGS.items()}
    assert {kind.name for kind in kinds} == set(NAMES)


@pytest.mark.parametrize("name", EVERY)
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


@pytest.mark.parametrize("name", EVERY)
def test_the_index_lists_every_entry_in_its_own_words(name):
    entry = load(name)
    index = (CATALOGUE / "README.md").read_text("utf-8")

    assert f"| [{name}]({name}) | {entry.summary} | {entry.propagation} |\n" in index


@pytest.mark.parametrize("name", NAMES)
def test_the_table_of_a_readme_is_true(name):
    rows = re.findall(r"^\|((?: \d+ \|)+)$", load(name).readme, re.MULTILINE)

    assert len(rows) >= 5
    for row in rows:
        n, bound, *size = (int(cell) for cell in row.split("|") if cell.strip())
        assert tuple(count_size(name, n, bound))[: len(size)] == tuple(size)


def test_the_table_of_the_index_is_true():
    index = (CATALOGUE / "README.md").read_text("utf-8")
    table = index[index.index("| n, b |") :].split("\n\n")[0].splitlines()
    names = [cell.strip() for cell in table[0].split("|")[2:-1]]
    checked = 0
    for row in table[2:]:
        where, *cells = (cell.strip() for cell in row.split("|")[1:-1])
        n, bound = map(int, where.split(", "))
        for name, cell in zip(names, cells, strict=True):
            size = count_size(name, n, bound)
            if cell == "refused":
                assert name == "direct"
                assert size.clauses > 2_000_000
            else:
                assert cell == f"{size.variables} / {size.clauses}"
            checked += 1

    assert names == [name for name in NAMES if not ENCODINGS[name].is_native]
    assert checked >= 30


def examples(name: str) -> list[str]:
    """The worked examples of a README."""
    return re.findall(r"```clauses\n(.*?)\n```", load(name).readme, re.DOTALL)


def lines(formula: Formula) -> str:
    """Clauses and constraints as the READMEs show them."""
    clauses = [" ".join(map(str, clause)) for clause in formula.clauses]
    native = [f"{' '.join(map(str, some))} <= {bound}" for some, bound in formula.at_most]
    return "\n".join([*clauses, *native])


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_readme_is_generated(name):
    formula = Formula(4, 4)
    one, two = ENCODINGS[name].count([1, 2, 3, 4], 2, formula)

    assert examples(name) == [lines(formula)]
    assert f"outputs {one} and {two}," in load(name).readme


def test_the_examples_of_one_hot_are_generated():
    created = []
    for n in (3, 7):
        formula = Formula(n, n)
        exactly_one(range(1, n + 1), formula)
        created.append(lines(formula))

    assert examples("one-hot") == created


def printed(name: str) -> str:
    """Return the golden formula of an entry, generated again."""
    if name == "one-hot":
        return "".join(WRITERS["cnf"].write(ONE_PEG))
    if not ENCODINGS[name].is_native:
        return "".join(WRITERS["cnf"].write(GOLDEN, name))
    formula = cnf(System.of(GOLDEN), name)
    head = f"p cnf+ {formula.variables} {len(formula.clauses) + len(formula.at_most)}\n"
    clauses = [f"{' '.join(map(str, clause))} 0\n" for clause in formula.clauses]
    native = [f"{' '.join(map(str, some))} <= {bound}\n" for some, bound in formula.at_most]
    return "".join([head, *clauses, *native])


@pytest.mark.parametrize("name", EVERY)
def test_the_golden_formula_is_made_again_to_the_byte(name):
    assert (CATALOGUE / name / "golden.cnf").read_bytes() == printed(name).encode()


@pytest.mark.parametrize("name", EVERY)
def test_the_golden_formula_has_a_model_for_each_code(name):
    text = (CATALOGUE / name / "golden.cnf").read_text("utf-8")
    read = (CNFPlus if "p cnf+" in text else CNF)(from_string=text)
    formula = Formula(
        read.nv, 0, read.clauses, [tuple(entry) for entry in getattr(read, "atmosts", [])]
    )
    board = ONE_PEG if name == "one-hot" else GOLDEN

    assert len(models(formula)) == len(twins.consistent(board))


@given(boards(small_games(), max_rows=3))
def test_models_are_the_consistent_codes_one_each(board):
    variables = board.game.variables
    codes = [
        frozenset(variables.at(*entry) for entry in enumerate(code))
        for code in twins.consistent(board)
    ]
    for name in NAMES:
        result = models(cnf(System.of(board), name))
        code_variables = set(range(1, board.game.pegs * board.game.colors + 1))
        assert sorted(map(sorted, codes)) == sorted(
            sorted(model & code_variables) for model in result
        )


@given(boards(small_games(3, 3), max_rows=3))
def test_rows_switched_off_leave_the_codes_of_the_others(board):
    system = System.of(board)
    for name in NAMES:
        formula = cnf(system, name, with_selectors=True)
        for kept in range(2 ** len(board.rows)):
            rows = [row for row in range(len(board.rows)) if kept >> row & 1]
            use = [
                selector if row in rows else -selector
                for row, selector in enumerate(formula.selectors)
            ]
            assert len(models(formula, use)) == len(twins.consistent(board.only(rows)))
