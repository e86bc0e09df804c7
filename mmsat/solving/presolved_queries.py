"""Solvers of queries that start with presolve, which bounds the number of pegs of each color.

These are the weighted search (solving/searches.py), which supports relaxable rows, the search for
counts of the colors, the enumeration of lattice points (solving/lattice.py), and CP-SAT.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat._core import SearchStatus, WeightedSearch
from mmsat.constraints.presolve_state import substitute
from mmsat.constraints.presolve_steps import HISTOGRAM_STEPS, Presolved, presolve
from mmsat.game.space import CardinalityConstraint
from mmsat.limits import LIMITS
from mmsat.solving.cp import CpWork, HistogramWork
from mmsat.solving.lattice import (
    MAX_DIMENSION,
    LatticeEquations,
    LatticeFactory,
    read_lattice_equations,
)
from mmsat.solving.row_queries import (
    Answer,
    Query,
    QueryWork,
    Rows,
    RowSolver,
    SteppingSolver,
    SystemWork,
    W,
)
from mmsat.solving.sat import NATIVE_SOLVERS, select_encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints import Group, System
    from mmsat.game import Code


def is_dense(system: System) -> bool:
    """Return whether solvers with native cardinality constraints suit a system.

    They do if most of its literals are in long constraints, unless it has a word list or too many
    pegs. The solvers that start with `Presolver` are for such systems.
    """
    return system.table is None and select_encoding(system).solver in NATIVE_SOLVERS


class PresolvedRows:
    """Rows that presolve did not refute."""

    def __init__(self, original: System, presolved: Presolved, rows: Rows) -> None:
        self.rows = rows
        self.system = presolved.system
        """The remaining constraints."""
        self.problem = presolved.problem
        """The bounds, with the rows that they follow from."""
        self.original = original

    @property
    def bounds(self) -> tuple[Sequence[int], ...]:
        """The minimum and maximum count of each color, and the colors of each peg as a bit set."""
        domains = self.problem.domains
        return domains.low, domains.high, domains.possible_colors

    @property
    def implied_rows(self) -> Rows:
        """The rows without remaining constraints, because the bounds imply them."""
        return frozenset(row for row in self.rows if not self.system.soft[row].constraints)

    @property
    def freedom(self) -> int:
        """The number of free coordinates of a code: for each peg, one less than its colors."""
        return sum(domain.bit_count() - 1 for domain in self.problem.domains.possible_colors)

    @property
    def may_suit_lattice(self) -> bool:
        """Whether a lattice may have few enough dimensions: a quick test before it is computed."""
        max_equations = len(self.system.constraints) + self.system.variables.colors
        return self.freedom - max_equations <= MAX_DIMENSION

    @cached_property
    def lattice_equations(self) -> LatticeEquations:
        """The linear equations of the remaining constraints."""
        return read_lattice_equations(self.system)

    def groups_with(self, relaxable: Rows) -> list[Group]:
        """Return the remaining constraints of each row, including the relaxable rows."""
        domains = self.problem.domains
        groups, original_groups = list(self.system.rows), self.original.rows
        for row in relaxable:
            reduced = (substitute(constraint, domains) for constraint in original_groups[row])
            groups[row] = tuple(constraint for constraint in reduced if constraint)
        return groups


class Presolver(RowSolver):
    """Presolve without a search: it refutes queries or leaves them undecided."""

    name = "presolve"

    def __init__(self, system: System) -> None:
        self.system = system
        self._last_rows: Rows | None = None
        self._last_result: PresolvedRows | Answer | None = None

    def reduce(self, rows: Rows) -> PresolvedRows | Answer:
        """Return the presolved rows, or the answer that refutes them; the last result is cached."""
        if self._last_result is None or rows != self._last_rows:
            self._last_rows, self._last_result = rows, reduce_rows(self.system, rows)
        return self._last_result

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return the answer if presolve refutes the rows, otherwise None; the budget is ignored."""
        reduced = self.reduce(query.rows)
        return reduced if isinstance(reduced, Answer) else None


