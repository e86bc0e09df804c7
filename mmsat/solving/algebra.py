"""algebra: two-color boards as linear equations, refuted by a combination or made short and solved.

A board of two colors is a system of equations over 0 and 1 (constraints/algebra), or a few such
systems where the weight of the code is open. Many inconsistent boards are refuted without search,
by a combination of rows. What is left has short equations, and goes to the solvers by turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.algebra.games import check
from mmsat.results import Status
from mmsat.solving.engine import Decision, Engine, proven
from mmsat.solving.turns import Turns, first
from mmsat.solving.worker import TimeUpError, run
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.solving.deadline import Deadline
    from mmsat.tolerance import Tolerance


class Algebra(Engine):
    """For games of two colors, scored by black, white or color."""

    name = "algebra"
    summary = "two colors only: linear equations, made short, then SAT and CP-SAT by turns"

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Decide in a process that ends with the deadline; raises InputError for other games."""
        check(board.game)
        board, _ = self.simplify(board, tolerance)
        try:
            return proven(board, run(deadline, self.solve, board, seed), self.name)
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, self.name)

    def solve(self, board: Board, seed: int | None = None) -> Code | None:
        """A consistent code or None, in this process and without a deadline."""
        from mmsat.constraints.algebra.simplify import systems  # noqa: PLC0415  (loads numpy)

        return first([Turns(system, seed) for system in systems(board)])
