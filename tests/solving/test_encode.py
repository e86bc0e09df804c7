"""mmsat.encode and mmsat.decode: boards for other solvers as text or objects, and their answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from ortools.sat.python import cp_model
from pysat.solvers import Solver

import mmsat
from mmsat.encoding.integer_models import cp_solver
from mmsat.solving.encode import WRITERS
from tests.support import strategies, twins


@settings(max_examples=30)
@given(board=strategies.boards(strategies.small_games(), max_rows=3))
def test_answers_of_solvers_are_decoded_to_codes_of_the_board(board):
    codes = set(twins.consistent(board))
    with Solver("cadical195", bootstrap_with=mmsat.encode(board, "pysat")) as solver:
        solver.solve()
        result = mmsat.decode(board, solver.get_model())
    assert (result in codes) if codes else (result is None)
    model, solver = mmsat.encode(board, "cp-sat"), cp_solver()
    status = solver.solve(model)
    assert (status == cp_model.INFEASIBLE) == (not codes)
    if codes:
        names = [variable.name for variable in model.proto.variables]
        answer = dict(zip(names, solver.response_proto.solution, strict=True))
        assert mmsat.decode(board, answer) in codes


@pytest.mark.parametrize("language", [*WRITERS, "smt2"])
def test_the_text_contains_the_command_that_makes_it(language):
    text = mmsat.encode("4x6/1122=1.1", language)
    assert f"mmsat {mmsat.__version__}: mmsat encode 4x6/1122=1.1 --to " in text


def test_invalid_formats_encodings_and_answers_are_reported():
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
def test_a_time_limit_does_not_change_the_result(language):
    board = "4x6/1122=1.1/3345=0.2"
    limited, unlimited = (mmsat.encode(board, language, timeout=limit) for limit in (60, None))
    content_of = {"pysat": lambda cnf: cnf.clauses, "cp-sat": lambda model: str(model.proto)}
    content = content_of.get(language, str)
    assert content(limited) == content(unlimited)
    with pytest.raises(mmsat.TimeLimitError, match=r"^the text of the board: not finished within "):
        mmsat.encode(board, language, timeout=0)
