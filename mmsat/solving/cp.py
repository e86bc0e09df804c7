"""CP-SAT: clause learning on linear constraints, the stronger engine on dense random boards."""

import math

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cp import CpBoard
from mmsat.encoding.ortools import cp_model, cp_solver
from mmsat.errors import InternalError
from mmsat.game.row import Code
from mmsat.solving.encoding_selection import is_sparse
from mmsat.solving.engine import SolverEngine
from mmsat.solving.portfolio import Work
from mmsat.tolerance import STRICT, Tolerance

WORK = 0.25
"""Deterministic time of a budget of 1, in CP-SAT's unit, which is about a second."""
BUDGET_EXPONENT = 2
"""Exponent of the budget. Each attempt restarts from scratch, so that few long ones lose least."""
LINEARIZATION_LEVELS = (2, 1)
"""Values of `linearization_level`, used in turn. With all cuts (2), CP-SAT quickly refutes systems
that search alone never refutes, such as vertex covers. On dense systems cuts only cost time."""


class Cp(SolverEngine):
    """CP-SAT with one worker, which was measured to be the best use of a core."""

    name = "cp"
    summary = "CP-SAT on the linear model"
    knows_lies = True

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        attempt = CpTry(System.of(board, tolerance), seed)
        if not attempt.solve():
            raise InternalError(f"CP-SAT did not decide {board}")
        return attempt.code


class CpTry:
    """The CP-SAT model of a system, solved within a budget if there is one.

    It uses one worker and a fixed seed, so that the same budget gives the same answer.
    """

    def __init__(self, system: System, seed: int | None = None) -> None:
        """Build the model."""
        ortools = cp_model()
        self.built = CpBoard(system)
        self.solver = cp_solver(seed)
        self.solved = (ortools.OPTIMAL, ortools.FEASIBLE)
        self.refuted = ortools.INFEASIBLE
        self.code: Code | None = None
        """After a decision: a code, or None if there is none."""

    def solve(self, work: float = math.inf) -> bool:
        """Return whether the system is decided within this deterministic time, about seconds."""
        self.solver.parameters.max_deterministic_time = work
        status = self.solver.solve(self.built.model)
        if status in self.solved:
            true = self.solver.boolean_value
            self.code = tuple(
                next(color for color, place in enumerate(peg) if true(place))
                for peg in self.built.places
            )
        return status in self.solved or status == self.refuted


class CpWork(Work):
    """CP-SAT with more and less linear programming. Each step restarts with another seed."""

    name = "cp"

    def __init__(self, system: System, seed: int | None = None, *, work: float = WORK) -> None:
        """Set up without a model: loading CP-SAT takes longer than most boards."""
        self.system = system
        self.seed = seed or 0
        self.work = work
        self.levels = LINEARIZATION_LEVELS if is_sparse(system) else LINEARIZATION_LEVELS[1:]
        self._tries = 0
        self._cp: CpTry | None = None

    def step(self, budget: int) -> bool:
        """Search within a budget of deterministic time."""
        self._cp = self._cp or CpTry(self.system)
        parameters = self._cp.solver.parameters
        parameters.random_seed = self.seed ^ self._tries
        self._tries += 1
        for level in self.levels:
            parameters.linearization_level = level
            if self._cp.solve(self.work * budget**BUDGET_EXPONENT):
                self.code = self._cp.code
                return True
        return False
