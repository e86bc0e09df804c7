"""Queries by brute force over the codes of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat._core import SearchStatus
from mmsat.solving.brute import search
from mmsat.solving.queries.query import Answer, Query, RowSolver

if TYPE_CHECKING:
    from mmsat.constraints.system import System


class BruteForce(RowSolver):
    """The kernel's depth-first search over all codes.

    It finds no small cores, because it does not learn which rows rule out a subtree.
    """

    name = "brute"

    def __init__(self, system: System) -> None:
        self._system = system
        self._row_constraints = system.rows

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Search up to `budget` nodes."""
        system = self._system.with_rows(self._row_constraints[row] for row in sorted(query.rows))
        kernel = search(system)
        status = kernel.advance((1 << 62) if budget is None else budget)
        if status is SearchStatus.BUDGET_SPENT:
            return None
        if status is SearchStatus.CODE_FOUND:
            return Answer(kernel.code)
        return Answer(None, query.rows)
