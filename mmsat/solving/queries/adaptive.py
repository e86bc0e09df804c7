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
    limit_name: str
    """The attribute of `LIMITS` that is the maximum budget."""
    growth: int = 1
    """The factor of the budget after a decision."""
    minimum: int = 0
    """The minimum budget after failures, each of which halves it."""
    retires: bool = False
    """Whether the solver is not run again after its first failure."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the solver."""
        return self.solver.name

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Solve within the adaptive budget; `budget` is ignored."""
        maximum = getattr(LIMITS, self.limit_name)
        current = min(self.budget, maximum)
        if current == 0:
            return None
        answer = self.solver.solve(query, current)
        if answer is not None:
            self.budget = min(current * self.growth, maximum)
        else:
            self.budget = 0 if self.retires else max(self.minimum, current // 2)
        return answer
