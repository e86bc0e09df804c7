"""Presolve of the rows of a query.

Presolve refutes some queries. For others, it bounds the number of pegs of each color, which makes
most searches shorter. A `PresolvingSolver` works on the presolved rows.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from mmsat.constraints.presolve_state import substitute
from mmsat.constraints.presolve_steps import HISTOGRAM_STEPS, Presolved, presolve
from mmsat.solving.queries import Answer, Query, Rows, RowSolver, SteppingSolver, W

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints import Group, System


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
        """The minimum and maximum counts by color, and the possible colors of each peg as bits."""
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

    def groups_with(self, relaxable: Rows) -> list[Group]:
        """Return the remaining constraints of each row, including the relaxable rows."""
        domains = self.problem.domains
        groups, original_groups = list(self.system.row_constraints), self.original.row_constraints
        for row in relaxable:
            # The substitution of a constraint that is always satisfied is None.
            reduced = (substitute(constraint, domains) for constraint in original_groups[row])
            groups[row] = tuple(constraint for constraint in reduced if constraint)
        return groups


def reduce_rows(system: System, rows: Rows) -> PresolvedRows | Answer:
    """Presolve some rows of a system; return the answer if this refutes them."""
    groups = (group if row in rows else () for row, group in enumerate(system.row_constraints))
    presolved = presolve(system.with_rows(groups), HISTOGRAM_STEPS)
    if not isinstance(presolved, Presolved):
        return Answer(None, frozenset(presolved.rows))
    return PresolvedRows(system, presolved, rows)


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
