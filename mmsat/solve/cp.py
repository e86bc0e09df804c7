"""CP-SAT: clause learning on linear constraints, the stronger engine on dense random boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmsat.answers import Status
from mmsat.constraints.system import System
from mmsat.encode.cp import CpBoard
from mmsat.errors import InternalError
from mmsat.solve.engine import Decision, Engine, proven
from mmsat.solve.worker import TimeUpError, run

if TYPE_CHECKING:
    from mmsat.answers import Code
    from mmsat.game.board import Board
    from mmsat.solve.deadline import Deadline


class Cp(Engine):
    """CP-SAT with one worker, which was measured to be the best use of a core."""

    name = "cp"
    summary = "CP-SAT on the linear model"

    def decide(self, board: Board, deadline: Deadline, seed: int | None = None) -> Decision:
        """Build and solve, in a process that ends with the deadline."""
        try:
            return proven(board, run(deadline, self.solve, board, seed), self.name)
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, self.name)

    def solve(self, board: Board, seed: int | None = None) -> Code | None:
        """A consistent code or None, in this process and without a deadline."""
        from ortools.sat.python import cp_model  # noqa: PLC0415  (slow to load)

        built = CpBoard(System.of(board))
        solver = new_cp_solver(seed)
        status = solver.solve(built.model)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return read_code(solver, built)
        if status == cp_model.INFEASIBLE:
            return None
        raise InternalError(f"CP-SAT answered {solver.status_name(status)} to {board}")


def new_cp_solver(seed: int | None = None) -> Any:
    """A CP-SAT solver with the settings that mmsat uses throughout."""
    from ortools.sat.python import cp_model  # noqa: PLC0415  (slow to load)

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0 if seed is None else seed
    return solver


def read_code(solver: Any, built: CpBoard) -> Code:
    """The code of a solution, colors from 0."""
    return tuple(
        next(color for color, place in enumerate(peg) if solver.boolean_value(place))
        for peg in built.places
    )
