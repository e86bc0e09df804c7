"""The engine auto: brute force and the weighted search for a short time, then a race of solvers.

The first two stages run in this process, load no solver library, and decide nearly all boards that
players enter. The race runs in two processes (race.py).
"""

from mmsat.constraints.system import System
from mmsat.game.board import Board
from mmsat.game.tolerance import Tolerance
from mmsat.solving.brute import Brute
from mmsat.solving.deadline import Deadline, is_large, run
from mmsat.solving.engine import Decision, Engine
from mmsat.solving.weighted import Weighted

MAX_FIRST_NODES = 1 << 14
"""Maximum number of nodes of brute force before the weighted search: half a millisecond. If these
are not enough, the weighted search decides most boards in 1 ms, and brute force in 5 to 10 ms."""
BRUTE_SLICES = 4
"""Number of slices of brute force before the race on boards that the weighted search does not
support, such as boards with lies or a word list. They take 10 ms."""


class Auto(Engine):
    """The default engine."""

    name = "auto"
    summary = (
        "brute force and the weighted search while quick, then a race of SAT, lattices and CP-SAT"
    )
    supports_lies = True

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        """Run brute force, the weighted search, then the race of solvers until the deadline.

        The verdict is always the same. After a race, the code is that of the winner, which may
        differ from run to run.
        """
        if not is_large(board):
            decision = decide_quickly(board, deadline, tolerance)
            if decision is not None:
                return decision
        # imported here, because it loads the solvers
        from mmsat.solving.race import decide_large, race_solvers

        decide = decide_large if is_large(board) else race_solvers
        return run(deadline, decide, board, seed, tolerance)


def decide_quickly(board: Board, deadline: Deadline, tolerance: Tolerance) -> Decision | None:
    """Decide by a short brute force or the weighted search; return None if neither decides."""
    brute, weighted = Brute(), Weighted()
    if not tolerance.lies:
        decision = brute.try_decide(board, deadline, slices=1, nodes=MAX_FIRST_NODES)
        if decision is not None:
            return decision
        if weighted.supports(System.of(board)):
            return weighted.try_decide(board, deadline)
    return brute.try_decide(board, deadline, tolerance, BRUTE_SLICES)
