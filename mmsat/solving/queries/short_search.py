"""Queries by the weighted search without presolve.

On medium-sized boards, such as 10x10 with 12 rows, most queries need a few hundred failures. This
takes less time than presolve or the encoding for SAT, and loads no library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat._core import SearchStatus, WeightedSearch
from mmsat.solving.queries.query import Answer, Query, Rows, RowSolver

if TYPE_CHECKING:
    from mmsat.constraints.system import System
    from mmsat.game.row import Code


class ShortSearch(RowSolver):
    """The weighted search on the original constraints; its budget is a number of failures."""

    name = "short search"

    def __init__(self, system: System) -> None:
        self._system = system
        self._row_constraints = system.rows
        self.failures = 0
        """The number of failures of all calls of `solve`."""
        self._weights: list[float] | None = None

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Search within `budget` failures, with the weights of the previous query."""
        search = self._begin(query)
        status = search.advance((1 << 62) if budget is None else budget)
        self._weights = search.weights
        self.failures += search.failures
        if status is SearchStatus.BUDGET_SPENT:
            return None
        if status is SearchStatus.CODE_FOUND:
            return Answer(search.code)
        return Answer(None, frozenset(search.used_rows) & query.rows)

    def list_codes(self, rows: Rows, max_failures: int, max_codes: int) -> list[Code] | None:
        """Return all codes that satisfy the rows, or None if a limit is exceeded."""
        search = self._begin(Query(rows))
        codes: list[Code] = []
        while len(codes) <= max_codes and search.failures < max_failures:
            status = search.advance(max_failures - search.failures)
            if status is SearchStatus.EXHAUSTED:
                return codes
            if status is SearchStatus.CODE_FOUND:
                codes.append(search.code)
        return None

    def _begin(self, query: Query) -> WeightedSearch:
        """Return a search for the query, with the weights that were learned last."""
        active_rows = query.rows | query.relaxable
        groups = [
            group if row in active_rows else () for row, group in enumerate(self._row_constraints)
        ]
        return WeightedSearch(
            *self._system.variables,
            list(self._system.hard),
            groups,
            sorted(query.relaxable),
            query.max_violations,
            self._weights,
        )
