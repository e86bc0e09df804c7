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
    """A formula with one selector per row; a query assumes the selectors of its rows.

    A row is selected by its index, so that equal rows are distinct. If the system has a budget for
    violated rows, the formula counts the violations among the selected rows.
    """

    name = "sat"

    def __init__(self, system: System, solver: str = "minisat22") -> None:
        """Let the first query create the solver, which has the name `solver` in python-sat."""
        self._system = system
        self._solver_name = solver

    @cached_property
    def builder(self) -> Builder:
        """The builder of the formula. With lies, raises SizeError if that needs too much memory."""
        if self._system.budget:
            require_memory(self._system, DEFAULT, with_selectors=True)
        return Builder(self._system, with_selectors=True)

    @cached_property
    def growing(self) -> GrowingSolver:
        """The solver with the formula."""
        return GrowingSolver(self._solver_name, self.builder.formula)

    @property
    def propagations(self) -> int:
        """The number of propagations in all queries."""
        if "growing" not in self.__dict__:
            return 0
        return int(self.growing.solver.accum_stats()["propagations"])

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Solve within `budget` propagations."""
        selectors = self.builder.formula.selectors
        row_of = {selectors[row]: row for row in query.rows}
        solver = self.growing.solver
        if budget is None:
            is_satisfiable = solver.solve(assumptions=sorted(row_of))
        else:
            solver.prop_budget(budget)
            is_satisfiable = solver.solve_limited(assumptions=sorted(row_of))
        if is_satisfiable is None:
            return None
        if is_satisfiable:
            return Answer(code_of(solver.get_model(), self._system.variables))
        return Answer(None, frozenset(row_of[literal] for literal in solver.get_core() or []))

    def find(self, query: Query) -> Code | None:
        """Return a code that satisfies the query, or None; without a budget."""
        answer = self.solve(query)
        return None if answer is None else answer.code

    @contextmanager
    def extending(self) -> Iterator[Builder]:
        """Yield the builder to extend the formula, then add the new clauses to the solver."""
        growing = self.growing  # created first, so that catch_up adds only what is new
        yield self.builder
        growing.catch_up()
