"""Queries about subsets of the rows of one board.

`SubsetOracle` runs the solvers that queries.py lists. On dense boards, in which most literals are
in long constraints (`sat.is_dense`), `DensePortfolio` runs the solvers that suit them, its members.
It works in rounds with the budgets 1, 2, 4, ... In a round, the members run in turn. policy.py has
the order of the solvers, and what they do for a budget.

A query can have relaxable rows, of which the code may violate a given number (`Query.relaxable`).
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mmsat.constraints import System
from mmsat.constraints.presolve_steps import is_algebraic, simplify
from mmsat.errors import InternalError, SizeError
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.limits import LIMITS
from mmsat.solving import find_code, growing_budgets, policy
from mmsat.solving.answer_cache import AnswerCache, Violations
from mmsat.solving.cp import ColorCountsWork, CpSat
from mmsat.solving.lattice import LatticeEnumeration
from mmsat.solving.presolved_rows import Presolver
from mmsat.solving.queries import (
    Adaptive,
    Answer,
    Query,
    QueryWork,
    Rows,
    RowSolver,
    SteppingSolver,
)
from mmsat.solving.refutation import Algebra
from mmsat.solving.sat import IncrementalSat, is_dense
from mmsat.solving.searches import BruteForce
from mmsat.solving.weighted_rows import ShortSearch, WeightedQueryWork, WeightedRowSolver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.game import Code
    from mmsat.game.board import Board
    from mmsat.solving.queries import SystemWork


class Interleaved(RowSolver):
    """SAT and CP-SAT, interleaved with growing budgets; they decide every query."""

    name = "sat and cp"

    def __init__(self, board: Board) -> None:
        self._board = board

    def solve(self, query: Query, budget: int | None = None) -> Answer:
        """Solve the query; the budget is ignored."""
        from mmsat.solving.race import sat_and_cp  # here, because multiprocessing loads slowly

        row_indices = sorted(query.rows)
        systems, _, refuting_rows = simplify(self._board.only(row_indices))
        code = find_code(map(sat_and_cp, systems))
        if code is not None:
            return Answer(code)
        if refuting_rows is None:
            return Answer(None, query.rows)
        return Answer(None, frozenset(row_indices[row] for row in refuting_rows))


class PortfolioSolvers(NamedTuple):
    """The members of the portfolio that are kept from query to query."""

    weighted: WeightedRowSolver
    lattice: LatticeEnumeration
    cp: CpSat

    @classmethod
    def of(cls, presolver: Presolver) -> PortfolioSolvers:
        """Create the members around one presolver."""
        return cls(WeightedRowSolver(presolver), LatticeEnumeration(presolver), CpSat(presolver))


class Experience(NamedTuple):
    """Observations about the last query, which determine the order of members for the next one."""

    used_lattice: bool = False
    """Whether the enumeration of lattice points was set up."""
    decided_by_cp: bool = False
    """Whether CP-SAT decided the query."""
    is_lattice_suited: bool | None = None
    """Whether lattices suited that query or an earlier one; None if this was never computed."""
    is_first: bool = True
    """Whether there was no query yet."""


class OtherMembers:
    """The members of the portfolio other than the weighted search.

    Before a lattice basis is computed, the weighted search runs for as long as that will take.
    """

    def __init__(
        self, solvers: PortfolioSolvers, search: WeightedQueryWork, experience: Experience
    ) -> None:
        self.lattice: SystemWork | None = None
        """The enumeration of lattice points, once it is set up."""
        self.decided_by = ""
        """The name of the member that decided; empty before a decision."""
        self.is_lattice_suited = experience.is_lattice_suited
        self._solvers = solvers
        self._search = search
        self._used_lattice = experience.used_lattice
        self._counts: ColorCountsWork | None = None
        self._cp: SystemWork | None = None

    def can_use_lattice(self) -> bool:
        """Return whether lattices suit this query, or suited an earlier one."""
        if self.is_lattice_suited is None:
            equations = self._solvers.lattice.equations(self._search.presolved)
            self.is_lattice_suited = equations.is_suited
        return self.is_lattice_suited

    def find_answer(self, budget: int, max_failures: int) -> Answer | None:
        """Run the members within `budget`; return the answer, or None.

        The search for a code with given color counts has at most `max_failures` failures.
        """
        self._counts = self._counts or ColorCountsWork(self._search)
        if self._counts.advance(budget, max_failures):
            self.decided_by = self._counts.name
            return self._counts.answer
        if self._cp is None:  # the first call: set up CP-SAT, and lattices if they suit the query
            self._cp = self._solvers.cp.restart(self._search.query)
            equations = self._solvers.lattice.equations(self._search.presolved)
            self.is_lattice_suited = equations.is_suited
            if equations.is_suited:
                # The search runs first, for as long as the computation of the lattice basis takes.
                setup_failures = policy.failures_before_lattice(
                    equations.freedom, used_lattice=self._used_lattice
                )
                if self._search.advance(setup_failures):
                    self.decided_by = self._search.name
                    return self._search.answer
                self.lattice = self._solvers.lattice.restart(self._search.query)
        answer = self._enumerate_lattice(budget)
        if answer is not None:
            return answer
        budget_of_cp = policy.budget_of_cp(budget)
        # CP-SAT can't exclude codes. It is None only if presolve decided the query.
        if self._cp is None or not budget_of_cp or self._search.excluded:
            return None
        if self._cp.step(budget_of_cp):
            self.decided_by = self._cp.name
            return self._cp.answer
        return None

    def _enumerate_lattice(self, budget: int) -> Answer | None:
        """Resume the enumeration of lattice points, if it is set up; return the answer."""
        if self.lattice is None:
            return None
        try:
            is_decided = self.lattice.step(budget, self._search.excluded)
        except SizeError:  # the other members can decide the query as well
            self.lattice = None
            return None
        if not is_decided:
            return None
        self.decided_by = self.lattice.name
        return self.lattice.answer

    @property
    def failures(self) -> int:
        """The number of failures of the search for a code with given color counts."""
        return 0 if self._counts is None else self._counts.failures


class DensePortfolioWork(QueryWork):
    """The work of all members of the portfolio on one query."""

    name = "dense portfolio"
    """After a decision, the name of the member that decided."""

    def __init__(
        self, solvers: PortfolioSolvers, search: WeightedQueryWork, experience: Experience
    ) -> None:
        """Set up the schedule. The other members are set up in the first round that they run in."""
        self.round = 0
        """The number of the last round, from 1."""
        self.search = search
        self.others = OtherMembers(solvers, search, experience)
        self.only_search_runs = False
        """Whether the weighted search is the only solver: for relaxable rows without a lattice."""
        self._last_experience = experience
        self._first_budget = self.search.first_budget
        # With relaxable rows, CP-SAT runs only if it decided the last query or if there was none.
        if search.query.relaxable and not (experience.is_first or experience.decided_by_cp):
            self.only_search_runs = not self.others.can_use_lattice()
            if not self.only_search_runs:
                self._first_budget = LIMITS.dense_failures

    @property
    def experience(self) -> Experience:
        """The experience for the next query."""
        others = self.others
        used_lattice = others.lattice is not None
        decided_by_cp = others.decided_by == CpSat.name
        return Experience(used_lattice, decided_by_cp, others.is_lattice_suited, is_first=False)

    @property
    def failures(self) -> int:
        """The number of failures of all searches."""
        return self.search.failures + self.others.failures

    def step(self, budget: int) -> bool:
        """Run one round and return whether the query is decided.

        A round that is not a restart round (`policy.is_restart_round`) does nothing, except if
        there is a lattice or only the search runs.
        """
        if self.code is not None and self.code not in self.search.excluded:  # already decided
            return True
        self.code = None
        if not (self.others.lattice or self.only_search_runs or policy.is_restart_round(budget)):
            return False
        self.round = budget.bit_length()  # the budgets are 1, 2, 4, ...
        members = [self._run_search]
        if not self.only_search_runs:
            # CP-SAT is one of the others. It does not run in the first round, whose budget is 1.
            is_cp_first = self._last_experience.decided_by_cp and budget > 1
            members.insert(0 if is_cp_first else 1, self._run_others)
        for run_member in members:
            answer = run_member(budget)
            if answer is not None:
                self.code, self.core = answer
                self.name = self.others.decided_by or self.search.name
                return True
        return False

    def _run_search(self, budget: int) -> Answer | None:
        """Run the weighted search for its share of a round; return the answer."""
        is_short = self._last_experience.used_lattice and budget == 1
        divisor = policy.LATTICE_BUDGET_DIVISOR if is_short else 1
        is_decided = self.search.advance(self._max_failures(budget) // divisor)
        return self.search.answer if is_decided else None

    def _run_others(self, budget: int) -> Answer | None:
        """Run the other members for their share of a round; return the answer."""
        return self.others.find_answer(budget, self._max_failures(budget))

    def _max_failures(self, budget: int) -> int:
        """Return the maximum number of failures in a round. It is smaller if there is a lattice."""
        has_lattice = self.others.lattice is not None
        return policy.failures_in_round(self._first_budget, budget, has_lattice=has_lattice)

    @property
    def can_continue(self) -> bool:
        """Whether the search decided the query, so that it can find further codes."""
        return not (self.search.is_undecided or self.others.lattice)

    def exclude(self, violated: Rows) -> None:
        """Exclude the last code, and all codes that violate every row in `violated`.

        From then on, only the search runs.
        """
        if self.code is not None:
            self.search.excluded.add(self.code)
            self.only_search_runs = True
            if violated:
                self.search.exclude_violations(violated)


class DensePortfolio(SteppingSolver[DensePortfolioWork]):
    """The portfolio for dense boards; its budget is a number of rounds."""

    name = "dense portfolio"

    def __init__(self, system: System, experience: Experience | None = None) -> None:
        """Create the members; `experience` is that of an earlier query about other rows, if any."""
        super().__init__()
        self._first_experience = experience or Experience()
        self._codes_by_rows: dict[Rows, list[Code]] = {}
        self.failures = 0
        """The number of failures of all calls of `solve` and `next_answer`."""
        self.short_search = ShortSearch(system)
        """A search without presolve, for easy queries."""
        self._solvers = PortfolioSolvers.of(Presolver(system))

    def start(self, query: Query) -> DensePortfolioWork | Answer | None:
        """Presolve the rows and set up the search."""
        search = self._solvers.weighted.restart(query)
        if search is None:
            return self._solvers.weighted.answer
        experience = self._first_experience if self.last_work is None else self.last_work.experience
        return DensePortfolioWork(self._solvers, search, experience)

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Work for `budget` rounds; if only the search runs, for MIN_SEARCH_ROUNDS at least."""
        if self.work is not None and self.work.search.excluded:
            self.query = None  # restart, because the work does not find the excluded codes
        if query != self.query:
            self.restart(query)
        return self._continue(budget)

    def _continue(self, budget: int | None) -> Answer | None:
        """Resume the last query."""
        work = self.work
        if work is None or self.query is None:
            return self.answer
        if budget is not None and work.only_search_runs:
            budget = max(budget, policy.MIN_SEARCH_ROUNDS)
        failures_before = work.failures
        answer = super().solve(self.query, budget)
        self.failures += work.failures - failures_before
        return answer

    def next_answer(self, violated: Rows = frozenset(), budget: int | None = None) -> Answer | None:
        """Return the next answer to the last query.

        Its code is new. If there are rows in `violated`, it satisfies at least one of them.
        """
        if self.work is None:
            return self.answer
        self.work.exclude(violated)
        self.answer = None
        return self._continue(budget)

    def store_codes(self, rows: Rows, codes: list[Code]) -> None:
        """Store all codes that satisfy the rows; `codes` then yields them without a search."""
        self._codes_by_rows[rows] = codes

    def has_stored_codes(self, rows: Rows) -> bool:
        """Return whether all codes that satisfy the rows are stored."""
        return rows in self._codes_by_rows

    def codes(self, rows: Rows) -> Iterator[Code]:
        """Yield every code that satisfies the rows."""
        if rows in self._codes_by_rows:
            yield from self._codes_by_rows[rows]
            return
        listed = self.short_search.list_codes(rows, LIMITS.query_failures, policy.MAX_LISTED_CODES)
        if listed is not None:
            yield from listed
            return
        query = Query(rows)
        if query != self.query or (self.work is not None and self.work.search.excluded):
            self.restart(query)
        elif self.answer is not None and self.answer.code is None:
            return
        work = self.work
        self.query = None  # so that no later call resumes this work
        # `any` runs steps with growing budgets until one of them decides.
        while work is not None and any(map(work.step, growing_budgets())):
            code = work.code
            if code is None:
                return
            yield code
            work.search.excluded.add(code)


