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
"""The least budget, in CP-SAT's own unit of deterministic time, about a second each ..."""
GROWTH = 2
"""... and the power by which it grows: each try starts anew, so that few long ones lose least."""
RELAXATIONS = (2, 1)
"""How much CP-SAT leans on linear programming, in turn: with all cuts it refutes in a moment what
search alone never does, such as vertex covers; on dense systems they only cost time."""


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
    """A system for CP-SAT to work on, with a budget if need be.

    One worker with a fixed seed, so that the same budget gives the same answer.
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
        """Whether it is decided within so much deterministic time, about seconds."""
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
    """CP-SAT, with and without much linear programming; each try starts anew, and elsewhere."""

    name = "cp"

    def __init__(self, system: System, seed: int | None = None, *, work: float = WORK) -> None:
        """Build no model yet: loading CP-SAT takes longer than most boards."""
        self.system = system
        self.seed = seed or 0
        self.work = work
        self.levels = RELAXATIONS if is_sparse(system) else RELAXATIONS[1:]
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
            if self._cp.solve(self.work * budget**GROWTH):
                self.code = self._cp.code
                return True
        return False
