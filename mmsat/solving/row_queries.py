"""Queries for codes that satisfy some rows of a board, and solvers of such queries.

- A `Query` has rows for which a code is sought. Its `Answer` is a code or a core.
- A `RowSolver` solves queries about the rows of one board. A `SteppingSolver` works step by step on
  a `QueryWork`, and resumes if the same query is repeated.
- `SystemWork` adapts a solver of a system of constraints, which does not know the rows.
- `Violations` finds the violated rows of codes.

The solvers of this module do not presolve the rows. They reuse earlier answers (`AnswerCache`),
refute by linear algebra (`Algebra`), or search: by brute force, by the weighted search
(`ShortSearch`) and by incremental SAT. Each may reuse results of earlier queries.
presolved_queries.py and portfolios.py have further solvers, and oracle.py selects among them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from mmsat._core import SearchStatus, WeightedSearch
from mmsat.encoding.cnf import DEFAULT, Builder, require_memory
from mmsat.solving import Work, growing_budgets
from mmsat.solving.sat import GrowingSolver, code_of
from mmsat.solving.searches import search

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from mmsat.constraints import System
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
        """Return the rows such that the code satisfies `rows` if any one of them is removed."""
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
        # The solver is created first, so that `catch_up` adds only new clauses.
        growing_solver = self.growing_solver
        yield self.builder
        growing_solver.catch_up()
