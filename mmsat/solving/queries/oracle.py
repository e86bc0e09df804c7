"""The policy of queries: the order of the solvers and their budgets.

`SubsetOracle` tries these solvers in order, the fastest first. An `Adaptive` solver has a budget
that grows after decisions and shrinks after failures.

1. Earlier answers (answer_cache.py).
2. Brute force (brute_force.py), on boards of up to `MAX_BRUTE_ROWS` rows and fewer than `WIDE_PEGS`
   pegs. In games of up to `SMALL_GAME_CODES` codes it decides all queries. In larger games it is
   tried with `BRUTE_NODES` nodes, about 0.05 ms, until that fails once.
3. Linear algebra (algebra.py), on two-color boards of at least `WIDE_PEGS` pegs. Steps 4 and 5 are
   then skipped, because SAT decides no query that the algebra leaves open.
4. A short weighted search without presolve (short_search.py), on dense boards. On boards of 10x10
   to 15x15 it decides nearly all queries, so that no solver library is loaded.
5. One incremental SAT solver (incremental_sat.py). Its budget starts at `START_PROPAGATIONS`, a
   fraction of a second, doubles after each decision and is halved after each failure.
6. The portfolio of solvers on presolved rows (counting.py), on dense boards.
7. SAT and CP-SAT alternately, on the simplified rows (`Interleaved`), which decide each query. A
   single query may take CP-SAT from a second to a minute, depending on chance, so each turn has
   another random seed.

With lies, a set of rows is satisfied by a code that violates at most the tolerated number of them.
Only the incremental SAT solver is then used, without a budget.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.constraints.system import System
from mmsat.errors import InternalError
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.limits import LIMITS
from mmsat.solving.portfolio import find_code
from mmsat.solving.queries.algebra import Algebra
from mmsat.solving.queries.answer_cache import AnswerCache
from mmsat.solving.queries.brute_force import BruteForce
from mmsat.solving.queries.counting import Counting
from mmsat.solving.queries.incremental_sat import IncrementalSat
from mmsat.solving.queries.presolved import is_dense
from mmsat.solving.queries.query import Answer, Query, Rows, RowSolver, Violations
from mmsat.solving.race import sat_and_cp
from mmsat.solving.simplification import is_algebraic, simplify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.game.board import Board
    from mmsat.game.row import Code


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


class Interleaved(RowSolver):
    """SAT and CP-SAT alternately, with growing budgets; they decide each query."""

    name = "sat and cp"

    def __init__(self, board: Board) -> None:
        self._board = board

    def solve(self, query: Query, budget: int | None = None) -> Answer:
        """Solve the query; the budget is ignored."""
        row_indices = sorted(query.rows)
        systems, _, refuting = simplify(self._board.only(row_indices))
        code = find_code(map(sat_and_cp, systems))
        if code is not None:
            return Answer(code)
        core = query.rows if refuting is None else (row_indices[row] for row in refuting)
        return Answer(None, frozenset(core))


START_FAILURES = 2_000
"""The first budget of the short search; the maximum is `LIMITS.question_failures`."""
START_PROPAGATIONS = 200_000
"""The first budget of SAT."""
MIN_PROPAGATIONS = 10_000
"""The minimum budget of SAT; the maximum is `LIMITS.question_propagations`."""
MAX_BRUTE_ROWS = 32
"""Maximum number of rows of a board for which brute force is tried. Its cores are not small."""
SMALL_GAME_CODES = 1 << 15
"""Maximum number of codes of a game in which brute force decides each query."""
BRUTE_NODES = 1 << 11
"""Maximum number of nodes of brute force in larger games."""
QUERY_COST = 10_000
"""Fixed cost of a query, in propagations of SAT."""
FAILURE_COST = 12
"""Cost of a failure of the weighted search, in propagations of SAT."""
WIDE_PEGS = 24
"""Minimum number of pegs of a two-color board for the algebra; below, SAT is as fast."""
MAX_ROUNDS = 13
"""Number of rounds of the portfolio for dense boards before SAT and CP-SAT: a minute or two."""


class HardQueryError(Exception):
    """A query is not decided within `limit_rounds`."""


class SubsetOracle:
    """Finds codes that satisfy sets of rows of one board, or cores of these rows.

    `solver` is the incremental SAT solver, and `wide_pegs` replaces `WIDE_PEGS`.
    """

    def __init__(
        self,
        board: Board,
        tolerance: Tolerance = STRICT,
        *,
        solver: str = "minisat22",
        wide_pegs: int = WIDE_PEGS,
    ) -> None:
        """Create no solver; the first queries create those they need."""
        self.board = board
        self.tolerance = tolerance
        self.everything: Rows = frozenset(range(len(board.rows)))
        """All rows."""
        self.answer = Answer(None)
        """The answer to the last query."""
        self.solver_name = ""
        """The solver that found it; empty if the last query was too hard."""
        self.decided: Counter[str] = Counter()
        """The number of queries that each solver decided."""
        self.omission_costs: dict[int, int] = {}
        """By row: the cost of refuting all other rows, as measured by `leaving_out`."""
        self.system = System.of(board, tolerance)
        self.sat = IncrementalSat(self.system, solver)
        self.violations = Violations(board, tolerance)
        self._wide_pegs = wide_pegs
        self._max_rounds: int | None = None
        self._cache = AnswerCache()

    @cached_property
    def counting(self) -> Counting | None:
        """The portfolio for dense boards; None if the board is not dense."""
        is_suited = not self.tolerance.lies and is_dense(self.system)
        return Counting(self.system) if is_suited else None

    @property
    def is_wide(self) -> bool:
        """Whether the board has too many pegs for brute force."""
        return self.board.game.pegs >= self._wide_pegs and not self.tolerance.lies

    @cached_property
    def _first_solvers(self) -> list[RowSolver]:
        """The solvers that are run first, in order."""
        if self.tolerance.lies:
            return [self.sat]
        solvers: list[RowSolver] = [self._cache]
        if not self.is_wide and len(self.everything) <= MAX_BRUTE_ROWS:
            is_small = self.board.game.size <= SMALL_GAME_CODES
            nodes = 4 * SMALL_GAME_CODES if is_small else BRUTE_NODES
            brute = BruteForce(self.system)
            solvers.append(Adaptive(brute, nodes, "question_nodes", retires=True))
        if self.is_wide and is_algebraic(self.board):
            return [*solvers, Algebra(self.board)]
        if self.counting is not None:
            short = self.counting.short_search
            solvers.append(Adaptive(short, START_FAILURES, "question_failures", growth=2))
        limit = "question_propagations"
        sat = Adaptive(self.sat, START_PROPAGATIONS, limit, growth=2, minimum=MIN_PROPAGATIONS)
        return [*solvers, sat]

    def find(self, rows: Iterable[int], max_violations: int = 0) -> Code | None:
        """Return a code that satisfies the rows, or return None and set `core`.

        With `max_violations`, None may also mean that each such code violates more of the other
        rows; a code that is returned may violate more of them. Raises HardQueryError if the query
        is not decided within `limit_rounds`.
        """
        self.answer, self.solver_name = Answer(None), ""
        query = Query(frozenset(rows))
        others = self.everything - query.rows
        # Only the weighted search makes use of relaxable rows.
        if 0 < max_violations < len(others) and self.is_decided_by_search:
            query = query._replace(relaxable=others, max_violations=max_violations)
        answer, name = self._run_solvers(query)
        self._keep(query, answer, name, is_reusable=not query.relaxable)
        return self.code

    def _run_solvers(self, query: Query) -> tuple[Answer, str]:
        # Relaxed queries go to the solvers that honor them, and can continue after a code.
        solvers = [self._cache] if query.relaxable else self._first_solvers
        for solver in solvers:
            answer = solver.solve(query)
            if answer is not None:
                return answer, solver.name
        if self._max_rounds == 0:
            raise HardQueryError
        if self.counting is not None:
            answer = self.counting.solve(query, self._rounds)
            if answer is not None:
                return answer, self.counting.name
        if self._max_rounds is not None:
            raise HardQueryError
        return Interleaved(self.board).solve(query), Interleaved.name

    @property
    def _rounds(self) -> int:
        return MAX_ROUNDS if self._max_rounds is None else self._max_rounds

    def _keep(self, query: Query, answer: Answer, name: str, *, is_reusable: bool) -> None:
        """Verify an answer, and keep it for later queries; its core only if it is reusable."""
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
        """Raise InternalError if a code does not satisfy the query, or a core is not part of it."""
        code = answer.code
        if code is None:
            is_right = answer.core <= query.rows
        else:
            is_satisfied = self.violations.excess(code, query.rows) <= 0
            is_right = is_satisfied and code not in self.board.known
        if not is_right:
            raise InternalError(f"{answer} does not answer {query} about {self.board}")

    @property
    def code(self) -> Code | None:
        """The code of the last answer."""
        return self.answer.code

    @property
    def core(self) -> Rows:
        """The core of the last answer, if it has no code."""
        return self.answer.core

    def core_of(self, rows: Iterable[int]) -> Rows | None:
        """Return a subset of the rows that no code satisfies, or None if a code satisfies all."""
        return self.core if self.find(rows) is None else None

    def can_find_next(self, violated: Rows = frozenset()) -> bool:
        """Return whether `find_next` can continue the last query without some violations."""
        counting = self.counting
        if counting is None or counting.query is None or self.solver_name != counting.name:
            return False
        can_continue = counting.work is not None and counting.work.can_continue
        return can_continue and violated <= counting.query.relaxable

    def find_next(self, violated: Rows = frozenset()) -> Code | None:
        """Return another code for the last query, without codes that violate all given rows.

        It continues the query only if `can_find_next` allows it.
        """
        if self.counting is None or self.counting.query is None:
            raise InternalError("no query to continue")
        self.answer, self.solver_name = Answer(None), ""
        answer = self.counting.next_answer(violated, self._rounds)
        if answer is None:
            raise HardQueryError
        # The search excludes codes, so that the rows alone may have codes.
        self._keep(self.counting.query, answer, self.counting.name, is_reusable=False)
        return self.code

    @contextmanager
    def limit_rounds(self, rounds: int | None) -> Iterator[None]:
        """Raise HardQueryError for queries that need more rounds than this after the first solvers.

        Only the solvers of dense boards work in rounds. None stands for no limit.
        """
        before, self._max_rounds = self._max_rounds, rounds
        try:
            yield
        finally:
            self._max_rounds = before

    @property
    def rounds(self) -> int:
        """The number of rounds that decided the last query; 0 if another solver decided it."""
        is_counted = self.solver_name == Counting.name
        work = self.counting.work if is_counted and self.counting is not None else None
        return 0 if work is None else work.round

    @property
    def used_counting(self) -> bool:
        """Whether some query was decided by the solvers of dense boards."""
        return self.decided[Counting.name] > 0

    @property
    def used_interleaved(self) -> bool:
        """Whether some query was decided by SAT and CP-SAT alternately."""
        return self.decided[Interleaved.name] > 0

    @property
    def is_hard(self) -> bool:
        """Whether some query was not decided by the incremental SAT solver or a faster one."""
        return self.used_interleaved or self.used_counting

    @property
    def lattice_rounds(self) -> int:
        """The rounds of the last hard query of a dense board if it used a lattice, else 0."""
        work = None if self.counting is None else self.counting.last_work
        return 0 if work is None or work.others.lattice is None else work.round

    @property
    def is_decided_by_search(self) -> bool:
        """Whether hard queries are decided by the weighted search or CP-SAT."""
        return self.used_counting and not self.lattice_rounds

    @property
    def work(self) -> int:
        """The cost of all queries in propagations of SAT: of SAT itself and weighted searches."""
        counting = self.counting
        failures = 0 if counting is None else counting.failures + counting.short_search.failures
        queries = QUERY_COST * self.decided.total()
        return queries + self.sat.propagations + FAILURE_COST * failures
