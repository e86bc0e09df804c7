"""Queries about two-color boards, refuted by linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.solving.queries.query import Answer, Query, RowSolver
from mmsat.solving.refutation import refute

if TYPE_CHECKING:
    from mmsat.game.board import Board


class Algebra(RowSolver):
    """Refutes rows by a linear combination of their equations; it never finds codes."""

    name = "algebra"

    def __init__(self, board: Board) -> None:
        self._board = board

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return a refutation of the rows, or None; the budget is ignored: elimination is fast."""
        row_indices = sorted(query.rows)
        refutation = refute(self._board.only(row_indices))
        if refutation is None:
            return None
        return Answer(None, frozenset(row_indices[row] for row in refutation.rows))
