"""Work on systems by turns: each gets a budget, and the budgets double.

Nobody knows before which way suits a system. With doubling budgets no more than a small factor is
lost against the best of them. Budgets are counted in work, not in seconds, so that the answer is
the same on every machine.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from mmsat.errors import SizeError
from mmsat.solve.choice import affordable, choice, is_sparse
from mmsat.solve.cp import CpTry
from mmsat.solve.sat import code_of, new_solver

if TYPE_CHECKING:
    from collections.abc import Iterable

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
search alone never does, such as vertex covers; on dense systems they only cost time."""


class Work(Protocol):
    """Work on one system that goes on turn by turn."""

    code: Code | None
    """After a decision: a code, or None if there is none."""

    def take(self, turn: int) -> bool:
        """Whether the system is decided in this turn; turns count from 0, and grow."""

    def close(self) -> None:
        """Let go of what holds memory outside Python."""


def first(works: Iterable[Work]) -> Code | None:
    """The first code that is found in any of the systems, or None once all are refuted."""
    every = list(works)
    try:
        left = every[:]
        for turn in count():
            for work in left[:]:
                if work.take(turn):
                    if work.code is not None:
                        return work.code
                    left.remove(work)
            if not left:
                break
    finally:
        for work in every:
            work.close()
    return None


class SatWork:
    """SAT, on the encoding that suits the system."""

    def __init__(self, system: System) -> None:
        """Encode; raises SizeError where clauses would take too much memory."""
        self.code: Code | None = None
        self.system = system
        self.choice = choice(system)
        formula = affordable(system, self.choice.encoding)
        each = EACH * formula.variables if self.choice.is_sparse else 0
        self._budget = PROPAGATIONS + each
        self._solver: Any = new_solver(self.choice.solver, formula)

    def take(self, turn: int) -> bool:
        """Search on within a budget of propagations; what was learnt stays."""
        self._solver.prop_budget(self._budget << turn)
        satisfiable = self._solver.solve_limited()
        if satisfiable:
            self.code = code_of(self._solver.get_model(), self.system.facts)
        return satisfiable is not None

    def close(self) -> None:
        """Let go of the solver."""
        self._solver.delete()


class CpWork:
    """CP-SAT, with and without much linear programming; each try starts anew, and elsewhere."""

    def __init__(self, system: System, seed: int | None = None) -> None:
        """Build no model yet: loading CP-SAT takes longer than most boards."""
        self.code: Code | None = None
        self.system = system
        self.seed = seed
        self.is_dense = not is_sparse(system)
        self._cp: CpTry | None = None

    def take(self, turn: int) -> bool:
        """Search within a budget of deterministic time."""
        self._cp = self._cp or CpTry(self.system, self.seed)
        parameters = self._cp.solver.parameters
        parameters.random_seed = (self.seed or 0) ^ turn
        for level in RELAXATIONS[self.is_dense :]:
            parameters.linearization_level = level
            if self._cp.solve(WORK * 2 ** (turn + self.is_dense)):
                self.code = self._cp.code
                return True
        return False

    def close(self) -> None:
        """Nothing is held outside Python."""


class Turns:
    """SAT and CP-SAT in turn; CP-SAT alone where clauses would take too much memory."""

    def __init__(self, system: System, seed: int | None = None) -> None:
        """Encode for SAT."""
        self.code: Code | None = None
        self.works: list[Work] = [CpWork(system, seed)]
        with suppress(SizeError):
            self.works.insert(0, SatWork(system))

    def take(self, turn: int) -> bool:
        """A turn of each."""
        for work in self.works:
            if work.take(turn):
                self.code = work.code
                return True
        return False

    def close(self) -> None:
        """Let go of both."""
        for work in self.works:
            work.close()
