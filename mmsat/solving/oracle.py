"""Queries about subsets of rows: the order of the solvers and their budgets.

`SubsetOracle` tries these solvers in order, the fastest first. An `Adaptive` solver has a budget
that can grow after each decision, and shrinks after each failure.

1. The cache of earlier answers (`AnswerCache`).
2. Brute force (`BruteForce`), on boards of up to `MAX_BRUTE_ROWS` rows and fewer than `WIDE_PEGS`
   pegs. In games of up to `SMALL_GAME_CODES` codes it decides all queries. In larger games it has
   `BRUTE_NODES` nodes, about 0.05 ms, and is not tried again after its first failure.
3. Linear algebra (`Algebra`), on two-color boards of at least `WIDE_PEGS` pegs. Steps 4 and 5 are
   then skipped, because SAT decides no query that the algebra does not decide.
4. A short weighted search without presolve (`ShortSearch`), on dense boards. It decides nearly all
   queries of boards of 10x10 to 15x15, so that no solver library is loaded for them.
5. One incremental SAT solver (`IncrementalSat`). Its budget starts at `START_PROPAGATIONS`, a
   fraction of a second, doubles after each decision and is halved after each failure.
6. The portfolio of solvers on presolved rows (portfolios.py), on dense boards.
7. SAT and CP-SAT, interleaved, on the simplified rows (`Interleaved`). They decide every query.
   CP-SAT needs between a second and a minute for the same query, depending on its random seed, so
   each step uses a different seed.

With lies, a code satisfies a set of rows if their lies are within the tolerance. In this case, only
the incremental SAT solver is used, without a budget.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.constraints import System
from mmsat.constraints.presolve_steps import is_algebraic, simplify
from mmsat.errors import InternalError
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.limits import LIMITS
from mmsat.solving import find_code
from mmsat.solving.portfolios import DensePortfolio, sat_and_cp
from mmsat.solving.presolved_queries import is_dense
from mmsat.solving.row_queries import (
    Algebra,
    Answer,
    AnswerCache,
    BruteForce,
    IncrementalSat,
    Query,
    Rows,
    RowSolver,
    Violations,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.game import Code
    from mmsat.game.board import Board


@dataclass
class Adaptive(RowSolver):
    """Runs a solver with a budget that can grow after decisions, and shrinks after failures.

    If the budget falls to 0, the solver is not run again.
    """

    solver: RowSolver
    budget: int
    limit_name: str
    """The attribute of `LIMITS` that is the maximum budget."""
    growth: int = 1
    """The factor by which the budget grows after a decision."""
    minimum: int = 0
    """The minimum budget. Each failure halves the budget."""
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


class Interleaved(RowSolver):
    """SAT and CP-SAT, interleaved with growing budgets; they decide every query."""

    name = "sat and cp"

    def __init__(self, board: Board) -> None:
        self._board = board

    def solve(self, query: Query, budget: int | None = None) -> Answer:
        """Solve the query; the budget is ignored."""
        row_indices = sorted(query.rows)
        systems, _, refuting_rows = simplify(self._board.only(row_indices))
        code = find_code(map(sat_and_cp, systems))
        if code is not None:
            return Answer(code)
        if refuting_rows is None:
            return Answer(None, query.rows)
        return Answer(None, frozenset(row_indices[row] for row in refuting_rows))


START_FAILURES = 2_000
"""The first budget of the short search; the maximum is `LIMITS.query_failures`."""
START_PROPAGATIONS = 200_000
"""The first budget of SAT."""
MIN_PROPAGATIONS = 10_000
"""The minimum budget of SAT; the maximum is `LIMITS.query_propagations`."""
MAX_BRUTE_ROWS = 32
"""Maximum number of rows of a board for which brute force is tried. Brute force does not find small
cores, and large cores of many rows are of little use."""
SMALL_GAME_CODES = 1 << 15
"""Maximum number of codes of a game in which brute force decides each query."""
BRUTE_NODES = 1 << 11
"""Maximum number of nodes of brute force per query in larger games."""
QUERY_COST = 10_000
"""Fixed cost of a query, in propagations of SAT."""
FAILURE_COST = 12
"""Cost of a failure of the weighted search, in propagations of SAT."""
WIDE_PEGS = 24
"""Minimum number of pegs of a wide board. Brute force is not tried on wide boards, and the algebra
only on wide boards of two colors, because SAT is as fast on others."""
MAX_ROUNDS = 13
"""Maximum number of rounds of the portfolio for dense boards: a minute or two."""


class HardQueryError(Exception):
    """Raised if a query is not decided within the limit of `limit_rounds`."""


class SubsetOracle:
    """Finds codes that satisfy sets of rows of one board, or cores of these rows."""

    def __init__(self, board: Board, tolerance: Tolerance = STRICT) -> None:
        """Set up the oracle; the first query that needs a solver creates it."""
        self.board = board
        self.tolerance = tolerance
        self.answer = Answer(None)
        """The answer to the last query."""
        self.solver_name = ""
        """The solver that found the last answer; empty if the last query was too hard."""
        self.decided: Counter[str] = Counter()
        """The number of queries that each solver decided."""
        self.omission_costs: dict[int, int] = {}
        """For some rows, the cost of refuting all other rows (see diagnosis/correction_sets.py)."""
        self.system = System.of(board, tolerance)
        self.sat = IncrementalSat(self.system)
        self.violations = Violations(board, tolerance)
        self._max_rounds: int | None = None
        self._cache = AnswerCache()

    @property
    def all_rows(self) -> Rows:
        """The indices of all rows of the board."""
        return frozenset(range(len(self.board.rows)))

    @cached_property
    def dense_portfolio(self) -> DensePortfolio | None:
        """The portfolio for dense boards; None if the board is not dense."""
        is_suited = not self.tolerance.lies and is_dense(self.system)
        return DensePortfolio(self.system) if is_suited else None

    @property
    def is_wide_and_strict(self) -> bool:
        """Whether the board has too many pegs for brute force, and no lies are tolerated."""
        return self.board.game.pegs >= WIDE_PEGS and not self.tolerance.lies

    @cached_property
    def _first_solvers(self) -> list[RowSolver]:
        """The solvers that run before the portfolio for dense boards, in order."""
        if self.tolerance.lies:
            return [self.sat]
        solvers: list[RowSolver] = [self._cache]
        if not self.is_wide_and_strict and len(self.board.rows) <= MAX_BRUTE_ROWS:
            is_small = self.board.game.size <= SMALL_GAME_CODES
            nodes = 4 * SMALL_GAME_CODES if is_small else BRUTE_NODES
            brute = BruteForce(self.system)
            solvers.append(Adaptive(brute, nodes, "query_nodes", retires=True))
        if self.is_wide_and_strict and is_algebraic(self.board):
            return [*solvers, Algebra(self.board)]
        if self.dense_portfolio is not None:
            short = self.dense_portfolio.short_search
            solvers.append(Adaptive(short, START_FAILURES, "query_failures", growth=2))
        limit_name = "query_propagations"
        sat = Adaptive(self.sat, START_PROPAGATIONS, limit_name, growth=2, minimum=MIN_PROPAGATIONS)
        return [*solvers, sat]

    def find(self, rows: Iterable[int], max_violations: int = 0) -> Code | None:
        """Return a code that satisfies the rows, or return None and set `core`.

        With a positive `max_violations`, None may also mean that each such code violates more than
        this number of the other rows. A returned code may violate more of them nevertheless. With
        0, the other rows are ignored. Raises HardQueryError if the query is not decided within the
        limit of `limit_rounds`.
        """
        self.answer, self.solver_name = Answer(None), ""
        query = Query(frozenset(rows))
        others = self.all_rows - query.rows
        # Only the weighted search supports relaxable rows.
        if 0 < max_violations < len(others) and self.is_decided_by_search:
            query = query._replace(relaxable=others, max_violations=max_violations)
        answer, name = self._run_solvers(query)
        self._store(query, answer, name, is_reusable=not query.relaxable)
        return self.code

    def _run_solvers(self, query: Query) -> tuple[Answer, str]:
        """Run the solvers until one answers; return the answer and the name of the solver."""
        # For relaxable rows, only the portfolio for dense boards can find further codes. So the
        # solvers between the cache and the portfolio are skipped.
        solvers = [self._cache] if query.relaxable else self._first_solvers
        for solver in solvers:
            answer = solver.solve(query)
            if answer is not None:
                return answer, solver.name
        if self._max_rounds == 0:
            raise HardQueryError
        if self.dense_portfolio is not None:
            answer = self.dense_portfolio.solve(query, self._round_limit)
            if answer is not None:
                return answer, self.dense_portfolio.name
        if self._max_rounds is not None:
            raise HardQueryError
        return Interleaved(self.board).solve(query), Interleaved.name

    @property
    def _round_limit(self) -> int:
        """The maximum number of rounds of the portfolio for dense boards."""
        return MAX_ROUNDS if self._max_rounds is None else self._max_rounds

    def _store(self, query: Query, answer: Answer, name: str, *, is_reusable: bool) -> None:
        """Verify an answer and store it in the cache, a core only if `is_reusable`."""
        self._verify(query, answer)
        self.answer, self.solver_name = answer, name
        self.decided[name] += 1
        if self.tolerance.lies or name == self._cache.name:
            return
        if answer.code is not None:
            self._cache.store_code(answer.code, self.violations.satisfied_rows(answer.code))
        elif is_reusable:
            self._cache.store_core(answer.core)

    def _verify(self, query: Query, answer: Answer) -> None:
        """Raise InternalError if the code violates the query or the core has rows outside it."""
        code = answer.code
        if code is None:
            is_valid = answer.core <= query.rows
        else:
            is_satisfied = self.violations.excess(code, query.rows) <= 0
            is_valid = is_satisfied and code not in self.board.known
        if not is_valid:
            raise InternalError(f"{answer} does not answer {query} about {self.board}")

    @property
    def code(self) -> Code | None:
        """The code of the last answer."""
        return self.answer.code

    @property
    def core(self) -> Rows:
        """The core of the last answer; empty if it has a code."""
        return self.answer.core

    def core_of(self, rows: Iterable[int]) -> Rows | None:
        """Return a core of the rows, or None if a code satisfies all rows."""
        return self.core if self.find(rows) is None else None

    def can_find_next(self, violated: Rows = frozenset()) -> bool:
        """Return whether `find_next` supports the last query and these violated rows."""
        portfolio = self.dense_portfolio
        if portfolio is None or portfolio.query is None or self.solver_name != portfolio.name:
            return False
        can_continue = portfolio.work is not None and portfolio.work.can_continue
        return can_continue and violated <= portfolio.query.relaxable

    def find_next(self, violated: Rows = frozenset()) -> Code | None:
        """Return another code for the last query.

        It satisfies at least one row in `violated`, unless that is empty. Call this only if
        `can_find_next(violated)` is true. Returns None if there is no such code.
        """
        if self.dense_portfolio is None or self.dense_portfolio.query is None:
            raise InternalError("no query to continue")
        self.answer, self.solver_name = Answer(None), ""
        answer = self.dense_portfolio.next_answer(violated, self._round_limit)
        if answer is None:
            raise HardQueryError
        # The core is not reusable, because excluded codes may satisfy it.
        self._store(
            self.dense_portfolio.query, answer, self.dense_portfolio.name, is_reusable=False
        )
        return self.code

    @contextmanager
    def limit_rounds(self, rounds: int | None) -> Iterator[None]:
        """Limit the rounds of the portfolio for dense boards; None means no limit.

        A query that is undecided after these rounds raises HardQueryError. On other boards, a query
        raises it if the first solvers do not decide it.
        """
        previous_limit, self._max_rounds = self._max_rounds, rounds
        try:
            yield
        finally:
            self._max_rounds = previous_limit

    @property
    def rounds(self) -> int:
        """The rounds of the portfolio for the last query; 0 if another solver decided it."""
        is_by_portfolio = self.solver_name == DensePortfolio.name
        work = (
            self.dense_portfolio.work
            if is_by_portfolio and self.dense_portfolio is not None
            else None
        )
        return 0 if work is None else work.round

    @property
    def used_dense_portfolio(self) -> bool:
        """Whether the portfolio for dense boards decided some query."""
        return self.decided[DensePortfolio.name] > 0

    @property
    def used_interleaved(self) -> bool:
        """Whether interleaved SAT and CP-SAT decided some query."""
        return self.decided[Interleaved.name] > 0

    @property
    def is_hard(self) -> bool:
        """Whether some query needed more than the first solvers."""
        return self.used_interleaved or self.used_dense_portfolio

    @property
    def lattice_rounds(self) -> int:
        """The rounds of the last work of the portfolio if it used a lattice, otherwise 0."""
        work = None if self.dense_portfolio is None else self.dense_portfolio.last_work
        return 0 if work is None or work.others.lattice is None else work.round

    @property
    def is_decided_by_search(self) -> bool:
        """Whether the portfolio for dense boards decides hard queries without a lattice."""
        return self.used_dense_portfolio and not self.lattice_rounds

    @property
    def cost(self) -> int:
        """The cost of all queries in propagations of SAT, including weighted searches."""
        portfolio = self.dense_portfolio
        failures = 0 if portfolio is None else portfolio.failures + portfolio.short_search.failures
        queries = QUERY_COST * self.decided.total()
        return queries + self.sat.propagations + FAILURE_COST * failures
