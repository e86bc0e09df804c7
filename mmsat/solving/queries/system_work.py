"""Queries by work on a system of constraints, which does not know the rows behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.solving.queries.query import QueryWork, Rows

if TYPE_CHECKING:
    from collections.abc import Collection

    from mmsat.game.row import Code
    from mmsat.solving.portfolio import Work


class SystemWork(QueryWork):
    """Work on the system of some rows; the core of a refutation is all of them."""

    def __init__(self, work: Work, rows: Rows) -> None:
        self._work = work
        self.name = work.name
        self.core = rows

    def step(self, budget: int, excluded: Collection[Code] = ()) -> bool:
        """Work within a budget, which starts again after each excluded code.

        Only work that can find further codes may be given excluded codes.
        """
        while self._work.step(budget):
            self.code = self._work.code
            if self.code not in excluded:
                return True
        return False
