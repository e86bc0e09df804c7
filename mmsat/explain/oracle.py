"""Which rows can hold together: one incremental solver, one selector a row.

A row is switched by its number, never by what it says, so repeated rows stay apart. Every helper of
the formula is defined by the code, so a row that is off leaves nothing behind.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from mmsat.constraints.system import System
from mmsat.encode.cnf import Builder
from mmsat.errors import InternalError
from mmsat.solve.cp import CpTry
from mmsat.solve.sat import code_of, new_solver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.answers import Code
    from mmsat.game.board import Board

Rows = frozenset[int]

PROPAGATIONS = 1_000_000
"""The first budget of SAT: less than a second."""
WORK = 1.0
"""The first budget of CP-SAT, in its own unit of deterministic time."""


class RowOracle:
    """Answers, for sets of rows (from 0), whether a code satisfies them all."""

    def __init__(self, board: Board, solver: str = "minisat22") -> None:
        """Encode the board once."""
        self.board = board
        self.system = System.of(board)
        self.builder = Builder(self.system, switched=True)
        self.formula = self.builder.formula
        self.solver = new_solver(solver, self.formula)
        self.row_of = {literal: row for row, literal in enumerate(self.formula.selectors)}
        self.is_extended = False
        self.core: Rows = frozenset()
        """After a refusal: rows of the question that no code satisfies, seldom minimal."""
        self.code: Code | None = None
        """The last answer."""

    def find(self, rows: Iterable[int]) -> Code | None:
        """A code that satisfies these rows; None sets `core`.

        SAT has the first word, and nearly always the last. A dense board may want CP-SAT, which
        knows no cores; the two take turns with doubling budgets of work, as in the engine auto.
        """
        wanted = sorted(rows)
        for turn in count():
            if self._solve(wanted, PROPAGATIONS << turn) or (
                not self.is_extended and self._solve_by_cp(wanted, WORK * 2**turn)
            ):
                break
        if self.code is not None and not self.satisfied(self.code).issuperset(wanted):
            raise InternalError(f"{self.code} does not satisfy rows {wanted} of {self.board}")
        return self.code

    def _solve(self, rows: list[int], propagations: int) -> bool:
        """Whether SAT decides these rows within a budget."""
        self.solver.prop_budget(propagations)
        selected = [self.formula.selectors[row] for row in rows]
        satisfiable = self.solver.solve_limited(assumptions=selected)
        self.code = code_of(self.solver.get_model(), self.system.facts) if satisfiable else None
        if satisfiable is False:
            self.core = frozenset(self.row_of[literal] for literal in self.solver.get_core() or [])
        return satisfiable is not None

    def _solve_by_cp(self, rows: list[int], work: float) -> bool:
        """Whether CP-SAT decides these rows within a budget."""
        kept = tuple(self.system.rows[row] for row in rows)
        attempt = CpTry(replace(self.system, rows=kept))
        decided = attempt.solve(work)
        self.code, self.core = attempt.code, frozenset(rows)
        return decided

    @contextmanager
    def extending(self) -> Iterator[Builder]:
        """Let the formula grow by definitions, and hand what is new to the solver."""
        self.is_extended = True  # CP-SAT does not know what is added
        before = len(self.formula.clauses)
        yield self.builder
        self.solver.append_formula(self.formula.clauses[before:])

    def satisfied(self, code: Code) -> Rows:
        """The rows that a code satisfies, by scoring it."""
        return frozenset(range(len(self.board.rows))).difference(self.board.missed(code))

    def shrink(self, rows: Iterable[int]) -> Rows:
        """A minimal conflict within rows that no code satisfies together.

        Each row is left out once; it stays if the rest then has a code. The rows are taken from
        the last to the first, as slips tend to be found late.
        """
        rest = frozenset(rows)
        if self.find(rest) is not None:
            raise InternalError(f"rows {sorted(rest)} of {self.board} do not conflict")
        rest = self.core
        for row in sorted(rest, reverse=True):
            if row in rest and self.find(rest - {row}) is None:
                rest = self.core
        return rest
