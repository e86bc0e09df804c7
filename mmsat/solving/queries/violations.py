"""Find the violated rows of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.solving.queries.query import Rows
    from mmsat.tolerance import Tolerance


class Violations:
    """The violated rows of codes within a tolerance; each code is scored once."""

    def __init__(self, board: Board, tolerance: Tolerance) -> None:
        self._board = board
        self._tolerance = tolerance
        self._costs: dict[Code, dict[int, int]] = {}

    def costs(self, code: Code) -> dict[int, int]:
        """Return the rows that a code violates, each with the number of lies that this costs."""
        if code not in self._costs:
            board, tolerance = self._board, self._tolerance
            self._costs[code] = (
                {miss.row: tolerance.price([miss]) for miss in tolerance.misses(board, code)}
                if tolerance.lies
                else dict.fromkeys(board.missed(code), 1)
            )
        return self._costs[code]

    def excess(self, code: Code, rows: Rows) -> int:
        """Return the lies of a code in some rows minus the tolerated ones; it may be negative."""
        costs = self.costs(code)
        return sum(costs.get(row, 0) for row in rows) - self._tolerance.lies

    def satisfied_rows(self, code: Code, rows: Rows = frozenset()) -> Rows:
        """Return a maximal set of rows that a code satisfies; with lies, a superset of `rows`.

        If the code does not satisfy `rows` within the tolerance, return the rows that it does not
        violate at all.
        """
        costs = self.costs(code)
        everything = frozenset(range(len(self._board.rows)))
        remaining_lies = -self.excess(code, rows)
        if remaining_lies < 0:
            return everything - costs.keys()
        satisfied = everything - (costs.keys() - rows)
        for row in sorted(costs.keys() - rows):
            if costs[row] <= remaining_lies:
                remaining_lies -= costs[row]
                satisfied |= {row}
        return satisfied

    def critical_rows(self, code: Code, rows: Rows) -> set[int]:
        """Return each row whose removal alone makes the code satisfy the others."""
        excess = self.excess(code, rows)
        costs = self.costs(code)
        return {row for row in rows & costs.keys() if 0 < excess <= costs[row]}
