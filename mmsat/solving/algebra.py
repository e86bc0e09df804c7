"""algebra: two-color boards as linear equations, refuted by a combination or simplified and solved.

A board of two colors is a system of equations over 0 and 1 (constraints/algebra), or several such
systems if the weight of the code is not known. Many inconsistent boards are refuted without search,
by a combination of rows. The other boards get short equations, which SAT and CP-SAT solve,
interleaved.
"""

from mmsat.board import Board
from mmsat.constraints.algebra.games import check
from mmsat.constraints.algebra.simplify import systems
from mmsat.game.row import Code
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision, SolverEngine
from mmsat.solving.portfolio import find_code
from mmsat.solving.solver_race import sat_and_cp
from mmsat.tolerance import STRICT, Tolerance


class Algebra(SolverEngine):
    """Engine for games of two colors, scored by black, white or color."""

    name = "algebra"
    summary = "two colors only: linear equations with short rows, then SAT and CP-SAT in turns"

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        """Solve in a process that is killed at the deadline; raises InputError for other games."""
        check(board)
        return super().search(board, deadline, seed, tolerance)

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        return find_code(sat_and_cp(system, seed) for system in systems(board))
