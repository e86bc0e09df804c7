"""The two portfolios for large boards: a race of two processes, and a portfolio for dense boards.

**Race** (`race_solvers`). Two processes run on two cores. The first that decides ends the other.

- One process resumes the weighted search of `auto`, then simplifies the board, which refutes some
  boards, and then runs SAT on the encoding that suits the system (sat.py). On dense boards, SAT
  alternates with the weighted search, with the enumeration of lattice points (lattice.py) if the
  lattices may have few dimensions, and with the search for the number of pegs of each color. On
  other boards, it alternates with the enumeration of lattice points.
- The other process runs CP-SAT. On a sparse or two-color board, CP-SAT runs on the original
  system, interleaved with CP-SAT on the simplified systems. On sparse systems, each step tries two
  levels of linear relaxation. On other boards, CP-SAT runs once on the original system, without
  restarting from scratch.

For each process there are boards that it decides at once and that the other one never decides:
clause learning suits sparse boards, CP-SAT dense boards, and lattices boards of few colors. Only
two processes compete for the machine, so the race seldom takes more than 1.5 times as long as the
fastest solver alone (`python -m benchmarks engines`). The verdict does not depend on the winner.

**Portfolio for dense boards** (`DensePortfolio`). It answers queries about the rows of a board by
solvers that count literals without encoding them. Presolve bounds how many pegs have each color.
Then these solvers run in turn, with budgets that grow from round to round:

- The weighted search (`Weighted`) is first, unless CP-SAT decided the last query. On boards of 30
  pegs and colors it needs a tenth to half of the time of minicard, the best solver of python-sat on
  these boards, because learned clauses are long and seldom used again.
- The search for the number of pegs of each color (`ColorCountsWork`) runs if presolve does not
  determine these numbers. It refuted 12 rows of 20 pegs and colors in 0.05 s, for which the
  weighted search needed 26 s.
- The enumeration of lattice points (`LatticeEnumeration`) runs if the dimensions are few.
- CP-SAT (`CpSat`) starts each of its steps from scratch, so it runs only in restart rounds, whose
  budgets are powers of `RESTART_GROWTH`, except the first. Without a lattice, no solver runs in
  other rounds, unless the weighted search is the only solver.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt, log2
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mmsat.constraints import System
from mmsat.constraints.presolve_steps import is_algebraic, simplify
from mmsat.errors import SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.limits import LIMITS
from mmsat.solving import (
    AnyOf,
    Decision,
    Portfolio,
    Scaled,
    Work,
    finish,
    growing_budgets,
    verify_witness,
)
from mmsat.solving.cp import BUDGET_TIME, Cp, CpWork
from mmsat.solving.deadline import Deadline
from mmsat.solving.lattice import MIN_LARGE_DIMENSION, LatticeEquations, read_lattice_equations
from mmsat.solving.presolved_queries import (
    ColorCountsWork,
    CpSat,
    LatticeEnumeration,
    Presolver,
    Weighted,
    WeightedQueryWork,
    is_dense,
)
from mmsat.solving.row_queries import Answer, Query, QueryWork, Rows, ShortSearch, SteppingSolver
from mmsat.solving.sat import Sat, SatWork, is_sparse, select_encoding
from mmsat.solving.searches import Brute, PresolvingWork, WeightedWork
from mmsat.solving.worker import race

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.solving.row_queries import SystemWork


RESTART_GROWTH = 16
"""Ratio of successive budgets of solvers that start each step from scratch."""
LATTICE_BUDGET_DIVISOR = 64
"""Divisor of the first budgets of the weighted search, if the previous query used a lattice."""
LATTICE_FREE_COORDINATES = 140
"""Value of `LatticeEquations.freedom` for which computing the basis takes as long as
`LIMITS.dense_failures` failures. The time grows with the fourth power of the freedom."""
MIN_SEARCH_ROUNDS = 3
"""Minimum number of rounds if only the weighted search runs."""
MAX_LISTED_CODES = 1000
"""Maximum number of codes that the short search lists."""


class Solvers(NamedTuple):
    """The members of the portfolio that are kept from query to query."""

    weighted: Weighted
    lattice: LatticeEnumeration
    cp: CpSat

    @classmethod
    def of(cls, presolver: Presolver) -> Solvers:
        """Create the members around one presolver."""
        return cls(Weighted(presolver), LatticeEnumeration(presolver), CpSat(presolver))


def is_restart_round(budget: int) -> bool:
    """Return whether solvers that start from scratch run in the round with this budget."""
    return log2(budget) % log2(RESTART_GROWTH) == 0


class Experience(NamedTuple):
    """The members that a query needed; they determine the order of members for the next query."""

    used_lattice: bool = False
    """Whether the enumeration of lattice points was set up."""
    decided_by_cp: bool = False
    is_lattice_suited: bool | None = None
    """Whether lattices suited that query or an earlier one; None if this was never computed."""
    is_first: bool = True
    """Whether there was no query yet."""


class OtherMembers:
    """The members of the portfolio other than the weighted search.

    Before a lattice basis is computed, the weighted search runs for as long as that will take.
    """

    def __init__(self, solvers: Solvers, search: WeightedQueryWork, last: Experience) -> None:
        self.lattice: SystemWork | None = None
        """The enumeration of lattice points, once it is set up."""
        self.decided_by = ""
        """The name of the member that decided; empty before a decision."""
        self.is_lattice_suited = last.is_lattice_suited
        self._solvers = solvers
        self._search = search
        self._base_setup_failures = LIMITS.dense_failures // (
            LATTICE_BUDGET_DIVISOR if last.used_lattice else 1
        )
        self._counts: ColorCountsWork | None = None
        self._cp: SystemWork | None = None

    def can_use_lattice(self) -> bool:
        """Return whether lattices suit this query, or suited an earlier one."""
        if self.is_lattice_suited is None:
            self.is_lattice_suited = self._search.presolved.lattice_equations.is_suited
        return self.is_lattice_suited

    def find_answer(self, budget: int, max_failures: int) -> Answer | None:
        """Run the members within `budget`; return the answer, or None.

        The search for a code with given color counts has at most `max_failures` failures.
        """
        self._counts = self._counts or ColorCountsWork(self._search)
        if self._counts.advance(budget, max_failures):
            self.decided_by = self._counts.name
            return self._counts.answer
        if self._cp is None:
            self._cp = self._solvers.cp.restart(self._search.query)
            equations = self._search.presolved.lattice_equations
            self.is_lattice_suited = equations.is_suited
            if equations.is_suited:
                # The search runs first, for as long as the computation of the lattice basis takes.
                setup_failures = (
                    self._base_setup_failures * equations.freedom**4 // LATTICE_FREE_COORDINATES**4
                )
                if self._search.advance(setup_failures):
                    self.decided_by = self._search.name
                    return self._search.answer
                self.lattice = self._solvers.lattice.restart(self._search.query)
        answer = self._enumerate_lattice(budget)
        if answer is not None:
            return answer
        is_turn_of_cp = budget >= RESTART_GROWTH and is_restart_round(budget)
        if self._cp is None or not is_turn_of_cp or self._search.excluded:
            return None
        # The time of CP-SAT grows with the square of its budget.
        if self._cp.step(isqrt(budget // RESTART_GROWTH)):
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

    def __init__(self, solvers: Solvers, search: WeightedQueryWork, last: Experience) -> None:
        """Set up the schedule. The other members are set up in the first round that they run in."""
        self.round = 0
        """The number of the last round, from 1."""
        self.search = search
        self.others = OtherMembers(solvers, search, last)
        self.only_search_runs = False
        """Whether the weighted search is the only solver: for relaxable rows without a lattice."""
        self._last = last
        self._first_budget = self.search.first_budget
        if search.query.relaxable and not (last.is_first or last.decided_by_cp):
            self.only_search_runs = not self.others.can_use_lattice()
            if not self.only_search_runs:
                self._first_budget = LIMITS.dense_failures

    @property
    def experience(self) -> Experience:
        """The experience for the next query."""
        others = self.others
        used_lattice = others.lattice is not None
        decided_by_cp = others.decided_by == CpSat.name
        return Experience(used_lattice, decided_by_cp, others.is_lattice_suited, False)

    @property
    def failures(self) -> int:
        """The number of failures of all searches."""
        return self.search.failures + self.others.failures

    def step(self, budget: int) -> bool:
        """Run one round and return whether the query is decided.

        A round that is not a restart round does nothing, except if there is a lattice or only the
        search runs.
        """
        if self.code is not None and self.code not in self.search.excluded:
            return True
        self.code = None
        if not (self.others.lattice or self.only_search_runs or is_restart_round(budget)):
            return False
        self.round = budget.bit_length()  # the budgets are 1, 2, 4, ...
        members = [self._run_search]
        if not self.only_search_runs:
            is_cp_first = self._last.decided_by_cp and budget > 1
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
        is_short = self._last.used_lattice and budget == 1
        divisor = LATTICE_BUDGET_DIVISOR if is_short else 1
        is_decided = self.search.advance(self._max_failures(budget) // divisor)
        return self.search.answer if is_decided else None

    def _run_others(self, budget: int) -> Answer | None:
        """Run the other members for their share of a round; return the answer."""
        return self.others.find_answer(budget, self._max_failures(budget))

    def _max_failures(self, budget: int) -> int:
        """Return the maximum number of failures in a round. It is smaller if there is a lattice."""
        factor = isqrt(budget // RESTART_GROWTH) if self.others.lattice else budget
        return self._first_budget * factor

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
        self.codes_by_rows: dict[Rows, list[Code]] = {}
        """All codes that satisfy some sets of rows; `codes` yields them without a search."""
        self.failures = 0
        """The number of failures of all calls of `solve` and `next_answer`."""
        self.short_search = ShortSearch(system)
        """A search without presolve, for easy queries."""
        self._solvers = Solvers.of(Presolver(system))

    def start(self, query: Query) -> DensePortfolioWork | Answer | None:
        """Presolve the rows and set up the search."""
        search = self._solvers.weighted.restart(query)
        if search is None:
            return self._solvers.weighted.answer
        last = self._first_experience if self.last_work is None else self.last_work.experience
        return DensePortfolioWork(self._solvers, search, last)

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Work for `budget` rounds, but at least MIN_SEARCH_ROUNDS if only the search runs."""
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
            budget = max(budget, MIN_SEARCH_ROUNDS)
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

    def codes(self, rows: Rows) -> Iterator[Code]:
        """Yield every code that satisfies the rows."""
        if rows in self.codes_by_rows:
            yield from self.codes_by_rows[rows]
            return
        listed = self.short_search.list_codes(rows, LIMITS.query_failures, MAX_LISTED_CODES)
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
        while work is not None and any(map(work.step, growing_budgets())):
            code = work.code
            if code is None:
                return
            yield code
            work.search.excluded.add(code)


