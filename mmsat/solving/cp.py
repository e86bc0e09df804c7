"""CP-SAT: clause learning on linear constraints, the stronger engine on dense random boards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mmsat.constraints.system import System
from mmsat.encoding.cp import CpBoard
from mmsat.encoding.ortools import cp_model
from mmsat.errors import InternalError
from mmsat.results import Status
from mmsat.solving.engine import Decision, Engine, proven
from mmsat.solving.worker import TimeUpError, run
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.solving.deadline import Deadline
    from mmsat.tolerance import Tolerance


class Cp(Engine):
    """CP-SAT with one worker, which was measured to be the best use of a core."""

    name = "cp"
    summary = "CP-SAT on the linear model"
    knows_lies = True

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Build and solve, in a process that ends with the deadline."""
        board, tolerance = self.simplify(board, tolerance)
        try:
            code = run(deadline, self.solve, board, seed, tolerance)
            return proven(board, code, self.name, tolerance=tolerance)
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, self.name)

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        """A code within the tolerance or None, in this process and without a deadline."""
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
        self.solver = ortools.CpSolver()
        self.solver.parameters.num_workers = 1
        self.solver.parameters.random_seed = 0 if seed is None else seed
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
