"""auto: brute force while that is quick, then a short try by SAT, then CP-SAT.

Most boards that people bring end in the first stage, without a solver being loaded at all. Of the
rest, sparse ones fall to clause learning with native counting in a moment; what withstands that is
CP-SAT's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.answers import Status
from mmsat.solve.brute import Brute
from mmsat.solve.cp import Cp
from mmsat.solve.engine import Decision, Engine
from mmsat.solve.sat import Sat

if TYPE_CHECKING:
    from mmsat.game.board import Board
    from mmsat.solve.deadline import Deadline

BRUTE_NODES = 1_000_000
"""Nodes of brute force before solvers are asked: some tens of milliseconds."""
SAT_CONFLICTS = 5_000
"""Conflicts of SAT before CP-SAT is asked: about as long as it takes to load CP-SAT."""


class Auto(Engine):
    """The engine to use without a reason for another."""

    name = "auto"
    summary = "brute force while quick, then SAT, then CP-SAT"

    def decide(self, board: Board, deadline: Deadline, seed: int | None = None) -> Decision:
        """Ask each stage in turn."""
        quick = Brute().try_decide(board, deadline, BRUTE_NODES)
        if quick is not None:
            return quick
        decision = Sat("gluecard4", "native", SAT_CONFLICTS).decide(board, deadline, seed)
        if decision.status is Status.UNKNOWN and not deadline.passed:
            decision = Cp().decide(board, deadline, seed)
        return decision