LARGE_SLICES = 128
"""Number of slices of brute force on large boards: a fraction of the time needed to encode them."""
MAX_BRUTE_PEGS = 32
"""Maximum number of pegs of a large two-color board for which brute force is tried before the race.
On boards with more pegs, no search gets far without algebra."""
SPARSE_TIME = 6.0
"""Deterministic time of CP-SAT for a budget of 1 on the original system of a sparse board with more
than two colors. It is long, because presolve seldom helps CP-SAT on such boards."""
MIN_SAT_BUDGET, SAT_BUDGET_FACTOR = 32, 2
"""Budget of SAT if it alternates with the enumeration of the points of a large lattice: a constant,
plus a multiple of the budget of the enumeration. With a budget of 1, the enumeration takes about 20
times as long as SAT. With two colors, SAT is slower and has the budget of the enumeration."""

FIRST_SEARCH_BUDGET = 5
"""Budget of the weighted search before the first process of the race loads a library, and again
before SAT starts. The search takes 0.05 to 0.1 s, about as long as loading."""
SEARCH_FACTOR, SAT_FACTOR = 16, 8
"""Budgets of the weighted search and of SAT on dense boards without a lattice, as multiples of the
budget of the portfolio. SAT then has a fifth of the time. It decides boards with few rows."""
LATTICE_SEARCH_FACTOR = 4
"""Budget of the weighted search on dense boards with a lattice, as a multiple of the budget of the
portfolio. Most of the time is then that of the lattice. SAT has the budget of the portfolio."""
RACE_FREE_COORDINATES, RACE_BUDGET = 190, 15
"""`RACE_BUDGET` is the budget of the weighted search before the basis of a lattice is computed, if
the lattice has RACE_FREE_COORDINATES free coordinates. The search takes 0.2 s, and computing the
basis 1 s. Both times are proportional to the fourth power of the number of free coordinates."""