class PresolvingSolver(SteppingSolver[W]):
    """A solver that presolves the rows of a query before it begins to work on them."""

    def __init__(self, presolver: Presolver) -> None:
        super().__init__()
        self._presolver = presolver

    def start(self, query: Query) -> W | Answer | None:
        """Presolve the rows. If this does not refute them, begin to work on them."""
        presolved = self._presolver.reduce(query.rows)
        return presolved if isinstance(presolved, Answer) else self.begin(query, presolved)

    @abstractmethod
    def begin(self, query: Query, presolved: PresolvedRows) -> W | None:
        """Begin to work on presolved rows, or return None if they do not suit the solver."""


def reduce_rows(system: System, rows: Rows) -> PresolvedRows | Answer:
    """Presolve some rows of a system; return the answer if this refutes them."""
    groups = (group if row in rows else () for row, group in enumerate(system.rows))
    presolved = presolve(system.with_rows(groups), HISTOGRAM_STEPS)
    if not isinstance(presolved, Presolved):
        return Answer(None, frozenset(presolved.rows))
    return PresolvedRows(system, presolved, rows)


def entropy_without(system: System, row: int) -> float:
    """Return the entropy, in bits, given the equations of all rows but one; 0 if refuted."""
    others = frozenset(range(len(system.soft))) - {row}
    reduced = reduce_rows(system, others)
    # Rounded so that an order of rows by entropy does not depend on rounding errors of the machine.
    return 0 if isinstance(reduced, Answer) else round(reduced.lattice_equations.entropy, 3)


FIRST_BUDGET_FACTOR = 3
"""The first budget of a search, as a multiple of its expected number of failures."""
CORE_CHECK_FACTOR = 4
"""The budget of the search that checks a core, as a multiple of the failures of the search that
found the core."""


