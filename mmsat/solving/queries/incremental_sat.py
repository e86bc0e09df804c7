"""Queries by an incremental SAT solver."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.encoding.cnf import DEFAULT, Builder, require_memory
from mmsat.solving.queries.query import Answer, Query, RowSolver
from mmsat.solving.sat import GrowingSolver, code_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.constraints.system import System
    from mmsat.game.row import Code


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