class HardQueryError(Exception):
    """Raised if a query is not decided within the limit of `limit_rounds`."""


class SubsetOracle:
    """Find codes that satisfy sets of rows of one board, or cores of these rows.

    A core is an unsatisfiable subset of the rows.
    """

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
        self._omission_costs: dict[int, int] = {}
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
        return policy.is_wide(self.board) and not self.tolerance.lies

    @cached_property
    def _first_solvers(self) -> list[RowSolver]:
        """The solvers that run before the portfolio for dense boards, in order."""
        turns = policy.query_turns(
            self.board,
            has_lies=self.tolerance.lies > 0,
            is_algebraic=is_algebraic(self.board),
            is_dense=self.dense_portfolio is not None,
        )
        return [Adaptive(self._solver(turn.solver), turn) for turn in turns]

    def _solver(self, name: str) -> RowSolver:
        """Return the solver of a turn."""
        if name == BruteForce.name:
            return BruteForce(self.system)
        if name == Algebra.name:
            return Algebra(self.board)
        if name == ShortSearch.name and self.dense_portfolio is not None:
            return self.dense_portfolio.short_search
        return {self._cache.name: self._cache, self.sat.name: self.sat}[name]

    def find(self, rows: Iterable[int], max_violations: int = 0) -> Code | None:
        """Return a code that satisfies the rows, or return None and set `core`.

        If `max_violations` is 0, the other rows are ignored. If it is positive, the weighted search
        looks for a code that violates at most this number of the other rows. Then None means that
        there is no such code. Other solvers ignore the other rows, so a returned code may violate
        more of them. Raises HardQueryError if the query is not decided within the limit of
        `limit_rounds`.
        """
        self.answer, self.solver_name = Answer(None), ""
        query = Query(frozenset(rows))
        other_rows = self.all_rows - query.rows
        # Only the weighted search supports relaxable rows. If all of them may be violated, they
        # can be ignored.
        if 0 < max_violations < len(other_rows) and self.is_decided_by_search:
            query = query._replace(relaxable=other_rows, max_violations=max_violations)
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
        return policy.MAX_ROUNDS if self._max_rounds is None else self._max_rounds

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
        """The number of rounds of the portfolio's last work if it used a lattice, otherwise 0."""
        work = None if self.dense_portfolio is None else self.dense_portfolio.last_work
        return 0 if work is None or work.others.lattice is None else work.round

    @property
    def is_decided_by_search(self) -> bool:
        """Whether the portfolio for dense boards decides hard queries without a lattice."""
        return self.used_dense_portfolio and not self.lattice_rounds

    def record_omission(self, rows: Rows, cost: int) -> None:
        """Record the cost of refuting all rows except `rows`, which share it equally."""
        self._omission_costs |= dict.fromkeys(rows, cost // len(rows))

    def omission_cost(self, row: int) -> int:
        """Return the recorded cost of refuting all other rows; 0 if there is none."""
        return self._omission_costs.get(row, 0)

    @property
    def cost(self) -> int:
        """The cost of all queries in propagations of SAT, including weighted searches."""
        portfolio = self.dense_portfolio
        failures = 0 if portfolio is None else portfolio.failures + portfolio.short_search.failures
        queries = policy.QUERY_COST * self.decided.total()
        return queries + self.sat.propagations + policy.FAILURE_COST * failures
