"""Solvers of queries that do not presolve the rows.

They reuse earlier answers (`AnswerCache`), refute by linear algebra (`Algebra`), or search: by
brute force, by the weighted search (`ShortSearch`) and by incremental SAT.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat._core import SearchStatus, WeightedSearch
from mmsat.encoding.cnf import DEFAULT, Builder, require_memory
from mmsat.solving.brute import search
from mmsat.solving.queries.query import Answer, Query, Rows, RowSolver
from mmsat.solving.sat import GrowingSolver, code_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.constraints.system import System
    from mmsat.game import Code
    from mmsat.game.board import Board


MAX_ANSWERS = 2000
"""Maximum number of codes, and also of cores, that are stored; the oldest are dropped first."""


class AnswerCache(RowSolver):
    """The codes and cores of earlier answers."""

    name = "cache"

    def __init__(self) -> None:
        self._codes: deque[tuple[Code, Rows]] = deque(maxlen=MAX_ANSWERS)
        """Codes, each with all rows that it satisfies."""
        self._cores: deque[Rows] = deque(maxlen=MAX_ANSWERS)

    def store_code(self, code: Code, satisfied: Rows) -> None:
        """Store a code and all rows that it satisfies."""
        self._codes.append((code, satisfied))

    def store_core(self, core: Rows) -> None:
        """Store rows that no code satisfies together."""
        self._cores.append(core)

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return the first code or core that answers the query, or None.

        A code that violates too many relaxable rows is not returned.
        """
        for code, satisfied in self._codes:
            if query.rows <= satisfied and len(query.relaxable - satisfied) <= query.max_violations:
                return Answer(code)
        for core in self._cores:
            if core <= query.rows:
                return Answer(None, core)
        return None


class Algebra(RowSolver):
    """Refutes rows by a linear combination of their equations; it never finds codes."""

    name = "algebra"

    def __init__(self, board: Board) -> None:
        self._board = board

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return a refutation of the rows, or None; the budget is ignored: elimination is fast."""
        from mmsat.solving.refutation import refute

        row_indices = sorted(query.rows)
        refutation = refute(self._board.only(row_indices))
        if refutation is None:
            return None
        return Answer(None, frozenset(row_indices[row] for row in refutation.rows))


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


class IncrementalSat(RowSolver):
    """A SAT solver whose formula has a selector for each row; a query assumes those of its rows.

    Equal rows have different selectors. If the system has a budget, the formula counts the
    violations of the selected rows.
    """

    name = "sat"

    def __init__(self, system: System, solver: str = "minisat22") -> None:
        """Set the name of the python-sat solver, which the first query creates."""
        self._system = system
        self._solver_name = solver

    @cached_property
    def builder(self) -> Builder:
        """The builder of the formula; raises SizeError if lies make the formula too large."""
        if self._system.budget:
            require_memory(self._system, DEFAULT, with_selectors=True)
        return Builder(self._system, with_selectors=True)

    @cached_property
    def growing_solver(self) -> GrowingSolver:
        """The solver, loaded with the formula."""
        return GrowingSolver(self._solver_name, self.builder.formula)

    @property
    def propagations(self) -> int:
        """The number of propagations in all queries."""
        if "growing_solver" not in self.__dict__:  # not created yet
            return 0
        return int(self.growing_solver.solver.accum_stats()["propagations"])

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Solve within `budget` propagations."""
        selectors = self.builder.formula.selectors
        row_of_selector = {selectors[row]: row for row in query.rows}
        solver = self.growing_solver.solver
        if budget is None:
            is_satisfiable = solver.solve(assumptions=sorted(row_of_selector))
        else:
            solver.prop_budget(budget)
            is_satisfiable = solver.solve_limited(assumptions=sorted(row_of_selector))
        if is_satisfiable is None:
            return None
        if is_satisfiable:
            return Answer(code_of(solver.get_model(), self._system.variables))
        return Answer(
            None, frozenset(row_of_selector[literal] for literal in solver.get_core() or [])
        )

    def find(self, query: Query) -> Code | None:
        """Return a code that satisfies the query, or None; there is no time limit."""
        answer = self.solve(query)
        return None if answer is None else answer.code

    @contextmanager
    def extending(self) -> Iterator[Builder]:
        """Yield the builder, so that the caller extends the formula; then update the solver."""
        growing_solver = (
            self.growing_solver
        )  # created first, so that catch_up adds only new clauses
        yield self.builder
        growing_solver.catch_up()
