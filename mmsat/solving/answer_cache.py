"""The rows that codes violate, and a cache of the answers to earlier queries."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from mmsat.solving.queries import Answer, Query, Rows, RowSolver

if TYPE_CHECKING:
    from mmsat.game import Code
    from mmsat.game.board import Board
    from mmsat.game.tolerance import Tolerance

MAX_ANSWERS = 2000
"""Maximum number of codes, and also of cores, that are stored; the oldest are dropped first."""


class Violations:
    """The rows that codes violate, with a tolerance; each code is scored once."""

    def __init__(self, board: Board, tolerance: Tolerance) -> None:
        self._board = board
        self._tolerance = tolerance
        self._costs: dict[Code, dict[int, int]] = {}

    def costs(self, code: Code) -> dict[int, int]:
        """Return the number of lies in each row that a code violates."""
        if code not in self._costs:
            board, tolerance = self._board, self._tolerance
            self._costs[code] = (
                {miss.row: tolerance.price([miss]) for miss in tolerance.misses(board, code)}
                if tolerance.lies
                else dict.fromkeys(board.missed(code), 1)
            )
        return self._costs[code]

    def excess(self, code: Code, rows: Rows) -> int:
        """Return the number of lies in `rows`, if `code` is the secret, minus the tolerated number.

        The code satisfies the rows if the result is not positive.
        """
        costs = self.costs(code)
        return sum(costs.get(row, 0) for row in rows) - self._tolerance.lies

    def satisfied_rows(self, code: Code, rows: Rows = frozenset()) -> Rows:
        """Return a maximal set of rows that a code satisfies together, including `rows`.

        If the code does not satisfy `rows` within the tolerance, return the rows that it does not
        violate.
        """
        costs = self.costs(code)
        all_rows = frozenset(range(len(self._board.rows)))
        remaining_lies = -self.excess(code, rows)
        if remaining_lies < 0:
            return all_rows - costs.keys()
        satisfied = all_rows - (costs.keys() - rows)
        for row in sorted(costs.keys() - rows):
            if costs[row] <= remaining_lies:
                remaining_lies -= costs[row]
                satisfied |= {row}
        return satisfied

    def critical_rows(self, code: Code, rows: Rows) -> set[int]:
        """Return each of `rows` whose removal alone would make the code satisfy all others.

        If the code satisfies all of `rows`, the result is empty.
        """
        excess = self.excess(code, rows)
        costs = self.costs(code)
        return {row for row in rows & costs.keys() if 0 < excess <= costs[row]}


class AnswerCache(RowSolver):
    """The codes and cores of earlier answers."""

    name = "cache"

    def __init__(self) -> None:
        self._codes: deque[tuple[Code, Rows]] = deque(maxlen=MAX_ANSWERS)
        """Codes, each with all rows that it satisfies."""
        self._cores: deque[Rows] = deque(maxlen=MAX_ANSWERS)

    def store_code(self, code: Code, satisfied: Rows) -> None:
        """Store a code and all rows that it satisfies."""
        self._codes.append((code, satisfied))

    def store_core(self, core: Rows) -> None:
        """Store rows that no code satisfies together."""
        self._cores.append(core)

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Return the first code or core that answers the query, or None.

        A code that violates too many relaxable rows is not returned.
        """
        for code, satisfied in self._codes:
            if query.rows <= satisfied and len(query.relaxable - satisfied) <= query.max_violations:
                return Answer(code)
        for core in self._cores:
            if core <= query.rows:
                return Answer(None, core)
        return None
