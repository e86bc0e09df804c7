"""algebra: two-color boards as linear equations, refuted by a combination or made short and solved.

A board of two colors is a system of equations over 0 and 1 (constraints/algebra), or a few such
systems where the weight of the code is open. Many inconsistent boards are refuted without search,
by a combination of rows. What is left has short equations, and goes to SAT and CP-SAT, interleaved.
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
    """For games of two colors, scored by black, white or color."""

    name = "algebra"
    summary = "two colors only: linear equations, made short, then SAT and CP-SAT by turns"

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        """Solve in a process that ends with the deadline; raises InputError for other games."""
        check(board)
        return super().search(board, deadline, seed, tolerance)

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        return find_code(sat_and_cp(system, seed) for system in systems(board))