EngineAnswer: TypeAlias = "tuple[Code | None, str, str]"
"""A code or None, the engine that decided, and the reason why it was selected."""


def decide_large(board: Board, seed: int | None, tolerance: Tolerance = STRICT) -> Decision:
    """Decide a large board by brute force, then by the race; the caller limits the time.

    Brute force is skipped for lies, and for two-color boards of more than MAX_BRUTE_PEGS pegs.
    """
    decision = None
    if not tolerance.lies and (board.game.pegs <= MAX_BRUTE_PEGS or not is_algebraic(board)):
        decision = Brute().try_decide(board, Deadline(), slices=LARGE_SLICES)
    return decision or race_solvers(board, seed, tolerance)


def race_solvers(
    board: Board,
    seed: int | None,
    tolerance: Tolerance = STRICT,
    search: PresolvingWork | None = None,
) -> Decision:
    """Run the race and return the first decision.

    `search` is a weighted search that is resumed. With a tolerance, SAT alone races against CP-SAT
    alone, because presolve, algebra and lattices do not support lies.
    """
    if tolerance.lies:
        code, engine, reason = race(
            (relax_by_sat, board, tolerance), (relax_by_cp, board, seed, tolerance)
        )
    else:
        code, engine, reason = race((solve_by_sat, board, search), (solve_by_cp, board, seed))
    return verify_witness(board, code, engine, reason, tolerance)


