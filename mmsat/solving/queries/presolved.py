"""Presolve of the rows of a query, which bounds how many pegs have each color."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.constraints.presolve.presolve import Presolved, presolve
from mmsat.constraints.presolve.problem import substitute
from mmsat.solving.lattice import COUNTING_STEPS, LatticeEquations, read_lattice_equations
from mmsat.solving.queries.query import Answer, Query, Rows, RowSolver, SteppingSolver, W
from mmsat.solving.sat import NATIVE_SOLVERS, select_encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints.system import Group, System


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
        return domains.low, domains.high, domains.domain

    @property
    def implied_rows(self) -> Rows:
        """The rows without remaining constraints, because the bounds imply them."""
        return frozenset(row for row in self.rows if not self.system.soft[row].constraints)

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
    presolved = presolve(system.with_rows(groups), COUNTING_STEPS)
    if not isinstance(presolved, Presolved):
        return Answer(None, frozenset(presolved.rows))
    return PresolvedRows(system, presolved, rows)


def entropy_without(system: System, row: int) -> float:
    """Return the entropy, in bits, that the equations of all other rows leave; 0 if refuted."""
    others = frozenset(range(len(system.soft))) - {row}
    reduced = reduce_rows(system, others)
    # Rounded so that an order of rows by entropy does not depend on rounding errors of the machine.
    return 0 if isinstance(reduced, Answer) else round(reduced.lattice_equations.entropy, 3)