class WeightedQueryWork(QueryWork):
    """The weighted search for codes that satisfy a query, including its relaxable rows."""

    name = "weighted"

    def __init__(
        self,
        query: Query,
        presolved: PresolvedRows,
        last: WeightedQueryWork | None = None,
        required: Sequence[CardinalityConstraint] = (),
    ) -> None:
        """Set up the search with the weights that the `last` search learned.

        Codes must also satisfy the `required` constraints. If there are any, a refutation of the
        search does not refute the query, and no core is computed.
        """
        self.query = query
        self.presolved = presolved
        self.excluded: set[Code] = set()
        """Codes that are skipped."""
        self.weights: list[float] | None = None if last is None else last.weights
        """The weights at the last decision; before one, those of the `last` search."""
        self.expected_failures = 0 if last is None else last.next_expected_failures
        """Expected number of failures, per relaxable row if there are any."""
        self.decisive_failures = 0
        """Number of failures until the last decision."""
        self.is_undecided = False
        """Whether the budget of the last step was too small."""
        self._needs_core = not required
        system = presolved.system
        self._search = WeightedSearch(
            *system.variables,
            [*system.hard, *required],
            presolved.groups_with(query.relaxable),
            sorted(query.relaxable),
            query.max_violations,
            self.weights,
        )

    @property
    def first_budget(self) -> int:
        """The number of failures in a step of budget 1."""
        expected = self.expected_failures * (len(self.query.relaxable) or 1)
        return max(LIMITS.dense_failures, FIRST_BUDGET_FACTOR * expected)

    @property
    def next_expected_failures(self) -> int:
        """Expected number of failures of the next query, per relaxable row if there are any."""
        failures_per_row = self.decisive_failures // (len(self.query.relaxable) or 1)
        return max(failures_per_row, self.expected_failures // 2)

    @property
    def failures(self) -> int:
        """The number of failures so far."""
        return self._search.failures

    def step(self, budget: int) -> bool:
        """Search within `budget` times the first budget."""
        return self.advance(self.first_budget * budget)

    def advance(self, max_failures: int) -> bool:
        """Search for a code that is not excluded; return whether the search is decided.

        The search ends after `max_failures` further failures, but after one failure at least.
        """
        status = self._next_code(max(1, max_failures))
        self.is_undecided = status is SearchStatus.BUDGET_SPENT
        if self.is_undecided:
            return False
        self.decisive_failures = self._search.failures
        self.weights = self._search.weights
        if status is SearchStatus.CODE_FOUND:
            self.code = self._search.code
        else:
            self.code = None
            needs_core = self._needs_core and not self.excluded
            self.core = self._verified_core() if needs_core else self.query.rows
        return True

    def _next_code(self, max_failures: int) -> SearchStatus:
        """Search for a code that is not excluded, with `max_failures` for each code."""
        status = self._search.advance(max_failures)
        while status is SearchStatus.CODE_FOUND and self._search.code in self.excluded:
            status = self._search.advance(max_failures)
        return status

    def exclude_violations(self, rows: frozenset[int]) -> None:
        """Skip codes that violate all of these rows, which must be relaxable."""
        self._search.exclude(sorted(rows))

    def _verified_core(self) -> frozenset[int]:
        """Return the rows that the search used if they are a core, otherwise all rows of the query.

        The bounds may depend on further rows. Therefore presolve and search are repeated with the
        used rows and the rows that the bounds imply.
        """
        used_rows = frozenset(self._search.used_rows) & self.query.rows
        core = used_rows | self.presolved.implied_rows
        if core == self.query.rows:
            return core
        query = self.query._replace(rows=core)
        presolved = reduce_rows(self.presolved.original, core)
        if isinstance(presolved, Answer):
            return presolved.core
        if presolved.bounds == self.presolved.bounds:
            core_check = WeightedQueryWork(query, presolved, self)
            if core_check.advance(max(self.first_budget, CORE_CHECK_FACTOR * self.failures)):
                return core_check.core if core_check.code is None else self.query.rows
        return self.query.rows


class Weighted(PresolvingSolver[WeightedQueryWork]):
    """The weighted search, with the learned weights of the previous query."""

    name = "weighted"

    def begin(self, query: Query, presolved: PresolvedRows) -> WeightedQueryWork:
        """Set up the search."""
        return WeightedQueryWork(query, presolved, self.last_work)


class ColorCountsWork(QueryWork):
    """Search for counts of the colors by CP-SAT, then for a code with these counts.

    If CP-SAT finds that there are no counts, the query is refuted. If no code has the counts found,
    the work ends without a decision.
    """

    name = "counts"

    def __init__(self, main_search: WeightedQueryWork) -> None:
        """Set up the work on the query of `main_search`, which does not prescribe counts."""
        self.core = main_search.query.rows
        self._counts = HistogramWork(main_search.presolved.problem)
        self._main_search = main_search
        self._search: WeightedQueryWork | None = None

    @property
    def failures(self) -> int:
        """The number of failures of the search for codes with the counts."""
        return 0 if self._search is None else self._search.failures

    def step(self, budget: int) -> bool:
        """Run CP-SAT and the search within `budget` times their minimum budgets."""
        return self.advance(budget, budget * LIMITS.dense_failures)

    def advance(self, budget: int, max_failures: int) -> bool:
        """Run CP-SAT within `budget`, and the search for `max_failures` failures."""
        if self._counts.step(budget):
            return True
        if not self._counts.histogram:
            self.can_decide = self._counts.is_open
            return False
        self._search = self._search or self._begin_search()
        if not self._search.advance(max_failures):
            return False
        self.code = self._search.code
        if self.code is None:
            self._counts.histogram.clear()  # so that the next step ends the work
        return self.code is not None

    def _begin_search(self) -> WeightedQueryWork:
        """Return a search like the main search for a code with the counts found."""
        main = self._main_search
        variables = main.presolved.system.variables
        counts = [
            CardinalityConstraint(
                tuple(variables.at(peg, color) for peg in range(variables.pegs)), count, count
            )
            for color, count in self._counts.histogram.items()
        ]
        search = WeightedQueryWork(main.query, main.presolved, main, counts)
        search.excluded = main.excluded
        return search


class LatticeEnumeration(PresolvingSolver[SystemWork]):
    """Enumeration of lattice points, for rows whose lattices have few enough dimensions.

    Each basis starts from the basis of the previous lattice.
    """

    name = "lattice"

    def __init__(self, presolver: Presolver) -> None:
        super().__init__(presolver)
        self._factory = LatticeFactory()

    def begin(self, query: Query, presolved: PresolvedRows) -> SystemWork | None:
        """Set up the enumeration if it suits the rows."""
        if not presolved.lattice_equations.is_suited:
            return None
        work = presolved.lattice_equations.work(presolved.system, self._factory)
        return SystemWork(work, query.rows)


class CpSat(PresolvingSolver[SystemWork]):
    """CP-SAT on the presolved rows; each step starts from scratch with another random seed."""

    name = "cp"

    def begin(self, query: Query, presolved: PresolvedRows) -> SystemWork:
        """Set up the work; its first step builds the model."""
        return SystemWork(CpWork(presolved.system), query.rows)
