"""Queries by the counts of the colors alone, then by a search for codes with these counts."""

from __future__ import annotations

from mmsat.game.space import CardinalityConstraint
from mmsat.limits import LIMITS
from mmsat.solving.cp import HistogramWork
from mmsat.solving.queries.presolved import PresolvedRows, PresolvingSolver
from mmsat.solving.queries.query import Query, QueryWork
from mmsat.solving.queries.weighted import WeightedQueryWork


class ColorCountsWork(QueryWork):
    """CP-SAT refutes the counts of the colors, or finds counts that the search then requires.

    The work ends without a decision if the counts that it found have no code.
    """

    name = "counts"

    def __init__(self, search: WeightedQueryWork) -> None:
        """`search` is the search of the same query without these counts."""
        self.core = search.query.rows
        self._counts = HistogramWork(search.presolved.problem)
        self._main_search = search
        self._search: WeightedQueryWork | None = None

    @property
    def failures(self) -> int:
        """The number of failures of the search for codes with the counts."""
        return 0 if self._search is None else self._search.failures

    def step(self, budget: int) -> bool:
        """Work within a budget; the search has `budget` times its minimum number of failures."""
        return self.advance(budget, budget * LIMITS.dense_failures)

    def advance(self, budget: int, failures: int) -> bool:
        """Work within a budget for CP-SAT, and a number of failures of the search."""
        if self._counts.step(budget):
            return True
        if not self._counts.histogram:
            self.can_decide = self._counts.is_open
            return False
        self._search = self._search or self._begin_search()
        if not self._search.advance(failures):
            return False
        self.code = self._search.code
        if self.code is None:
            self._counts.histogram.clear()
        return self.code is not None

    def _begin_search(self) -> WeightedQueryWork:
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
    """The counts of the colors; it seldom decides a query alone."""

    name = "counts"

    def begin(self, query: Query, presolved: PresolvedRows) -> ColorCountsWork:
        """Set up the work; its first step loads CP-SAT if presolve left counts undetermined."""
        return ColorCountsWork(WeightedQueryWork(query, presolved))
