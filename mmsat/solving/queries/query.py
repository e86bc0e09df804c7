"""The classes of queries, answers and solvers.

- A `Query` has rows for which a code is sought. Its `Answer` is a code or a core.
- A `RowSolver` solves queries about the rows of one board. A `SteppingSolver` works step by step on
  a `QueryWork`, and resumes if the same query is repeated.
- `SystemWork` adapts a solver of a system of constraints, which does not know the rows.
- `Violations` finds the violated rows of codes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from mmsat.solving.portfolio import Work, growing_budgets

if TYPE_CHECKING:
    from collections.abc import Collection

    from mmsat.game import Code
    from mmsat.game.board import Board
    from mmsat.game.tolerance import Tolerance

Rows: TypeAlias = frozenset[int]
"""Row indices, from 0."""


class Query(NamedTuple):
    """Rows of a board for which a code is sought."""

    rows: Rows
    """The rows that the code must satisfy."""
    relaxable: Rows = frozenset()
    """Further rows, of which the code should violate at most `max_violations`. Solvers may ignore
    these rows."""
    max_violations: int = 0


class Answer(NamedTuple):
    """The answer to a query: a code or a core."""

    code: Code | None
    """A code that satisfies the rows of the query."""
    core: Rows = frozenset()
    """If there is no code: rows of the query that no code satisfies together, not always minimal.

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
    """If the work is decided without a code, the core of the answer."""
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
        """The work on the last query; None if that was answered at once or does not suit."""
        self.last_work: W | None = None
        """The last work on any query. The next work may use what this work learned."""
        self.answer: Answer | None = None
        """The answer to the last query, once it is known."""

    @abstractmethod
    def start(self, query: Query) -> W | Answer | None:
        """Begin to work on a query.

        Return the work, the answer if it is known at once, or None if the query does not suit the
        solver.
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


class Violations:
    """The rows that codes violate, with a tolerance; each code is scored once."""

    def __init__(self, board: Board, tolerance: Tolerance) -> None:
        self._board = board
        self._tolerance = tolerance
        self._costs: dict[Code, dict[int, int]] = {}

    def costs(self, code: Code) -> dict[int, int]:
        """Return the number of lies in each row that a code violates."""
        if code not in self._costs:
            board, tolerance = self._board, self._tolerance
            self._costs[code] = (
                {miss.row: tolerance.price([miss]) for miss in tolerance.misses(board, code)}
                if tolerance.lies
                else dict.fromkeys(board.missed(code), 1)
            )
        return self._costs[code]

    def excess(self, code: Code, rows: Rows) -> int:
        """Return the number of lies in some rows, given a code, minus the number of tolerated lies.

        The code satisfies the rows if the result is not positive.
        """
        costs = self.costs(code)
        return sum(costs.get(row, 0) for row in rows) - self._tolerance.lies

    def satisfied_rows(self, code: Code, rows: Rows = frozenset()) -> Rows:
        """Return a maximal set of rows that a code satisfies together, including `rows`.

        If the code does not satisfy `rows` within the tolerance, return the rows that it does not
        violate.
        """
        costs = self.costs(code)
        all_rows = frozenset(range(len(self._board.rows)))
        remaining_lies = -self.excess(code, rows)
        if remaining_lies < 0:
            return all_rows - costs.keys()
        satisfied = all_rows - (costs.keys() - rows)
        for row in sorted(costs.keys() - rows):
            if costs[row] <= remaining_lies:
                remaining_lies -= costs[row]
                satisfied |= {row}
        return satisfied

    def critical_rows(self, code: Code, rows: Rows) -> set[int]:
        """Return each of the rows without which the code satisfies all other rows."""
        excess = self.excess(code, rows)
        costs = self.costs(code)
        return {row for row in rows & costs.keys() if 0 < excess <= costs[row]}


class SystemWork(QueryWork):
    """Work on the system of some rows; if it is refuted, the core is all of these rows."""

    def __init__(self, work: Work, rows: Rows) -> None:
        self._work = work
        self.name = work.name
        self.core = rows

    def step(self, budget: int, excluded: Collection[Code] = ()) -> bool:
        """Run a step; after each excluded code, run another one with the full budget.

        Codes may be excluded only if the work can find further codes.
        """
        while self._work.step(budget):
            self.code = self._work.code
            if self.code not in excluded:
                return True
        return False
