"""Brute force: the compiled depth-first search over all codes, cut where a row is out of reach.

Complete and without a solver. It decides boards of ordinary size in microseconds, and is the
yardstick for every other engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat._core import Search
from mmsat._core import Status as Step
from mmsat.answers import Status
from mmsat.constraints.system import System
from mmsat.solve.engine import Decision, Engine, proven

if TYPE_CHECKING:
    from mmsat.game.board import Board
    from mmsat.solve.deadline import Deadline

SLICE = 1 << 16
"""Nodes between two looks at the clock: a few milliseconds."""


def search(system: System, slack: int = 0) -> Search:
    """The search for the codes of a system, or for those that break at most `slack` rows."""
    facts = system.facts
    return Search(facts.pegs, facts.colors, system.ground, system.rows, slack)


class Brute(Engine):
    """Search all codes."""

    name = "brute"
    summary = "compiled search over all codes"

    def decide(self, board: Board, deadline: Deadline, seed: int | None = None) -> Decision:  # noqa: ARG002
        """Search until the first code, the end, or the deadline."""
        decision = self.try_decide(board, deadline, None)
        return decision or Decision(Status.UNKNOWN, None, self.name)

    def try_decide(self, board: Board, deadline: Deadline, nodes: int | None) -> Decision | None:
        """Decide within so many nodes, or return None."""
        walk = search(System.of(board))
        while not deadline.passed and (nodes is None or nodes > 0):
            step = SLICE if nodes is None else min(SLICE, nodes)
            status = walk.advance(step)
            if status is Step.CODE_FOUND:
                return proven(board, walk.code, self.name)
            if status is Step.EXHAUSTED:
                return proven(board, None, self.name)
            if nodes is not None:
                nodes -= step
        return None
