"""Queries by SAT and CP-SAT alternately, on the simplified rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.solving.portfolio import find_code
from mmsat.solving.queries.query import Answer, Query, RowSolver
from mmsat.solving.simplification import simplify
from mmsat.solving.solver_race import sat_and_cp

if TYPE_CHECKING:
    from mmsat.board import Board


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
