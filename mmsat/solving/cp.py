"""CP-SAT: the engine cp, queries about rows, and the refutation of histograms.

CP-SAT learns clauses from linear constraints. It is stronger than SAT on dense random boards.

`HistogramWork` decides whether counts of the colors (a histogram) satisfy all constraints about
counts. If no counts do, but the presolve does not refute them, a search for codes tries each color
at every peg and does not finish in reasonable time: it took 26 s for 12 rows of 20 pegs and colors.
The counts alone, with one unknown per color, were refuted in 0.05 s. Counts that satisfy the
constraints do not imply a code, but if there are many codes, a code with these counts is found
sooner.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mmsat.constraints import System
from mmsat.constraints.histograms import Counts
from mmsat.encoding.integer_models import CpBoard, cp_model, cp_solver
from mmsat.errors import InternalError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.limits import LIMITS
from mmsat.solving import SolverEngine, Work
from mmsat.solving.presolved_rows import PresolvedRows, PresolvingSolver
from mmsat.solving.queries import Query, QueryWork, SystemWork
from mmsat.solving.sat import is_sparse
from mmsat.solving.weighted_rows import WeightedQueryWork

if TYPE_CHECKING:
    from mmsat.constraints.presolve_state import Problem

BUDGET_TIME = 0.25
"""Deterministic time of a budget of 1, in CP-SAT's unit, which is about a second."""
BUDGET_EXPONENT = 2
"""Exponent of the budget in the deterministic time. Each attempt starts from scratch, so a few long
attempts waste less time than many short ones."""
LINEARIZATION_LEVELS = (2, 1)
"""Values of `linearization_level`, used in turn. With all cuts of linear programming (2), CP-SAT
quickly refutes systems that search alone does not refute, such as vertex covers. On systems that
are not sparse, cuts only cost time, so level 2 is omitted."""


class Cp(SolverEngine):
    """CP-SAT with one worker, because measurements showed that this uses a processor core best."""

    name = "cp"
    summary = "CP-SAT on the linear model"
    supports_lies = True

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        attempt = CpAttempt(System.of(board, tolerance), seed)
        if not attempt.solve():
            raise InternalError(f"CP-SAT did not decide {board}")
        return attempt.code


class CpAttempt:
    """The CP-SAT model of a system, solved within a budget if there is one.

    It uses one worker and a fixed seed, so that the same budget gives the same answer.
    """

    def __init__(self, system: System, seed: int | None = None) -> None:
        """Build the model."""
        ortools = cp_model()
        self.board_model = CpBoard(system)
        self.solver = cp_solver(seed)
        self.statuses_with_code = (ortools.OPTIMAL, ortools.FEASIBLE)
        self.refuted_status = ortools.INFEASIBLE
        self.code: Code | None = None
        """After a decision: a code, or None if there is no code."""

    def solve(self, time: float = math.inf) -> bool:
        """Solve within a deterministic time, about seconds; return whether it is decided."""
        self.solver.parameters.max_deterministic_time = time
        status = self.solver.solve(self.board_model.model)
        if status in self.statuses_with_code:
            is_true = self.solver.boolean_value
            self.code = tuple(
                next(color for color, variable in enumerate(peg) if is_true(variable))
                for peg in self.board_model.code_variables
            )
        return status in (*self.statuses_with_code, self.refuted_status)


class CpWork(Work):
    """CP-SAT with several linearization levels. Each step starts from scratch with another seed."""

    name = "cp"

    def __init__(
        self, system: System, seed: int | None = None, *, budget_time: float = BUDGET_TIME
    ) -> None:
        """Set up without a model: loading CP-SAT takes longer than deciding most boards."""
        self.system = system
        self.seed = seed or 0
        self.budget_time = budget_time
        self.levels = LINEARIZATION_LEVELS if is_sparse(system) else LINEARIZATION_LEVELS[1:]
        self._num_steps = 0
        self._attempt: CpAttempt | None = None

    def step(self, budget: int) -> bool:
        """Search within a budget of deterministic time."""
        self._attempt = self._attempt or CpAttempt(self.system)
        parameters = self._attempt.solver.parameters
        parameters.random_seed = self.seed ^ self._num_steps
        self._num_steps += 1
        for level in self.levels:
            parameters.linearization_level = level
            if self._attempt.solve(self.budget_time * budget**BUDGET_EXPONENT):
                self.code = self._attempt.code
                return True
        return False


class CpSat(PresolvingSolver[SystemWork]):
    """CP-SAT on the presolved rows; each step starts from scratch with another random seed."""

    name = "cp"

    def begin(self, query: Query, presolved: PresolvedRows) -> SystemWork:
        """Set up the work; its first step builds the model."""
        return SystemWork(CpWork(presolved.system), query.rows)


HISTOGRAM_BUDGET_TIME = 0.25
"""Deterministic time of a budget of 1 of `HistogramWork`."""


class HistogramWork(Work):
    """A search for counts of the colors. It can refute a problem, but finds no code.

    Attributes
    ----------
    is_open:
        Whether further steps may find or refute counts.
    histogram:
        The counts by color, for the colors in constraints; empty before counts are found.
    """

    name = "cp"

    def __init__(self, problem: Problem) -> None:
        self._counts = Counts.of(problem)
        self.is_open = self._counts is not None and any(
            len(domain) > 1 for domain in self._counts.domains
        )
        self.histogram: dict[int, int] = {}
        # The first step builds the model: loading CP-SAT takes longer than deciding most boards.
        self._model: Any = None
        self._choices: list[list[Any]] = []

    def step(self, budget: int) -> bool:
        """Search for counts within a budget, and return True if it is proven that none exist."""
        if not self.is_open or self._counts is None:
            return False
        if self._model is None:
            self._model, self._choices = count_model(self._counts)
        solver = cp_solver()
        solver.parameters.max_deterministic_time = HISTOGRAM_BUDGET_TIME * budget
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


class ColorCountsWork(QueryWork):
    """Search for counts of the colors by CP-SAT, then for a code with these counts.

    If CP-SAT finds that there are no counts, the query is refuted. If no code has the counts found,
    the work ends without a decision.
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
        search.excluded = main.excluded  # the same set, so that codes excluded later are skipped
        return search


def count_model(counts: Counts) -> tuple[Any, list[list[Any]]]:
    """Return a model of the constraints about counts, and the variables of each color.

    Variable i of a color is true if the count is greater than the count at index i of its domain.
    """
    model = cp_model().CpModel()
    choices = [[model.new_bool_var("") for _ in domain[1:]] for domain in counts.domains]
    for color_choices in choices:
        for lower, higher in pairwise(color_choices):
            model.add_implication(higher, lower)
    all_choices = [choice for color_choices in choices for choice in color_choices]
    for constraint in counts.sums:
        contributions = constraint.contributions
        increases = [
            after - before for values in contributions for before, after in pairwise(values)
        ]
        min_total = sum(values[0] for values in contributions)
        total = cp_model().LinearExpr.weighted_sum(all_choices, increases)
        model.add_linear_constraint(total, constraint.low - min_total, constraint.high - min_total)
    return model, choices
