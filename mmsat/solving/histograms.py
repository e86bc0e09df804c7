"""Whether counts of colors exist that satisfy the constraints about counts, by CP-SAT.

If the presolve leaves the counts of colors open and no counts fit, a search for codes tries every
place for every color and does not end: 12 rows of 20 pegs and colors took it 26 s. For the counts
alone, with one unknown per color, the answer comes in a twentieth of a second. Counts that fit do
not imply a code, but if there are many codes, a code with these counts is found sooner.
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
"""The time limit of a budget of 1, in CP-SAT's deterministic time."""


class HistogramWork(Work):
    """Refutes a problem by the counts of its colors; it finds no code.

    Attributes
    ----------
    is_open:
        Whether it is still unknown if counts exist.
    histogram:
        The counts by color, for the colors in constraints, once a solution is known.
    """

    name = "cp"

    def __init__(self, problem: Problem) -> None:
        self._counts = Counts.of(problem)
        self.is_open = self._counts is not None and any(
            len(domain) > 1 for domain in self._counts.domains
        )
        self.histogram: dict[int, int] = {}
        # The model is built by the first step: loading CP-SAT takes longer than most boards.
        self._model: Any = None
        self._choices: list[list[Any]] = []

    def step(self, budget: int) -> bool:
        """Search for counts within a budget, and return True if it is proven that none exist."""
        if not self.is_open or self._counts is None:
            return False
        if self._model is None:
            self._model, self._choices = count_model(self._counts)
        solver = cp_solver()
        solver.parameters.max_deterministic_time = SECONDS * budget
        solver.parameters.linearization_level = 2  # with all cuts: the model is small
        status = solver.solve(self._model)
        self.is_open = status == cp_model().UNKNOWN
        if status in {cp_model().OPTIMAL, cp_model().FEASIBLE}:
            counts = [
                domain[sum(map(solver.boolean_value, choices))]
                for domain, choices in zip(self._counts.domains, self._choices, strict=True)
            ]
            self.histogram = dict(zip(self._counts.colors, counts, strict=True))
        return bool(status == cp_model().INFEASIBLE)


def count_model(counts: Counts) -> tuple[Any, list[list[Any]]]:
    """Return a model of the constraints about counts, and its unary variables of each color.

    Variable i of a color is true if its count is one of its domain after the one at index i.
    """
    model = cp_model().CpModel()
    choices = [[model.new_bool_var("") for _ in domain[1:]] for domain in counts.domains]
    for unary in choices:
        for fewer, more in pairwise(unary):
            model.add_implication(more, fewer)
    all_choices = [choice for unary in choices for choice in unary]
    for constraint in counts.sums:
        contributions = constraint.contributions
        steps = [after - before for each in contributions for before, after in pairwise(each)]
        min_total = sum(each[0] for each in contributions)
        total = cp_model().LinearExpr.weighted_sum(all_choices, steps)
        model.add_linear_constraint(total, constraint.low - min_total, constraint.high - min_total)
    return model, choices
