"""Whether any counts of the colors fit what the rows say of them, asked of CP-SAT.

Where the presolve leaves the counts of colors open, and no counts fit, a search for codes tries
every place for every color and comes to no end: 12 rows of 20 pegs and colors took it 26 s. About
the counts alone, one unknown a color, the answer comes in a twentieth of a second. Counts that fit
say nothing of codes, but with them, codes are found sooner where there are many.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mmsat.constraints.presolve.histogram_search import Counts
from mmsat.encoding.ortools import cp_model, cp_solver
from mmsat.solving.portfolio import Work

if TYPE_CHECKING:
    from mmsat.constraints.presolve.problem import Problem

SECONDS = 0.25
"""The least budget, in CP-SAT's own unit of deterministic time."""


class HistogramWork(Work):
    """Refutes a problem by the counts of its colors; it finds no code."""

    name = "cp"

    def __init__(self, problem: Problem) -> None:
        """Build no model yet: loading CP-SAT takes longer than most boards."""
        self._counts = Counts.of(problem)
        self.is_open = self._counts is not None and any(len(may) > 1 for may in self._counts.may)
        """Whether it is not known that there are counts, nor that there are none."""
        self.histogram: dict[int, int] = {}
        """Once there are counts: those of the colors that rows ask about."""
        self._model: Any = None
        self._more: list[list[Any]] = []

    def step(self, budget: int) -> bool:
        """Whether there are no counts, as far as that is told within the budget."""
        if not self.is_open or self._counts is None:
            return False
        if self._model is None:
            self._model, self._more = count_model(self._counts)
        solver = cp_solver()
        solver.parameters.max_deterministic_time = SECONDS * budget
        solver.parameters.linearization_level = 2  # with all cuts: the model is small
        status = solver.solve(self._model)
        self.is_open = status == cp_model().UNKNOWN
        if status in {cp_model().OPTIMAL, cp_model().FEASIBLE}:
            found = [
                may[sum(map(solver.boolean_value, more))]
                for may, more in zip(self._counts.may, self._more, strict=True)
            ]
            self.histogram = dict(zip(self._counts.colors, found, strict=True))
        return bool(status == cp_model().INFEASIBLE)


def count_model(counts: Counts) -> tuple[Any, list[list[Any]]]:
    """Whether each color has its second count or more, its third and so on; and the totals."""
    model = cp_model().CpModel()
    more = [[model.new_bool_var("") for _ in may[1:]] for may in counts.may]
    for choices in more:
        for fewer, many in pairwise(choices):
            model.add_implication(many, fewer)
    every = [choice for choices in more for choice in choices]
    for total in counts.totals:
        steps = [after - before for adds in total.adds for before, after in pairwise(adds)]
        least = sum(adds[0] for adds in total.adds)
        added = cp_model().LinearExpr.weighted_sum(every, steps)
        model.add_linear_constraint(added, total.low - least, total.high - least)
    return model, more
