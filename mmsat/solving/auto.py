"""auto: brute force while that is quick, then two solvers' processes in a race (solver_race.py).

Most boards that people bring end in the first stage, without a solver being loaded at all.
"""

from mmsat.board import Board
from mmsat.solving.brute import Brute
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision, Engine
from mmsat.solving.executor import is_large, run
from mmsat.tolerance import Tolerance

BRUTE_SLICES = 4
"""What brute force has before solvers are asked: some ten milliseconds."""
DECIDE_LARGE = "mmsat.solving.solver_race:decide_large"
RACE_SOLVERS = "mmsat.solving.solver_race:race_solvers"
"""What comes then, by name: it loads the solvers."""


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
            return run(deadline, DECIDE_LARGE, board, seed, tolerance)
        quick = Brute().try_decide(board, deadline, tolerance, BRUTE_SLICES)
        return quick or run(deadline, RACE_SOLVERS, board, seed, tolerance)
