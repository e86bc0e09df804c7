"""Codes are read from solver output in every format, and all faults are reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat.errors import InputError
from mmsat.game.board import Status
from mmsat.game.game import Game
from mmsat.solving.encode import Solution, read_solution
from tests.support import strategies
from tests.support.solver_dialects import DIALECTS, maxsat, old_maxsat

GAME = Game.parse("2x3")
OTHER_BOARD = "(is this the output for another board?)"
COMPLETE_OUTPUT = "the whole output of a solver, with its status and values"
STATUSES = "s SATISFIABLE, s UNSATISFIABLE, s OPTIMUM FOUND or s UNKNOWN"
NO_SOLUTION = (
    "found only the status (some solvers print it only with an option, or write it to another file)"
)
NO_COST = "expected the whole output, with the cost of the solution, found no `o` line"


DIALECT = pytest.mark.parametrize("format_code", DIALECTS)


@DIALECT
@given(data=st.data())
def test_any_code_is_read_back_from_any_format(format_code, data):
    game = data.draw(strategies.games(pegs=st.integers(1, 12), colors=st.integers(2, 30)))
    code = data.draw(strategies.codes(game))
    is_maxsat = format_code in (maxsat, old_maxsat)

    assert read_solution(format_code(code, game), game) == Solution(
        Status.CONSISTENT, code, 0 if is_maxsat else None
    )


@DIALECT
@given(data=st.data())
def test_damaged_output_gives_an_input_error_or_a_code(format_code, data):
    """A part of the output is removed or repeated."""
    game = data.draw(strategies.small_games())
    code = data.draw(strategies.codes(game))
    text = format_code(code, game)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    damaged = text[:start] + text[start:end] * data.draw(st.sampled_from([0, 2])) + text[end:]
    try:
        solution = read_solution(damaged, game)
    except InputError as error:
        assert error.faults  # noqa: PT017
        assert error.source == "the solver's output"  # noqa: PT017
    else:
        assert solution.code is None or game.contains(solution.code)


@given(st.text())
def test_text_that_no_solver_wrote_is_refused(text):
    with pytest.raises(InputError):
        read_solution(f"> {text}".replace("\n", " "), GAME)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("c x\ns UNSATISFIABLE\n", Status.INCONSISTENT),
        ("s UNKNOWN\n", Status.UNKNOWN),
        ("UNSAT\n", Status.INCONSISTENT),
        ("INDET\n", Status.UNKNOWN),
        ("clingo version 5.4.1\nSolving...\nUNSATISFIABLE\n\nModels : 0\n", Status.INCONSISTENT),
        ("Solving...\nUNKNOWN\n", Status.UNKNOWN),
        ("=====UNSATISFIABLE=====\r\n", Status.INCONSISTENT),
        ("=====UNKNOWN=====\n", Status.UNKNOWN),
        ('unsat\n(error "line 25 column 111: model is not available")\n', Status.INCONSISTENT),
        ("unknown\n", Status.UNKNOWN),
        ("Status:     INTEGER EMPTY\n 1 peg1color1 * 0 0 1\n", Status.INCONSISTENT),
        ("Status:     INTEGER UNDEFINED\n 1 peg1color1 * 0.5 0 1\n", Status.UNKNOWN),
        (
            "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION\nStatus: INTEGER UNDEFINED\n",
            Status.INCONSISTENT,
        ),
        (
            "Integer infeasible - objective value 0.0\n** 0 peg1color1 0.3 0\n",
            Status.INCONSISTENT,
        ),
        ("Infeasible - objective value 0.0\n", Status.INCONSISTENT),
        ("Stopped on time - objective value 0.0\n", Status.UNKNOWN),
    ],
)
def test_refutations_and_undecided_runs_have_a_status_and_no_code(text, status):
    assert read_solution(text, GAME) == Solution(status, None)


@given(data=st.data())
def test_literals_need_no_v(data):
    """They may follow the status of competitions, or be the whole output, with or without 0."""
    game = data.draw(strategies.games(pegs=st.integers(1, 6), colors=st.integers(2, 9)))
    code = data.draw(strategies.codes(game))
    true = {peg * game.colors + color + 1 for peg, color in enumerate(code)}
    literals = " ".join(
        str(variable if variable in true else -variable)
        for variable in range(1, game.pegs * game.colors + 1)
    )
    for text in (f"s SATISFIABLE\n{literals} 0\n", f"{literals} 0\n", f"{literals}\n", literals):
        assert read_solution(text, game) == Solution(Status.CONSISTENT, code)


@pytest.mark.parametrize(
    ("text", "status", "cost"),
    [
        ("o 2\ns OPTIMUM FOUND\nv 10000110\n", Status.INCONSISTENT, 2),
        ("o 5\no 2\ns SATISFIABLE\nv 10000110\n", Status.UNKNOWN, 2),
        ("o 2\no 0\ns UNKNOWN\nv 10000110\n", Status.CONSISTENT, 0),
    ],
)
def test_the_cost_determines_the_status(text, status, cost):
    """A board is consistent at cost 0, and inconsistent if a positive cost is optimal."""
    assert read_solution(text, GAME) == Solution(status, (0, 2), cost)


def test_values_of_a_single_variable_are_literals_not_bits():
    """The value `1` could also be a word of bits."""
    tiny = Game.parse("1x1")

    assert read_solution("s SATISFIABLE\nv 1 0\n", tiny).code == (0,)
    assert read_solution("s SATISFIABLE\nv 1\nv 0\n", tiny).code == (0,)
    assert read_solution("s OPTIMUM FOUND\no 0\nv 1\n", tiny).code == (0,)


@pytest.mark.parametrize(
    ("game", "text", "faults"),
    [
        (
            "2x3",
            "",
            [
                (
                    f"line 1, column 1: expected {COMPLETE_OUTPUT}, found nothing (it has neither "
                    "status nor values)"
                )
            ],
        ),
        (
            "2x3",
            "s SATISFIABLE\n",
            [f"line 1, column 1: expected a status and a solution, {NO_SOLUTION}"],
        ),
        ("2x3", "s MAYBE\n", [f"line 1, column 1: expected {STATUSES}, found 's MAYBE'"]),
        (
            "2x3",
            "s SATISFIABLE\ns UNSATISFIABLE\nv 1 -2 -3 -4 5 -6 0\n",
            [
                (
                    "line 2, column 1: expected the output of one run, found 'inconsistent' "
                    "(the status was consistent before)"
                ),
            ],
        ),
        (
            "2x3",
            "s UNSATISFIABLE\nv 1 -2 -3 -4 5 -6 0\n",
            [
                (
                    "line 2, column 3: expected the output of one run, found a solution after the "
                    "status unsatisfiable"
                ),
            ],
        ),
        (
            "2x3",
            "s SATISFIABLE\nv 1 2 -3 -4 y5\nv -6 0\n",
            [
                "expected the whole output of the solver, found no value for peg 2 and color 2",
                (
                    "line 2, column 5: expected one color per peg, found colors 1 and 2 for peg 1 "
                    f"{OTHER_BOARD}"
                ),
                "line 2, column 13: expected a literal such as 3, -3, x3 or -x3, found 'y5'",
            ],
        ),
        (
            "2x3",
            "s SATISFIABLE\nv 1 -2 -3 -4 -5 -6 0\n",
            [f"expected a color for every peg, found none for peg 2 {OTHER_BOARD}"],
        ),
        (
            "2x3",
            "SAT\n1 -2 -3 4 -5 -6 -1 0\n",
            [
                (
                    "line 2, column 17: expected the output of one run, found both true and "
                    "false for "
                    "peg1color1"
                ),
            ],
        ),
        (
            "2x3",
            "s OPTIMUM FOUND\nv 100010\n",
            [f"line 2, column 3: {NO_COST}"],
        ),
        (
            "2x3",
            "o two\ns OPTIMUM FOUND\nv 100\n",
            [
                (
                    "expected the whole output of the solver, found no value for peg 2 and colors "
                    "1, 2 and 3"
                ),
                (
                    "line 1, column 1: expected a whole number, found 'o two' (an `o` line has the "
                    "number of violated rows)"
                ),
                f"line 3, column 3: {NO_COST}",
            ],
        ),
        (
            "2x3",
            "Answer: 1\ncode(1,2) code(1,3) code(3,1)\nSATISFIABLE\n",
            [
                f"expected a color for every peg, found none for peg 2 {OTHER_BOARD}",
                (
                    "line 2, column 11: expected one color per peg, found colors 2 and 3 for peg 1 "
                    f"{OTHER_BOARD}"
                ),
                (
                    "line 2, column 21: expected pegs 1 to 2 and colors 1 to 3, found peg 3, "
                    "color 1 "
                    f"{OTHER_BOARD}"
                ),
            ],
        ),
        (
            "2x3",
            "code = [1, 2, 3];\n----------\n",
            [
                (
                    "line 1, column 1: expected 2 colors, not 3, found 'code = [1, 2, 3]' (a "
                    "code of a "
                    "2x3 game has 2 pegs)"
                ),
            ],
        ),
        (
            "2x3",
            "code = [x, 4];\n----------\n",
            [
                "line 1, column 9: expected a color from 1 to 3, found 'x'",
                (
                    "line 1, column 12: expected pegs 1 to 2 and colors 1 to 3, found peg 2, "
                    "color 4 "
                    f"{OTHER_BOARD}"
                ),
            ],
        ),
        (
            "2x3!",
            "code = [2, 2];\n----------\n",
            [f"line 1, column 9: expected a code of the game 2x3d, found '2-2' {OTHER_BOARD}"],
        ),
        (
            "1x2",
            "Status:     OPTIMAL\n 1 peg1color1 * 0.5 0 1\n 2 peg1color2 * 1 0 1\n",
            ["line 2, column 4: expected 0 or 1, found a fraction for peg1color1"],
        ),
    ],
)
def test_all_faults_are_listed(game, text, faults):
    """Every contradictory or missing value is reported, with its position if it has one."""
    with pytest.raises(InputError) as caught:
        read_solution(text, Game.parse(game))
    messages = [
        f"{fault.place}: " * bool(fault.place) + str(fault) for fault in caught.value.faults
    ]
    assert messages == faults
