"""The formulas' models are the consistent codes, one each, whatever the encoding."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings

from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.cp_sat import CpBoard, cp_solver
from mmsat.encoding.encodings import ENCODINGS
from mmsat.solving.sat import NATIVE_SOLVERS, code_of, new_solver
from tests.support import strategies, tiers, twins
from tests.support.random_boards import known_boards

ENUMERATING = [
    (solver, name)
    for name, encoding in ENCODINGS.items()
    for solver in (("gluecard4", "minicard") if encoding.is_native else ("glucose4", "minisat22"))
]
each_encoding = pytest.mark.parametrize(
    ("solver", "encoding"), ENUMERATING, ids=[":".join(pair) for pair in ENUMERATING]
)
SWITCHED = [(solver, name) for solver, name in ENUMERATING if solver != "minisat22"]


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
def test_one_model_a_code(solver, encoding):
    for board, codes in known_boards(tiers.share(800), seed=11, pegs=4, colors=4):
        check_models(board, codes, solver, encoding)


@settings(max_examples=tiers.share(40))
@given(board=strategies.boards(strategies.small_games(3, 3), max_rows=3))
def test_one_model_a_code_on_boards_that_shrink(board):
    codes = twins.consistent(board)
    for solver, encoding in SWITCHED:
        check_models(board, codes, solver, encoding)


@pytest.mark.parametrize(
    ("solver", "encoding"), SWITCHED, ids=[":".join(pair) for pair in SWITCHED]
)
def test_a_row_that_is_off_leaves_nothing_behind(solver, encoding):
    """With any rows on and the others off, the models are the codes of the rows that are on."""
    rng = random.Random(12)
    for board, _ in known_boards(tiers.share(200), seed=13, pegs=3, colors=3, rows=4):
        system = System.of(board)
        formula = cnf(system, encoding, with_selectors=True)
        assert len(formula.selectors) == len(board.rows)
        everything = range(len(board.rows))
        subsets = [on for size in range(5) for on in combinations(everything, size)]
        for on in rng.sample(subsets, min(4, len(subsets))):
            switches = [s if row in on else -s for row, s in enumerate(formula.selectors)]
            results = sorted(
                code_of(model, system.variables) for model in models(formula, solver, switches)
            )
            assert results == twins.consistent(board.only(on)), (str(board), on)


def test_the_cp_model_with_selectors_equals_the_model_of_the_selected_rows():
    rng = random.Random(14)
    for board, _ in known_boards(tiers.share(150), seed=15, pegs=3, colors=3, rows=5):
        on = [row for row in range(len(board.rows)) if rng.random() < 0.6]
        built = CpBoard(System.of(board), with_selectors=True)
        assert len(built.selectors) == len(board.rows)
        for row, selector in enumerate(built.selectors):
            built.model.add(selector == (row in on))
        solver = cp_solver()
        status = solver.status_name(solver.solve(built.model))
        codes = twins.consistent(board.only(on))
        assert status == ("OPTIMAL" if codes else "INFEASIBLE"), (str(board), on)
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
def test_one_model_a_code_on_larger_boards(solver, encoding):
    for board, codes in known_boards(3000, seed=17, pegs=5, colors=4, rows=6):
        check_models(board, codes, solver, encoding)


def test_native_solvers_support_native_formulas():
    """A solver that is not on the list refuses, so that none would drop a constraint unseen."""
    assert set(NATIVE_SOLVERS) >= {"gluecard4", "minicard"}
    board = next(board for board, codes in known_boards(300) if cnf_native(board).at_most)
    for solver in ("glucose4", "minisat22", "lingeling", "maplechrono"):
        with pytest.raises(NotImplementedError):
            new_solver(solver, cnf_native(board))


def cnf_native(board):
    return cnf(System.of(board), "native")
