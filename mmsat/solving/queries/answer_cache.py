"""Answers to queries from the codes and cores of earlier answers."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from mmsat.solving.queries.query import Answer, Query, Rows, RowSolver

if TYPE_CHECKING:
    from mmsat.game.row import Code

MAX_ANSWERS = 2000
"""Maximum number of codes, and also of cores, that are stored; the oldest are dropped first."""


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
