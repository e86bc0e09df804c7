"""In every encoding, each consistent code is exactly one model of the formula."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings

from mmsat.constraints import System
from mmsat.encoding import ENCODINGS
from mmsat.encoding.cnf import cnf
from mmsat.encoding.integer_models import CpBoard, cp_solver
from mmsat.solving.sat import NATIVE_SOLVERS, code_of, new_solver
from tests.support import strategies, tiers, twins
from tests.support.random_boards import known_boards

SOLVER_ENCODING_PAIRS = [
    (solver, name)
    for name, encoding in ENCODINGS.items()
    for solver in (("gluecard4", "minicard") if encoding.is_native else ("glucose4", "minisat22"))
]
each_encoding = pytest.mark.parametrize(
    ("solver", "encoding"),
    SOLVER_ENCODING_PAIRS,
    ids=[":".join(pair) for pair in SOLVER_ENCODING_PAIRS],
)
# One solver of clauses is enough for selectors, so minisat22 is omitted.
PAIRS_WITH_SELECTORS = [
    (solver, name) for solver, name in SOLVER_ENCODING_PAIRS if solver != "minisat22"
]


def models(formula, solver_name, assumptions=()):
    """Return every model over all variables, auxiliary ones included."""
    results = []
    with new_solver(solver_name, formula) as solver:
        while solver.solve(assumptions=list(assumptions)):
            model = solver.get_model()[: formula.variables]
            assert [abs(literal) for literal in model] == list(range(1, formula.variables + 1))
            results.append(model)
            solver.add_clause([-literal for literal in model])
    return results


def check_models(board, codes, solver, encoding):
    system = System.of(board)
    formula = cnf(system, encoding)
    results = sorted(code_of(model, system.variables) for model in models(formula, solver))
    assert results == list(codes), str(board)


@each_encoding
def test_one_model_per_code(solver, encoding):
    for board, codes in known_boards(tiers.share(800), seed=11, pegs=4, colors=4):
        check_models(board, codes, solver, encoding)


@settings(max_examples=tiers.share(40))
@given(board=strategies.boards(strategies.small_games(3, 3), max_rows=3))
def test_one_model_per_code_on_generated_boards(board):
    codes = twins.consistent(board)
    for solver, encoding in PAIRS_WITH_SELECTORS:
        check_models(board, codes, solver, encoding)


@pytest.mark.parametrize(
    ("solver", "encoding"),
    PAIRS_WITH_SELECTORS,
    ids=[":".join(pair) for pair in PAIRS_WITH_SELECTORS],
)
def test_disabled_rows_do_not_constrain(solver, encoding):
    """The models are the codes of the enabled rows."""
    rng = random.Random(12)
    for board, _ in known_boards(tiers.share(200), seed=13, pegs=3, colors=3, rows=4):
        system = System.of(board)
        formula = cnf(system, encoding, with_selectors=True)
        assert len(formula.selectors) == len(board.rows)
        everything = range(len(board.rows))
        subsets = [rows for size in range(5) for rows in combinations(everything, size)]
        for enabled in rng.sample(subsets, min(4, len(subsets))):
            assumptions = [
                selector if row in enabled else -selector
                for row, selector in enumerate(formula.selectors)
            ]
            results = sorted(
                code_of(model, system.variables) for model in models(formula, solver, assumptions)
            )
            assert results == twins.consistent(board.only(enabled)), (str(board), enabled)


def test_the_cp_model_with_selectors_equals_the_model_of_the_selected_rows():
    rng = random.Random(14)
    for board, _ in known_boards(tiers.share(150), seed=15, pegs=3, colors=3, rows=5):
        enabled = [row for row in range(len(board.rows)) if rng.random() < 0.6]
        built = CpBoard(System.of(board), with_selectors=True)
        assert len(built.selectors) == len(board.rows)
        for row, selector in enumerate(built.selectors):
            built.model.add(selector == (row in enabled))
        solver = cp_solver()
        status = solver.status_name(solver.solve(built.model))
        codes = twins.consistent(board.only(enabled))
        assert status == ("OPTIMAL" if codes else "INFEASIBLE"), (str(board), enabled)
        if codes:
            values = [
                [solver.boolean_value(variable) for variable in peg] for peg in built.code_variables
            ]
            assert all(sum(peg) == 1 for peg in values)
            assert tuple(peg.index(True) for peg in values) in codes


@pytest.mark.parametrize("with_selectors", [False, True])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_code_variables_come_first_and_selectors_last(encoding, with_selectors):
    for board, _ in known_boards(tiers.share(100), seed=16):
        variables = board.game.variables
        formula = cnf(System.of(board), encoding, with_selectors=with_selectors)
        assert formula.code_variables == variables.pegs * variables.colors
        numbers = range(1, variables.pegs * variables.colors + 1)
        assert [formula.names[n] for n in numbers] == [variables.name(n) for n in numbers]
        assert len(set(formula.names.values())) == len(formula.names)
        assert len(formula.selectors) == with_selectors * len(board.rows)
        used = {abs(x) for clause in formula.clauses for x in clause}
        used |= {abs(x) for literals, _ in formula.at_most for x in literals}
        assert used <= set(range(1, formula.variables + 1))
        assert formula.at_most == [] or encoding == "native"


@pytest.mark.slow
@each_encoding
def test_one_model_per_code_on_larger_boards(solver, encoding):
    for board, codes in known_boards(3000, seed=17, pegs=5, colors=4, rows=6):
        check_models(board, codes, solver, encoding)


def test_other_solvers_refuse_native_formulas():
    """No solver may ignore native constraints silently."""
    assert set(NATIVE_SOLVERS) >= {"gluecard4", "minicard"}
    board = next(board for board, codes in known_boards(300) if cnf_native(board).at_most)
    for solver in ("glucose4", "minisat22", "lingeling", "maplechrono"):
        with pytest.raises(NotImplementedError):
            new_solver(solver, cnf_native(board))


def cnf_native(board):
    return cnf(System.of(board), "native")
