"""auto: brute force while that is quick, then two solvers' processes in a race (solver_race.py).

Most boards that people bring end in the first stage, without a solver being loaded at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.solving.brute import Brute, is_large
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision, Engine
from mmsat.solving.simplification import is_algebraic
from mmsat.solving.solver_race import race_solvers
from mmsat.solving.worker import run

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.tolerance import Tolerance

BRUTE_SLICES = 4
"""What brute force has before solvers are asked: some ten milliseconds ..."""
LARGE_SLICES = 128
"""... or, on large boards, a part of the time that it takes to encode them."""
WIDE = 32
"""Pegs above which a large two-color board goes to the algebra at once: no search gets far."""


class Auto(Engine):
    """The engine to use without a reason for another."""

    name = "auto"
    summary = (
        "brute force while quick, then presolve with SAT and lattices in a race against CP-SAT"
    )
    knows_lies = True

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        """Ask brute force, then the solvers in processes that end with the deadline.

        The verdict is always the same. Where two solvers race, the code is the winner's, and any
        may win.
        """
        if is_large(board):
            return run(deadline, decide_large, board, seed, tolerance)
        quick = Brute().try_decide(board, deadline, tolerance, BRUTE_SLICES)
        return quick or run(deadline, race_solvers, board, seed, tolerance)


def decide_large(board: Board, seed: int | None, tolerance: Tolerance) -> Decision:
    """The decision, from first to last without a deadline."""
    quick = None
    if not tolerance.lies and (board.game.pegs <= WIDE or not is_algebraic(board)):
        quick = Brute().try_decide(board, Deadline(), slices=LARGE_SLICES)
    return quick or race_solvers(board, seed, tolerance)
