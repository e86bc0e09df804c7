"""Which rows can hold together: one incremental solver, one selector a row.

A row is switched by its number, never by what it says, so repeated rows stay apart. Every helper of
the formula is defined by the code, so a row that is off leaves nothing behind.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from mmsat.constraints.system import System
from mmsat.encode.cnf import Builder
from mmsat.errors import InternalError
from mmsat.solve.sat import code_of, new_solver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.answers import Code
    from mmsat.game.board import Board

Rows = frozenset[int]


class RowOracle:
    """Answers, for sets of rows (from 0), whether a code satisfies them all."""

    def __init__(self, board: Board, solver: str = "glucose4") -> None:
        """Encode the board once."""
        self.board = board
        self.system = System.of(board)
        self.builder = Builder(self.system, switched=True)
        self.formula = self.builder.formula
        self.solver = new_solver(solver, self.formula)
        self.row_of = {literal: row for row, literal in enumerate(self.formula.selectors)}
        self.core: Rows = frozenset()
        """After a refusal: rows of the question that no code satisfies, seldom minimal."""

    def find(self, rows: Iterable[int], extra: Iterable[int] = ()) -> Code | None:
        """A code that satisfies these rows, and these extra literals; None sets `core`."""
        wanted = sorted(rows)
        selected = [self.formula.selectors[row] for row in wanted]
        if not self.solver.solve(assumptions=[*selected, *extra]):
            core = self.solver.get_core() or []
            self.core = frozenset(self.row_of[lit] for lit in core if lit in self.row_of)
            return None
        code = code_of(self.solver.get_model(), self.system.facts)
        satisfied = self.satisfied(code)
        if not satisfied.issuperset(wanted):
            raise InternalError(f"{code} does not satisfy rows {wanted} of {self.board}")
        return code

    @contextmanager
    def extending(self) -> Iterator[Builder]:
        """Let the formula grow by definitions, and hand what is new to the solver."""
        before = len(self.formula.clauses)
        yield self.builder
        self.solver.append_formula(self.formula.clauses[before:])

    def satisfied(self, code: Code) -> Rows:
        """The rows that a code satisfies, by scoring it."""
        agrees = self.board.game.scoring.agrees
        return frozenset(n for n, row in enumerate(self.board.rows) if agrees(code, *row))

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
