"""Solvers by turns: each gets a budget, and the budgets double.

Nobody knows before which solver a system suits. With doubling budgets no more than a small factor
is lost against the best of them. Budgets are counted in work, not in seconds, so that the answer is
the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmsat.encode.cnf import cnf
from mmsat.solve.cp import CpTry
from mmsat.solve.sat import code_of, new_solver

if TYPE_CHECKING:
    from mmsat.answers import Code
    from mmsat.constraints.system import System

PROPAGATIONS = 50_000
"""The first budget of SAT: less than it takes to load CP-SAT ..."""
EACH = 400
"""... and on sparse systems so much more for each variable: they suit it."""
WORK = 0.25
"""The first budget of CP-SAT, in its own unit of deterministic time, about a second each."""
RELAXATIONS = (2, 1)
"""How much CP-SAT leans on linear programming, by turns: with all cuts it refutes in a moment what
search alone never does, such as vertex covers ..."""
DENSE = 12
"""... but where claims have so many facts on average, cuts only cost time: with few, and more."""
LONG = 100
"""Facts in a claim from which quotient and remainder are the shorter way to count."""
LARGEST = 400_000
"""Facts in all claims from which clauses would take too much memory; CP-SAT takes them as is."""


class Turns:
    """A system of equations, and the solvers that work on it by turns."""

    def __init__(self, system: System, seed: int | None = None) -> None:
        """Encode nothing yet."""
        self.system = system
        self.seed = seed
        self.lengths = [len(claim.facts) for claim in system.claims]
        self.is_dense = sum(self.lengths) > DENSE * len(self.lengths)
        self.code: Code | None = None
        """After a decision: a code, or None if there is none."""
        self._sat: Any = None
        self._first = 0
        self._cp: CpTry | None = None

    def take(self, turn: int) -> bool:
        """Whether the system is decided in this turn; turns count from 0."""
        return self._by_sat(turn) or self._by_cp(turn)

    def close(self) -> None:
        """Let go of what holds memory outside Python."""
        if self._sat is not None:
            self._sat.delete()

    def _by_sat(self, turn: int) -> bool:
        if sum(self.lengths) > LARGEST:
            return False
        if self._sat is None:
            encoding = "modulo-totalizer" if max(self.lengths, default=0) > LONG else "totalizer"
            formula = cnf(self.system, encoding)
            self._first = PROPAGATIONS + (0 if self.is_dense else EACH * formula.variables)
            self._sat = new_solver("glucose4", formula)
        self._sat.prop_budget(self._first << turn)
        satisfiable = self._sat.solve_limited()
        if satisfiable:
            self.code = code_of(self._sat.get_model(), self.system.facts)
        return satisfiable is not None

    def _by_cp(self, turn: int) -> bool:
        self._cp = self._cp or CpTry(self.system, self.seed)
        parameters = self._cp.solver.parameters
        parameters.random_seed = (self.seed or 0) ^ turn  # each try starts anew, so elsewhere
        for level in RELAXATIONS[self.is_dense :]:
            parameters.linearization_level = level
            if self._cp.solve(WORK * 2 ** (turn + self.is_dense)):
                self.code = self._cp.code
                return True
        return False