def relax_by_sat(board: Board, tolerance: Tolerance) -> EngineAnswer:
    """Find a code within the tolerance by SAT with the encoding that suits the system."""
    selection = select_encoding(System.of(board, tolerance))
    code = Sat(selection.solver, selection.encoding).solve(board, tolerance=tolerance)
    return code, str(selection), ""


def relax_by_cp(board: Board, seed: int | None, tolerance: Tolerance) -> EngineAnswer:
    """Find a code within the tolerance by CP-SAT."""
    return Cp().solve(board, seed, tolerance), Cp.name, ""


def solve_by_sat(board: Board, search: PresolvingWork | None = None) -> EngineAnswer:
    """Simplify the board, then run SAT, interleaved with other solvers that suit the systems.

    If there is a weighted `search`, it is resumed first, and then in turn with the other solvers.
    """
    if search is not None and search.step(FIRST_SEARCH_BUDGET):
        return search.code, search.name, "the weighted search against cp"
    systems, method, _ = simplify(board)
    if not systems:
        return None, method, "refuted without search"
    if not is_algebraic(board) and is_dense(systems[0]):
        decided = finish(sat_and_counting(systems[0], search))
        solvers = f"the weighted search, lattices and {select_encoding(systems[0])}, against cp"
        return decided.code, decided.name, f"{method}, then {solvers}"
    equation_sets = [read_lattice_equations(system) for system in systems]
    decided = finish(AnyOf(map(sat_and_lattice, systems, equation_sets)))
    lattice = next((f" and {equations}" for equations in equation_sets if equations.is_suited), "")
    selection = select_encoding(systems[0])
    weighted = "" if is_sparse(systems[0]) else ", the weighted search"
    return decided.code, decided.name, f"{method}, then {selection}{weighted}{lattice}, against cp"


