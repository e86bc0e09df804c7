"""A solver with a budget that adapts to the queries of a board."""

from __future__ import annotations

from dataclasses import dataclass

from mmsat.limits import LIMITS
from mmsat.solving.queries.query import Answer, Query, RowSolver


@dataclass
class Adaptive(RowSolver):
    """Runs a solver with a budget that grows after decisions and shrinks after failures.

    If the budget falls to 0, the solver is not run again.
    """

    solver: RowSolver
    budget: int
    limit: str
    """The attribute of `LIMITS` that is the maximum budget."""
    growth: int = 1
    """The factor of the budget after a decision."""
    shrinkage: int = 2
    """The divisor of the budget after a failure."""
    minimum: int = 0

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the solver."""
        return self.solver.name

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Solve within the adaptive budget, or a smaller one if given."""
        budgets = [self.budget, getattr(LIMITS, self.limit), *([] if budget is None else [budget])]
        if min(budgets) == 0:
            return None
        answer = self.solver.solve(query, min(budgets))
        if answer is None:
            self.budget = max(self.minimum, self.budget // self.shrinkage)
        else:
            self.budget *= self.growth
        return answer
