"""The engine weighted: a depth-first search with weights of constraints.

Each failure raises the weight of the violated constraint, and the next decision is made in the
constraint with the best ratio of weight to open literals (dom/wdeg [1]). The kernel's
`WeightedSearch` propagates cardinality constraints natively and learns no clauses: on boards with
many rows and many colors, learned clauses are long and seldom used again.

References
----------
[1] Boussemart, Hemery, Lecoutre and Sais (2004), "Boosting systematic search by weighting
    constraints", ECAI 2004.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat._core import SearchStatus, WeightedSearch
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving.engine import Decision, SolverEngine, verify_witness
from mmsat.solving.portfolio import Work, finish

if TYPE_CHECKING:
    from mmsat.game import Code
    from mmsat.game.board import Board
    from mmsat.solving.deadline import Deadline


FAILURES_BEFORE_PRESOLVE = 2_000
"""Maximum number of failures before the presolve: 5 to 10 ms, less than the presolve takes."""
FAILURES_PER_STEP = 10_000
"""Number of failures in a step of budget 1: about 20 ms."""
MAX_IN_PROCESS_STEPS = 5
"""Maximum number of steps of budget 1 before `auto` starts the race in two processes. They take
0.1 s, about as long as these processes need to start and load their solvers. CP-SAT decides some
boards of few colors in another 0.1 s."""
MAX_IN_PROCESS_LITERALS = 10_000
"""Maximum number of literals in all constraints for which `auto` runs the weighted search in its
own process. The presolve of such a system takes at most 0.15 s."""
COUNTING_STEPS = ("bounds", "histograms", "bounds")
"""The presolve steps that bound how many pegs each color has. They load no library."""


class WeightedWork(Work):
    """The weighted search for a code that satisfies every constraint of a system."""

    name = "weighted"

    def __init__(self, system: System) -> None:
        """Set up the search; raises SizeError if the game has a word list."""
        if system.table is not None:
            raise SizeError("the engine weighted does not support word lists; use brute")
        self._search = WeightedSearch(*system.variables, list(system.hard), system.rows)

    def step(self, budget: int) -> bool:
        """Search within `budget` times FAILURES_PER_STEP failures; return whether it is decided."""
        return self.advance(budget * FAILURES_PER_STEP)

    def advance(self, max_failures: int) -> bool:
        """Search within `max_failures` further failures; return whether it is decided."""
        status = self._search.advance(max_failures)
        if status is SearchStatus.CODE_FOUND:
            self.code = self._search.code
        return status is not SearchStatus.BUDGET_SPENT


class PresolvingWork(Work):
    """A short weighted search on the original system, then a presolve, then a longer search.

    Most medium-sized boards are decided in the few milliseconds of the short search. The presolve
    bounds how many pegs each color has, which makes the search of the other boards shorter by
    orders of magnitude.
    """

    name = WeightedWork.name

    def __init__(self, system: System) -> None:
        """Set up the short search; raises SizeError if the game has a word list."""
        self._system = system
        self._short_search = WeightedWork(system)
        self._long_search: WeightedWork | None = None

    def step(self, budget: int) -> bool:
        """Search within `budget` times FAILURES_PER_STEP failures; return whether it is decided."""
        if self._long_search is None:
            if self._short_search.advance(FAILURES_BEFORE_PRESOLVE):
                self.code = self._short_search.code
                return True
            from mmsat.constraints.presolve.presolve import Presolved, presolve

            presolved = presolve(self._system, COUNTING_STEPS)
            if not isinstance(presolved, Presolved):
                return True
            self._long_search = WeightedWork(presolved.system)
        is_decided = self._long_search.step(budget)
        self.code = self._long_search.code
        return is_decided


class Weighted(SolverEngine):
    """The weighted search, with a presolve if it takes longer."""

    name = "weighted"
    summary = "depth-first search with constraint weights, for many rows and colors"

    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        """Return a consistent code, or None; the search is the same for every seed."""
        return finish(PresolvingWork(System.of(board))).code

    def supports(self, system: System) -> bool:
        """Return whether `try_decide` runs: the system is small and has no word list."""
        num_literals = sum(len(constraint.literals) for constraint in system.constraints)
        return system.table is None and num_literals <= MAX_IN_PROCESS_LITERALS

    def try_decide(self, board: Board, deadline: Deadline) -> Decision | None:
        """Decide in this process within MAX_IN_PROCESS_STEPS.

        Returns None if the board is unsupported or undecided.
        """
        system = System.of(board)
        if not self.supports(system):
            return None
        work = PresolvingWork(system)
        for _ in range(MAX_IN_PROCESS_STEPS):
            if deadline.passed:
                return None
            if work.step(1):
                return verify_witness(board, work.code, self.name)
        return None