def sat_and_counting(system: System, search: PresolvingWork | None = None) -> Work:
    """Return the weighted search, lattice enumeration, SAT and the search for counts, interleaved.

    The lattice points are enumerated if that suits the system. Before that, the search runs for a
    fifth of the time that computing the lattice takes. If presolve refutes the system, the work is
    decided at once.
    """
    query = Query(frozenset(range(len(system.soft))))
    presolved = Presolver(system).reduce(query.rows)
    if isinstance(presolved, Answer):
        return AnyOf([], Presolver.name)
    may_have_lattice = presolved.may_suit_lattice
    first_budget, search_factor, sat_factor = FIRST_SEARCH_BUDGET, SEARCH_FACTOR, SAT_FACTOR
    if may_have_lattice:
        setup_budget = RACE_BUDGET * presolved.freedom**4 // RACE_FREE_COORDINATES**4
        first_budget = max(first_budget, setup_budget)
        search_factor, sat_factor = LATTICE_SEARCH_FACTOR, 1

    def budget_of_search(budget: int) -> int:
        return first_budget if budget == 1 else search_factor * budget

    def lattice() -> Work:
        equations = presolved.lattice_equations
        if not equations.is_suited:
            raise SizeError(f"the board is too large for the engine lattice: {equations}")
        return equations.work(presolved.system)

    members: list[Callable[[], Work]] = [
        lambda: Scaled(search or PresolvingWork(system), budget_of_search),
        lambda: Scaled(SatWork(system), lambda budget: sat_factor * budget),
        lambda: ColorCountsWork(WeightedQueryWork(query, presolved)),
    ]
    if may_have_lattice:
        members.insert(1, lattice)
    return Portfolio(*members)


def sat_and_lattice(system: System, equations: LatticeEquations) -> Portfolio:
    """Return SAT, the weighted search and lattice enumeration, as far as they suit, interleaved.

    Lattice enumeration has most of the time. The weighted search does not run on sparse systems,
    because clause learning suits them better.
    """
    members: list[Callable[[], Work]] = [lambda: SatWork(system)]
    if not is_sparse(system):
        members.append(lambda: WeightedWork(system))
    if equations.is_suited:
        members.append(lambda: equations.work(system))
        if equations.dimension >= MIN_LARGE_DIMENSION and system.variables.colors > 2:
            members[0] = lambda: Scaled(SatWork(system), budget_of_sat)
    return Portfolio(*members)


def budget_of_sat(budget: int) -> int:
    """Return the budget of SAT for a budget of the enumeration of a large lattice."""
    return MIN_SAT_BUDGET + SAT_BUDGET_FACTOR * budget


def sat_and_cp(system: System, seed: int | None = None) -> Portfolio:
    """Return SAT and CP-SAT, interleaved; CP-SAT alone if the clauses need too much memory."""
    return Portfolio(lambda: SatWork(system), lambda: CpWork(system, seed))


def solve_by_cp(board: Board, seed: int | None) -> EngineAnswer:
    """Run CP-SAT on the original system; on sparse or two-color boards, also on simplified ones."""
    reason = "cp against presolve, SAT and lattices"
    system, has_two_colors = System.of(board), is_algebraic(board)
    if not (has_two_colors or is_sparse(system)):
        return Cp().solve(board, seed), Cp.name, reason

    def on_simplified() -> Work:
        systems, method, _ = simplify(board)
        return AnyOf([CpWork(system, seed) for system in systems], method)

    budget_time = BUDGET_TIME if has_two_colors else SPARSE_TIME
    decided = finish(
        Portfolio(lambda: CpWork(system, seed, budget_time=budget_time), on_simplified)
    )
    return decided.code, decided.name, reason
