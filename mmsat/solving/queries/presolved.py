"""Presolve of the rows of a query, which bounds how many pegs have each color."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.presolve.problem import substitute
from mmsat.solving.lattice import COUNTING, Reading, read_places
from mmsat.solving.queries.query import Answer, Query, Rows, RowSolver, SteppingSolver, W
from mmsat.solving.sat import NATIVE_SOLVERS, select_encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints.system import Group, System


def is_dense(system: System) -> bool:
    """Return whether native cardinality constraints suit a system: many pegs in most constraints.

    The solvers that start with `Presolver` are for such systems.
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
        """The minimum and the maximum count of each color, and the colors of each peg, as bits."""
        domains = self.problem.domains
        return domains.low, domains.high, domains.domain

    @property
    def settled(self) -> Rows:
        """The rows without remaining constraints, because the bounds imply them."""
        return frozenset(row for row in self.rows if not self.system.soft[row].constraints)

    @cached_property
    def reading(self) -> Reading:
        """The linear equations of the remaining constraints, for lattices."""
        return read_places(self.system)

    def groups_with(self, relaxable: Rows) -> list[Group]:
        """Return the remaining constraints by row, and those of the relaxable rows as well."""
        domains = self.problem.domains
        groups, original_groups = list(self.system.rows), self.original.rows
        for row in relaxable:
            reduced = (substitute(each, domains) for each in original_groups[row])
            groups[row] = tuple(constraint for constraint in reduced if constraint)
        return groups


class Presolver(RowSolver):
    """Presolve alone: it refutes queries or leaves them undecided."""

    name = "presolve"

    def __init__(self, system: System) -> None:
        self.system = system
        self._rows: Rows | None = None
        self._last: PresolvedRows | Answer | None = None

    def reduce(self, rows: Rows) -> PresolvedRows | Answer:
        """Return the presolved rows, or the answer that refutes them; the last result is kept."""
        if self._last is None or rows != self._rows:
            self._rows, self._last = rows, reduce_rows(self.system, rows)
        return self._last

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return the refutation, if there is one; the budget is ignored."""
        reduced = self.reduce(query.rows)
        return reduced if isinstance(reduced, Answer) else None


class PresolvingSolver(SteppingSolver[W]):
    """A solver that presolves the rows of a query before it begins to work on them."""

    def __init__(self, presolver: Presolver) -> None:
        super().__init__()
        self._presolver = presolver

    def start(self, query: Query) -> W | Answer | None:
        """Presolve the rows; begin to work on them if that does not refute them."""
        presolved = self._presolver.reduce(query.rows)
        return presolved if isinstance(presolved, Answer) else self.begin(query, presolved)

    @abstractmethod
    def begin(self, query: Query, presolved: PresolvedRows) -> W | None:
        """Begin to work on presolved rows, or return None if they do not suit the solver."""


def reduce_rows(system: System, rows: Rows) -> PresolvedRows | Answer:
    """Presolve some rows of a system; return the answer if that refutes them."""
    groups = (group if row in rows else () for row, group in enumerate(system.rows))
    found = presolve(system.with_rows(groups), COUNTING)
    if not isinstance(found, Presolved):
        return Answer(None, frozenset(found.rows))
    return PresolvedRows(system, found, rows)


def entropy_without(system: System, row: int) -> float:
    """Return the entropy, in bits, that the equations of all other rows leave; 0 if refuted."""
    others = frozenset(range(len(system.soft))) - {row}
    reduced = reduce_rows(system, others)
    # Rounded, so that the order of rows does not depend on the rounding errors of the machine.
    return 0 if isinstance(reduced, Answer) else round(reduced.reading.entropy, 3)
