"""mmsat.encode and mmsat.decode: boards for other solvers as text or objects, and their answers."""

from __future__ import annotations

import re

import highspy
import numpy as np
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
    for answer in (solver, solver.response_proto):
        result = mmsat.decode(board, answer)
        assert (result in codes) if codes else (result is None)


@pytest.mark.parametrize("language", [*WRITERS, "smt2"])
def test_the_text_contains_the_command_that_makes_it(language):
    text = mmsat.encode("4x6/1122=1.1", language)
    assert f"mmsat {mmsat.__version__}: mmsat encode 4x6/1122=1.1 --to " in text


def test_invalid_formats_encodings_and_answers_are_reported():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.encode("4x6", "latin")
    assert str(caught.value) == (
        "No such format 'latin'. Expected one of asp, cnf, cp-sat, dimacs, dzn, lp, minizinc, mzn, "
        "opb, pysat, smt2, smtlib, wcnf."
    )
    with pytest.raises(mmsat.InputError, match="has no clauses"):
        mmsat.encode("4x6", "opb", encoding="totalizer")
    with pytest.raises(mmsat.InputError, match="a code that matches the scores"):
        mmsat.decode("4x6/1122=0.0", [1, 7, 13, 19])
    assert mmsat.decode("4x6/1122=1.1", "s UNSATISFIABLE\n") is None


BOARD, CODE = "2x3/12=1.0", (0, 0)
VALUES = [1, 0, 0, 1, 0, 0]
NAMES = [f"peg{peg}color{color}" for peg in (1, 2) for color in (1, 2, 3)]


@pytest.mark.parametrize(
    "answer",
    [
        [1, 4],
        [1, -2, -3, 4, -5, -6, 7, -8],
        np.array([1, -2, -3, 4, -5, -6]),
        VALUES,
        (*VALUES, 1, 0, 2),
        [*map(bool, VALUES)],
        np.array(VALUES),
        dict(zip(NAMES, VALUES, strict=True)),
        dict(zip(NAMES, map(bool, VALUES), strict=True)),
        dict(zip(NAMES, np.array(VALUES), strict=True)),
        dict(zip(NAMES, [0.9999999, 1e-9, -0.0, 1.0, 0.0, 1e-9], strict=True)),
        {"peg1color1": 1, "peg2color1": 1},
        {"peg1color1": 1, "peg2color1": 1, "peg2color2": None, "x": 5},
        {"code": [1, 1]},
        {"status": "optimal", "peg1color1": 1, "peg2color1": 1},
        ["code(1,1)", "code(2,1)"],
        ["s SATISFIABLE", "v 1 -2 -3 4 -5 -6 0"],
        iter(VALUES),
    ],
)
def test_the_answers_of_libraries_are_decoded(answer):
    assert mmsat.decode(BOARD, answer) == CODE


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([0, 1], "the answer: expected values of all 6 variables, found 2 values"),
        ([0, 1, 1, 0, 0, 1], "expected one color per peg, found colors 2 and 3 for peg 1"),
        ([0, 1, 0, 0, 0, 1], "expected a code that matches the scores of the board, found '23'"),
        ([1, 0.5], "the literals: expected a whole number: a literal, or 0 or 1, found 0.5"),
        ([None, 1], "the literals: expected a whole number: a literal, or 0 or 1, found None"),
        (dict(zip(NAMES, [0.5, 0.5, 0, 1, 0, 0], strict=True)), "found a fraction for peg1color1"),
        ({"peg9color1": 1}, "expected pegs 1 to 2 and colors 1 to 3, found peg 9, color 1"),
        ({"x": 1}, "it has neither status nor values"),
        ({}, "expected the whole output of a solver"),
        (
            {"peg1color1": object()},
            "the values: expected a number for each name, found {'peg1color1'",
        ),
        ([], "expected a color for every peg"),
        (cp_model.CpSolver(), "or a CpSolver, or None, found <ortools"),
        (b"s UNSATISFIABLE", "expected a text, a list of literals or values"),
    ],
)
def test_wrong_answers_of_libraries_are_refused(answer, words):
    with pytest.raises(mmsat.InputError, match=re.escape(words)):
        mmsat.decode(BOARD, answer)


def test_a_cp_sat_model_with_counts_is_decoded():
    """The values of the counts of colors are not 0 or 1."""
    board, solver = "4x6/1122=1.1/3345=0.2", cp_solver()
    solver.solve(mmsat.encode(board, "cp-sat"))
    values = [*solver.response_proto.solution]
    assert max(values) > 1
    for answer in (solver, values):
        assert mmsat.Board.parse(board).is_consistent(mmsat.decode(board, answer))


def test_an_answer_of_a_library_without_a_code_is_none():
    model = mmsat.encode("4x6/1122=4.0/1122=0.0", "cp-sat")
    solver = cp_solver()
    solver.solve(model)
    stopped = cp_solver()
    stopped.parameters.max_time_in_seconds = 0
    stopped.solve(mmsat.encode("4x6/1122=1.1", "cp-sat"))
    for answer in (None, solver, stopped, {"status": "infeasible"}, ["s UNSATISFIABLE"]):
        assert mmsat.decode("4x6/1122=4.0/1122=0.0", answer) is None


def test_the_solution_of_highs_is_decoded_by_names(tmp_path):
    board = "4x6/1122=1.1/3345=0.2"
    file = tmp_path / "board.lp"
    file.write_text(mmsat.encode(board, "lp"))
    solver = highspy.Highs()
    solver.silent()
    solver.readModel(str(file))
    solver.run()
    values = dict(zip(solver.getLp().col_names_, solver.getSolution().col_value, strict=True))
    assert mmsat.Board.parse(board).is_consistent(mmsat.decode(board, values))


@pytest.mark.parametrize("language", ["cnf", "pysat", "cp-sat"])
def test_a_time_limit_does_not_change_the_result(language):
    board = "4x6/1122=1.1/3345=0.2"
    limited, unlimited = (mmsat.encode(board, language, timeout=limit) for limit in (60, None))
    content_of = {"pysat": lambda cnf: cnf.clauses, "cp-sat": lambda model: str(model.proto)}
    content = content_of.get(language, str)
    assert content(limited) == content(unlimited)
    with pytest.raises(mmsat.TimeLimitError, match=r"^the text of the board: not finished within "):
        mmsat.encode(board, language, timeout=0)
