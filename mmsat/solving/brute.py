"""Brute force: the compiled depth-first search over all codes, cut where a row is out of reach.

Where the codes are a list, the search walks only along their beginnings.

Complete and without a solver. It decides boards of ordinary size in microseconds, and is the
yardstick for every other engine.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from mmsat._core import Search
from mmsat._core import Status as Step
from mmsat.constraints.system import System
from mmsat.results import Status
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision, Engine, proven
from mmsat.solving.worker import TimeUpError, run
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.tolerance import Tolerance

SLICE = 1 << 16
"""Nodes between two looks at the clock: a few milliseconds."""
LOOKS = 1 << 23
"""Constraints that are looked at in about the same time; each node looks at all there are."""
LARGE = 100_000
"""Numbers in a table of rows, or of colors, by pegs, from which setting up takes long itself."""


def is_large(board: Board) -> bool:
    """Whether not even the search may be set up in this process, as it would overrun a deadline."""
    return board.game.pegs * (len(board.rows) + board.game.colors) > LARGE


def pace(system: System, nodes: int = SLICE) -> int:
    """So many nodes, or fewer where there are many constraints to look at in each."""
    return max(1, min(nodes, LOOKS // max(1, len(system.constraints))))


def search(system: System, slack: int = 0) -> Search:
    """The search for the codes of a system, or for those that break at most `slack` rows."""
    table = None if system.table is None else flat(system.table)
    hard = list(system.hard) if table is None else []  # a table says what these say
    if not system.budget:
        return Search(*system.variables, hard, system.rows, slack, table)
    for row in system.enforced:
        hard += row.constraints
    soft = [row.gauges or row.constraints for row in system.relaxed for _ in range(row.weight)]
    is_graded = any(row.gauges for row in system.relaxed)
    return Search(*system.variables, hard, soft, system.budget, table, is_graded)


@lru_cache(maxsize=4)
def flat(table: tuple[Code, ...]) -> array[int]:
    """The colors of a table in a row, as the search reads them; kept for a game's next board."""
    return array("H", chain.from_iterable(table))


class Brute(Engine):
    """Search all codes."""

    name = "brute"
    summary = "compiled search over all codes"
    knows_lies = True

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,  # noqa: ARG002
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Search until the first code, the end, or the deadline."""
        board, tolerance = self.simplify(board, tolerance)
        try:
            if is_large(board):
                decision = run(deadline, self.try_decide, board, Deadline(), None, tolerance)
            else:
                decision = self.try_decide(board, deadline, None, tolerance)
        except TimeUpError:
            decision = None
        return decision or Decision(Status.UNKNOWN, None, self.name)

    def try_decide(
        self,
        board: Board,
        deadline: Deadline,
        slices: int | None,
        tolerance: Tolerance = STRICT,
    ) -> Decision | None:
        """Decide in this process, within so many slices (None: any number), or return None.

        Where rows may be violated, the code is the one that violates the fewest, or the best one
        that was found in the time or the slices.
        """
        system = System.of(board, tolerance)
        walk, nodes = search(system), pace(system)
        best: Code | None = None
        while not deadline.passed and (slices is None or slices > 0):
            status = walk.advance(nodes)
            if status is Step.BUDGET_SPENT:
                slices = None if slices is None else slices - 1
            elif status is Step.EXHAUSTED:
                return proven(board, best, self.name, tolerance=tolerance)
            else:
                best = walk.code
                if walk.broken == 0:
                    break
                walk.set_slack(walk.broken - 1)  # from here on only better codes are of interest
        return None if best is None else proven(board, best, self.name, tolerance=tolerance)
