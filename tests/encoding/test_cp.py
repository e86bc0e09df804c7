"""The CP-SAT models of arbitrary constraints, compared with a list of all codes."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given, settings
from ortools.sat.python import cp_model

from mmsat.encoding.integer_models import CpBoard, cp_solver
from tests.support import tiers, twins
from tests.support.cli_runner import CONSISTENT, environment
from tests.support.systems import systems


class CodeCollector(cp_model.CpSolverSolutionCallback):
    """Collects the code of every solution."""

    def __init__(self, code_variables):
        super().__init__()
        self.code_variables = code_variables
        self.codes = []

    def on_solution_callback(self):
        """Store the code of this solution."""
        self.codes.append(
            tuple(
                next(color for color, variable in enumerate(peg) if self.boolean_value(variable))
                for peg in self.code_variables
            )
        )


def codes_of(built):
    """Return the sorted codes of all solutions, each as often as it is found."""
    solver = cp_solver()
    solver.parameters.enumerate_all_solutions = True
    collector = CodeCollector(built.code_variables)
    status = solver.solve(built.model, collector)
    assert status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}
    return sorted(collector.codes)


@settings(max_examples=tiers.share(60))
@given(systems(pegs=3, most=6))
def test_each_satisfying_code_is_exactly_one_solution(system):
    assert codes_of(CpBoard(system)) == [code for code, _ in twins.solutions(system)]


@settings(max_examples=tiers.share(40))
@given(systems(pegs=3, colors=2, most=5))
def test_a_row_is_enforced_exactly_if_its_selector_is_true(system):
    solutions = twins.solutions(system, slack=len(system.row_constraints))
    for enabled in range(2 ** len(system.row_constraints)):
        built = CpBoard(system, with_selectors=True)
        rows = []
        for number, row in enumerate(system.row_constraints):
            is_enabled = enabled >> number & 1
            built.model.add(built.selectors[number] == is_enabled)
            rows += [row] * is_enabled
        assert codes_of(built) == [
            code
            for code, _ in solutions
            if all(twins.satisfies(system.variables, row, code) for row in rows)
        ]


def test_the_solver_leaves_ctrl_c_to_the_caller():
    """By default, CP-SAT handles Ctrl-C itself, and a second Ctrl-C ends the process."""
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from mmsat.game.board import Board; from mmsat.constraints import System; "
        "from mmsat.solving.cp import CpAttempt; "
        f"assert CpAttempt(System.of(Board.parse({CONSISTENT!r}))).solve(); "
        "signal.raise_signal(signal.SIGINT)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "KeyboardInterrupt" in completed.stderr
