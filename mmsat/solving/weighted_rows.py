"""Queries about rows by the weighted search (searches.py).

It supports relaxable rows, of which a code may violate a given number (`Query.relaxable`).
`ShortSearch` runs on the original constraints. `WeightedRowSolver` presolves the rows first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat._core import SearchStatus, WeightedSearch
from mmsat.limits import LIMITS
from mmsat.solving import policy
from mmsat.solving.presolved_rows import PresolvedRows, PresolvingSolver, reduce_rows
from mmsat.solving.queries import NO_LIMIT, Answer, Query, QueryWork, Rows, RowSolver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints import System
    from mmsat.game import Code
    from mmsat.game.space import CardinalityConstraint


class ShortSearch(RowSolver):
    """The weighted search on the original constraints; its budget is a number of failures."""

    name = "short search"

    def __init__(self, system: System) -> None:
        self._system = system
        self._row_constraints = system.row_constraints
        self.failures = 0
        """The number of failures of all calls of `solve`."""
        self._weights: list[float] | None = None

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Search within `budget` failures, with the weights of the previous query."""
        search = self._begin(query)
        status = search.advance(NO_LIMIT if budget is None else budget)
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


class WeightedQueryWork(QueryWork):
    """The weighted search for codes that satisfy a query, including its relaxable rows."""

    name = "weighted"

    def __init__(
        self,
        query: Query,
        presolved: PresolvedRows,
        last_search: WeightedQueryWork | None = None,
        required: Sequence[CardinalityConstraint] = (),
    ) -> None:
        """Set up the search with the weights that `last_search` learned.

        Codes must also satisfy the `required` constraints. If there are any, a refutation of the
        search does not refute the query, and no core is computed.
        """
        self.query = query
        self.presolved = presolved
        self.excluded: set[Code] = set()
        """Codes that are skipped."""
        self.weights: list[float] | None = None if last_search is None else last_search.weights
        """The weights when the search last found a code or ended; before that, those of
        `last_search`."""
        self.expected_failures = 0 if last_search is None else last_search.next_expected_failures
        """Expected number of failures, per relaxable row if there are any."""
        self.decisive_failures = 0
        """Number of failures until the search last found a code or ended."""
        self.is_undecided = False
        """Whether the budget of the last step was too small."""
        self._needs_core = not required
        system = presolved.system
        self._search = WeightedSearch(
            *system.variables,
            [*system.hard, *required],
            presolved.groups_with(query.relaxable),
            sorted(query.relaxable),
            query.max_violations,
            self.weights,
        )

    @property
    def first_budget(self) -> int:
        """The number of failures in a step of budget 1. This search runs on dense boards only."""
        expected = self.expected_failures * (len(self.query.relaxable) or 1)
        return max(LIMITS.dense_failures, policy.FIRST_BUDGET_FACTOR * expected)

    @property
    def next_expected_failures(self) -> int:
        """Expected number of failures of the next query, per relaxable row if there are any."""
        failures_per_row = self.decisive_failures // (len(self.query.relaxable) or 1)
        return max(failures_per_row, self.expected_failures // 2)

    @property
    def failures(self) -> int:
        """The number of failures so far."""
        return self._search.failures

    def step(self, budget: int) -> bool:
        """Search within `budget` times the first budget."""
        return self.advance(self.first_budget * budget)

    def advance(self, max_failures: int) -> bool:
        """Search for a code that is not excluded; return whether the search is decided.

        The search ends after `max_failures` further failures, but after one failure at least.
        """
        status = self._next_code(max(1, max_failures))
        self.is_undecided = status is SearchStatus.BUDGET_SPENT
        if self.is_undecided:
            return False
        self.decisive_failures = self._search.failures
        self.weights = self._search.weights
        if status is SearchStatus.CODE_FOUND:
            self.code = self._search.code
        else:
            self.code = None
            needs_core = self._needs_core and not self.excluded
            self.core = self._verified_core() if needs_core else self.query.rows
        return True

    def _next_code(self, max_failures: int) -> SearchStatus:
        """Search for a code that is not excluded, with `max_failures` for each code."""
        status = self._search.advance(max_failures)
        while status is SearchStatus.CODE_FOUND and self._search.code in self.excluded:
            status = self._search.advance(max_failures)
        return status

    def exclude_violations(self, rows: frozenset[int]) -> None:
        """Skip codes that violate all of these rows, which must be relaxable."""
        self._search.exclude(sorted(rows))

    def _verified_core(self) -> frozenset[int]:
        """Return the rows that the search used if they are a core, otherwise all rows of the query.

        The search also used the bounds found by presolve, which may depend on further rows.
        Therefore presolve and search are repeated with only the used rows and the rows that the
        bounds imply.
        """
        used_rows = frozenset(self._search.used_rows) & self.query.rows
        core = used_rows | self.presolved.implied_rows
        if core == self.query.rows:
            return core
        query = self.query._replace(rows=core)
        presolved = reduce_rows(self.presolved.original, core)
        if isinstance(presolved, Answer):
            return presolved.core
        if presolved.bounds == self.presolved.bounds:
            core_check = WeightedQueryWork(query, presolved, self)
            if core_check.advance(max(self.first_budget, policy.CORE_CHECK_FACTOR * self.failures)):
                return core_check.core if core_check.code is None else self.query.rows
        return self.query.rows


class WeightedRowSolver(PresolvingSolver[WeightedQueryWork]):
    """The weighted search, with the learned weights of the previous query."""

    name = "weighted"

    def begin(self, query: Query, presolved: PresolvedRows) -> WeightedQueryWork:
        """Set up the search."""
        return WeightedQueryWork(query, presolved, self.last_work)
