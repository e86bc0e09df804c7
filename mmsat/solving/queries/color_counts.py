"""Queries by a search for counts of the colors, then for a code with these counts."""

from __future__ import annotations

from mmsat.game.space import CardinalityConstraint
from mmsat.limits import LIMITS
from mmsat.solving.cp import HistogramWork
from mmsat.solving.queries.presolved import PresolvedRows, PresolvingSolver
from mmsat.solving.queries.query import Query, QueryWork
from mmsat.solving.queries.weighted import WeightedQueryWork


class ColorCountsWork(QueryWork):
    """CP-SAT refutes the counts of the colors, or finds counts with which a code is then sought.

    If no code has the counts found, the work ends without a decision.
    """

    name = "counts"

    def __init__(self, main_search: WeightedQueryWork) -> None:
        """Set up the work on the query of `main_search`, which does not prescribe counts."""
        self.core = main_search.query.rows
        self._counts = HistogramWork(main_search.presolved.problem)
        self._main_search = main_search
        self._search: WeightedQueryWork | None = None

    @property
    def failures(self) -> int:
        """The number of failures of the search for codes with the counts."""
        return 0 if self._search is None else self._search.failures

    def step(self, budget: int) -> bool:
        """Run CP-SAT and the search within `budget` times their minimum budgets."""
        return self.advance(budget, budget * LIMITS.dense_failures)

    def advance(self, budget: int, max_failures: int) -> bool:
        """Run CP-SAT within `budget`, and the search for `max_failures` failures."""
        if self._counts.step(budget):
            return True
        if not self._counts.histogram:
            self.can_decide = self._counts.is_open
            return False
        self._search = self._search or self._begin_search()
        if not self._search.advance(max_failures):
            return False
        self.code = self._search.code
        if self.code is None:
            self._counts.histogram.clear()  # so that the next step ends the work
        return self.code is not None

    def _begin_search(self) -> WeightedQueryWork:
        """Return a search like the main search for a code with the counts found."""
        main = self._main_search
        variables = main.presolved.system.variables
        counts = [
            CardinalityConstraint(
                tuple(variables.at(peg, color) for peg in range(variables.pegs)), count, count
            )
            for color, count in self._counts.histogram.items()
        ]
        search = WeightedQueryWork(main.query, main.presolved, main, counts)
        search.excluded = main.excluded
        return search


class ColorCounts(PresolvingSolver[ColorCountsWork]):
    """The search for counts of the colors; it seldom decides a query."""

    name = "counts"

    def begin(self, query: Query, presolved: PresolvedRows) -> ColorCountsWork:
        """Set up the work; its first step loads CP-SAT if presolve left counts undetermined."""
        return ColorCountsWork(WeightedQueryWork(query, presolved))
