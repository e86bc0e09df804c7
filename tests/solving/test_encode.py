"""mmsat.encode and mmsat.decode: boards to other solvers as text and as objects, and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from ortools.sat.python import cp_model
from pysat.solvers import Solver

import mmsat
from mmsat.encoding.cp_sat import cp_solver
from mmsat.encoding.languages import WRITERS
from tests.support import strategies, twins


@settings(max_examples=30)
@given(board=strategies.boards(strategies.small_games(), max_rows=3))
def test_what_solvers_answer_comes_back_as_a_code_of_the_board(board):
    codes = set(twins.consistent(board))
    with Solver("cadical195", bootstrap_with=mmsat.encode(board, "pysat")) as solver:
        is_consistent = solver.solve()
        result = mmsat.decode(board, solver.get_model()) if is_consistent else None
    assert (result in codes) if codes else (result is None)
    model, solver = mmsat.encode(board, "cp-sat"), cp_solver()
    status = solver.solve(model)
    assert (status == cp_model.INFEASIBLE) == (not codes)
    if codes:
        names = [variable.name for variable in model.proto.variables]
        answer = dict(zip(names, solver.response_proto.solution, strict=True))
        assert mmsat.decode(board, answer) in codes


@pytest.mark.parametrize("language", [*WRITERS, "smt2"])
def test_the_text_is_what_the_command_prints_and_says_how_it_was_made(language):
    text = mmsat.encode("4x6/1122=1.1", language)
    assert f"mmsat {mmsat.__version__}: mmsat encode 4x6/1122=1.1 --to " in text


def test_wrong_languages_answers_and_codes_are_reported():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.encode("4x6", "latin")
    assert str(caught.value) == (
        "No such format 'latin'. Expected one of asp, cnf, cp-sat, dzn, lp, minizinc, mzn, opb, "
        "pysat, smt2, smtlib, wcnf."
    )
    with pytest.raises(mmsat.InputError, match="has no clauses"):
        mmsat.encode("4x6", "opb", encoding="totalizer")
    with pytest.raises(mmsat.InputError, match="a code that matches the scores"):
        mmsat.decode("4x6/1122=0.0", [1, 7, 13, 19])
    assert mmsat.decode("4x6/1122=1.1", "s UNSATISFIABLE\n") is None


@pytest.mark.parametrize("language", ["cnf", "pysat", "cp-sat"])
def test_a_time_limit_changes_nothing_but_how_long_it_may_take(language):
    board = "4x6/1122=1.1/3345=0.2"
    within, free = (mmsat.encode(board, language, timeout=limit) for limit in (60, None))
    shown = {"pysat": lambda item: item.clauses, "cp-sat": lambda made: str(made.proto)}
    show = shown.get(language, str)
    assert show(within) == show(free)
    with pytest.raises(mmsat.TimeLimitError, match=r"^the text of the board: not finished within "):
        mmsat.encode(board, language, timeout=0)
