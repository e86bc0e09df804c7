"""The CP-SAT models of any constraints at all, held against a list of all codes."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given, settings
from ortools.sat.python import cp_model

from mmsat.encoding.cp_sat import CpBoard, cp_solver
from tests.support import tiers, twins
from tests.support.cli_runner import CONSISTENT, environment
from tests.support.systems import systems


class Gathering(cp_model.CpSolverSolutionCallback):
    """Keeps the code of every solution."""

    def __init__(self, places):
        super().__init__()
        self.places = places
        self.codes = []

    def on_solution_callback(self):
        """Read the code off the places."""
        self.codes.append(
            tuple(
                next(color for color, place in enumerate(peg) if self.boolean_value(place))
                for peg in self.places
            )
        )


def codes_of(built):
    """The code of each solution, one as often as it comes, in order."""
    solver = cp_solver()
    solver.parameters.enumerate_all_solutions = True
    gathering = Gathering(built.places)
    status = solver.solve(built.model, gathering)
    assert status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}
    return sorted(gathering.codes)


@settings(max_examples=tiers.share(60))
@given(systems(pegs=3, most=6))
def test_solutions_are_those_of_the_claims_one_each(system):
    assert codes_of(CpBoard(system)) == [code for code, _ in twins.solutions(system)]


@settings(max_examples=tiers.share(40))
@given(systems(pegs=3, colors=2, most=5))
def test_a_row_holds_while_its_selector_does(system):
    every = twins.solutions(system, slack=len(system.rows))
    for kept in range(2 ** len(system.rows)):
        built = CpBoard(system, with_selectors=True)
        rows = []
        for number, row in enumerate(system.rows):
            on = kept >> number & 1
            built.model.add(built.selectors[number] == on)
            rows += [row] * on
        assert codes_of(built) == [
            code
            for code, _ in every
            if all(twins.satisfies(system.variables, row, code) for row in rows)
        ]


def test_ctrl_c_is_left_to_the_caller():
    """CP-SAT would catch it, and then leave none to catch the next."""
    work = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from mmsat.game.board import Board; from mmsat.constraints.system import System; "
        "from mmsat.solving.cp import CpAttempt; "
        f"assert CpAttempt(System.of(Board.parse({CONSISTENT!r}))).solve(); "
        "signal.raise_signal(signal.SIGINT)"
    )
    done = subprocess.run(
        [sys.executable, "-c", work], env=environment(), capture_output=True, text=True, check=False
    )
    assert "KeyboardInterrupt" in done.stderr
