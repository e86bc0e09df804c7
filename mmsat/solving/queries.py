"""Queries for codes that satisfy some rows of a board, and the protocol of their solvers.

- A `Query` has rows for which a code is sought. Its `Answer` is a code or a core.
- A `RowSolver` solves queries about the rows of one board. A `SteppingSolver` works step by step on
  a `QueryWork`, and resumes if the same query is repeated.
- `SystemWork` adapts a solver of a system of constraints, which does not know the rows.

The solvers, each of which may reuse results of earlier queries:

- answer_cache.py: `AnswerCache`, the answers to earlier queries
- searches.py: `BruteForce`
- refutation.py: `Algebra`, which refutes by linear algebra
- presolved_rows.py: `Presolver`, which refutes by presolve
- weighted_rows.py: `ShortSearch`, and `WeightedRowSolver` on presolved rows
- sat.py: `IncrementalSat`
- cp.py: `CpSat` on presolved rows, and `ColorCountsWork`
- lattice.py: `LatticeEnumeration` on presolved rows

oracle.py runs them, and policy.py has their order and budgets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from mmsat.limits import LIMITS
from mmsat.solving import Work, growing_budgets

if TYPE_CHECKING:
    from collections.abc import Collection

    from mmsat.game import Code
    from mmsat.solving.policy import Turn

Rows: TypeAlias = frozenset[int]
"""Row indices, from 0."""
NO_LIMIT = 1 << 62
"""A budget of the kernel that no search uses up."""


class Query(NamedTuple):
    """Rows of a board for which a code is sought."""

    rows: Rows
    """The rows that the code must satisfy."""
    relaxable: Rows = frozenset()
    """Further rows, of which the code should violate at most `max_violations`. Solvers may ignore
    these rows."""
    max_violations: int = 0
    """Maximum number of `relaxable` rows that the code should violate."""


class Answer(NamedTuple):
    """The answer to a query: a code or a core."""

    code: Code | None
    """A code that satisfies the rows of the query."""
    core: Rows = frozenset()
    """Rows of the query that no code satisfies together, not always minimal; empty with a code.

    If the query has relaxable rows, no code satisfies the core and violates at most
    `max_violations` relaxable rows.
    """


class RowSolver(ABC):
    """A solver for queries about the rows of one board."""

    name: str

    @abstractmethod
    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return the answer, or None if the query is undecided.

        The unit of the budget depends on the solver; None means no limit. Incomplete solvers may
        return None even if there is no limit.
        """


class QueryWork(Work):
    """Work on one query, step by step."""

    core: Rows = frozenset()
    """The core of the answer if the work is decided without a code."""
    can_decide: bool = True
    """Whether further steps may decide the query; False only if the solver is incomplete."""

    @property
    def answer(self) -> Answer:
        """The answer, once the work is decided."""
        return Answer(self.code, frozenset() if self.code is not None else self.core)


W = TypeVar("W", bound=QueryWork)


class SteppingSolver(RowSolver, Generic[W]):
    """A solver that works on a query step by step, and resumes if the same query is repeated."""

    def __init__(self) -> None:
        self.query: Query | None = None
        """The last query."""
        self.work: W | None = None
        """The work on the last query; None if it was answered at once or is not supported."""
        self.last_work: W | None = None
        """The last work on any query. The next work may use what this work learned."""
        self.answer: Answer | None = None
        """The answer to the last query, once it is known."""

    @abstractmethod
    def start(self, query: Query) -> W | Answer | None:
        """Begin to work on a query.

        Return the work, the answer if it is known at once, or None if the query is not supported.
        """

    def restart(self, query: Query) -> W | None:
        """Begin to work on a query, even if it equals the last one; return the work, if any."""
        started = self.start(query)
        self.query = query
        self.work = started if isinstance(started, QueryWork) else None
        self.answer = started if isinstance(started, Answer) else None
        self.last_work = self.work or self.last_work
        return self.work

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Run up to `budget` steps, whose budgets are 1, 2, 4, 8 ..."""
        if query != self.query:
            self.restart(query)
        if self.answer is None and self.work is not None:
            for step_budget in islice(growing_budgets(), budget):
                if not self.work.can_decide:
                    break
                if self.work.step(step_budget):
                    self.answer = self.work.answer
                    break
        return self.answer


class SystemWork(QueryWork):
    """Work on the system of some rows; if it is refuted, the core is all of these rows."""

    def __init__(self, work: Work, rows: Rows) -> None:
        self._work = work
        self.name = work.name
        self.core = rows

    def step(self, budget: int, excluded: Collection[Code] = ()) -> bool:
        """Run a step. If it finds an excluded code, run another step with the same budget.

        Codes may be excluded only if the work can find further codes.
        """
        while self._work.step(budget):
            self.code = self._work.code
            if self.code not in excluded:
                return True
        return False


class Adaptive(RowSolver):
    """Run a solver with a budget that grows after decisions and shrinks otherwise; see `Turn`."""

    def __init__(self, solver: RowSolver, turn: Turn) -> None:
        self.solver = solver
        self.budget = turn.budget
        """The budget of the next query; None means no limit."""
        self._turn = turn

    @property
    def name(self) -> str:  # type: ignore[override]  # an attribute of other solvers
        """The name of the solver."""
        return self.solver.name

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Solve within the adaptive budget; `budget` is ignored."""
        turn = self._turn
        if self.budget is None:
            return self.solver.solve(query)
        maximum = getattr(LIMITS, turn.limit_name)
        current = min(self.budget, maximum)
        if current == 0:
            return None
        answer = self.solver.solve(query, current)
        if answer is not None:
            self.budget = min(current * turn.growth, maximum)
        else:
            self.budget = 0 if turn.retires_on_failure else max(turn.minimum, current // 2)
        return answer
