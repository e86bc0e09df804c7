"""The engine cp, which is CP-SAT, and the refutation of histograms by CP-SAT.

CP-SAT learns clauses on linear constraints. It is the stronger engine on dense random boards.

`HistogramWork` decides whether counts of colors exist that satisfy the constraints about counts. If
the presolve leaves the counts of colors open and no counts satisfy these constraints, a search for
codes tries every place for every color and does not finish in reasonable time: it took 26 s for 12
rows of 20 pegs and colors. The counts alone, with one unknown per color, were refuted in 0.05 s.
Counts that satisfy the constraints do not imply a code, but if there are many codes, a code with
these counts is found sooner.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mmsat.constraints.presolve.histogram_search import Counts
from mmsat.constraints.system import System
from mmsat.encoding.cp_sat import CpBoard, cp_model, cp_solver
from mmsat.errors import InternalError
from mmsat.game.board import Board
from mmsat.game.row import Code
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving.engine import SolverEngine
from mmsat.solving.portfolio import Work
from mmsat.solving.sat import is_sparse

if TYPE_CHECKING:
    from mmsat.constraints.presolve.problem import Problem

WORK = 0.25
"""Deterministic time of a budget of 1, in CP-SAT's unit, which is about a second."""
BUDGET_EXPONENT = 2
"""Exponent of the budget. Each attempt restarts from scratch, so few long ones waste least time."""
LINEARIZATION_LEVELS = (2, 1)
"""Values of `linearization_level`, used in turn. With all cuts (2), CP-SAT quickly refutes systems
that search alone never refutes, such as vertex covers. On dense systems, cuts only cost time."""


class Cp(SolverEngine):
    """CP-SAT with one worker, which was measured to be the best use of a core."""

    name = "cp"
    summary = "CP-SAT on the linear model"
    knows_lies = True

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        attempt = CpTry(System.of(board, tolerance), seed)
        if not attempt.solve():
            raise InternalError(f"CP-SAT did not decide {board}")
        return attempt.code


class CpTry:
    """The CP-SAT model of a system, solved within a budget if there is one.

    It uses one worker and a fixed seed, so that the same budget gives the same answer.
    """

    def __init__(self, system: System, seed: int | None = None) -> None:
        """Build the model."""
        ortools = cp_model()
        self.built = CpBoard(system)
        self.solver = cp_solver(seed)
        self.solved = (ortools.OPTIMAL, ortools.FEASIBLE)
        self.refuted = ortools.INFEASIBLE
        self.code: Code | None = None
        """After a decision: a code, or None if there is none."""

    def solve(self, work: float = math.inf) -> bool:
        """Return whether the system is decided within this deterministic time, about seconds."""
        self.solver.parameters.max_deterministic_time = work
        status = self.solver.solve(self.built.model)
        if status in self.solved:
            true = self.solver.boolean_value
            self.code = tuple(
                next(color for color, place in enumerate(peg) if true(place))
                for peg in self.built.code_variables
            )
        return status in self.solved or status == self.refuted


class CpWork(Work):
    """CP-SAT with more and less linear programming. Each step restarts with another seed."""

    name = "cp"

    def __init__(self, system: System, seed: int | None = None, *, work: float = WORK) -> None:
        """Set up without a model: loading CP-SAT takes longer than most boards."""
        self.system = system
        self.seed = seed or 0
        self.work = work
        self.levels = LINEARIZATION_LEVELS if is_sparse(system) else LINEARIZATION_LEVELS[1:]
        self._tries = 0
        self._cp: CpTry | None = None

    def step(self, budget: int) -> bool:
        """Search within a budget of deterministic time."""
        self._cp = self._cp or CpTry(self.system)
        parameters = self._cp.solver.parameters
        parameters.random_seed = self.seed ^ self._tries
        self._tries += 1
        for level in self.levels:
            parameters.linearization_level = level
            if self._cp.solve(self.work * budget**BUDGET_EXPONENT):
                self.code = self._cp.code
                return True
        return False


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
