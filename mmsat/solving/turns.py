"""Work on systems by turns: each gets a budget, and the budgets double.

Nobody knows before which way suits a system. With doubling budgets no more than a small factor is
lost against the best of them. Budgets are counted in work, not in seconds, so that the answer is
the same on every machine.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from mmsat.encoding.cnf import cnf
from mmsat.errors import SizeError
from mmsat.solving.choice import choice, is_sparse
from mmsat.solving.cp import CpTry
from mmsat.solving.sat import code_of, new_solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mmsat.constraints.system import System
    from mmsat.game.row import Code

PROPAGATIONS = 50_000
"""The first budget of SAT: less than it takes to load CP-SAT ..."""
EACH = 400
"""... and on sparse systems so much more for each variable: they suit it."""
WORK = 0.25
"""The first budget of CP-SAT, in its own unit of deterministic time, about a second each ..."""
GROWTH = 4
"""... and how it grows: each try starts anew, so that few and long ones lose the least."""
RELAXATIONS = (2, 1)
"""How much CP-SAT leans on linear programming, by turns: with all cuts it refutes in a moment what
search alone never does, such as vertex covers; on dense systems they only cost time."""


class Work(Protocol):
    """Work on one question that goes on turn by turn."""

    name: str
    """Who works, and after a decision who decided, as the spec of an engine."""
    code: Code | None
    """After a decision: a code, or None if there is none."""

    def take(self, turn: int) -> bool:
        """Whether it is decided in this turn; turns count from 0, and grow."""

    def close(self) -> None:
        """Let go of what holds memory outside Python."""


def decided(work: Work) -> Work:
    """The work, done."""
    try:
        for turn in count():
            if work.take(turn):
                break
    finally:
        work.close()
    return work


def first(works: Iterable[Work]) -> Code | None:
    """The first code that is found in any of the works, or None once all are refuted."""
    return decided(Union(works)).code


class Union:
    """A code of any of the works, by turns; there is none once all are refuted."""

    def __init__(self, works: Iterable[Work], name: str = "") -> None:
        """The name is told where there are no works."""
        self.works = self._left = list(works)
        self.name = name
        self.code: Code | None = None

    def take(self, turn: int) -> bool:
        """A turn of each that is not refuted."""
        for work in list(self._left):
            if work.take(turn):
                self.code, self.name = work.code, work.name
                if self.code is not None:
                    return True
                self._left = [other for other in self._left if other is not work]
        return not self._left

    def close(self) -> None:
        """Let go of all."""
        for work in self.works:
            work.close()


class Either:
    """Several ways to the same answer, by turns; who is first decides.

    A way is made when its first turn comes. One that raises SizeError, when it is made or later, is
    left out; the error is raised once none is left.
    """

    def __init__(self, *ways: Callable[[], Work]) -> None:
        """Make nothing yet."""
        self._ways: list[Callable[[], Work] | Work] = list(ways)
        self.name = ""
        self.code: Code | None = None

    def take(self, turn: int) -> bool:
        """A turn of each."""
        for way in list(self._ways):
            place = self._ways.index(way)
            try:
                work = self._ways[place] = way() if callable(way) else way
                if work.take(turn):
                    self.code, self.name = work.code, work.name
                    return True
            except SizeError:
                del self._ways[place]
                if not self._ways:
                    raise
        return False

    def close(self) -> None:
        """Let go of all that were made."""
        for work in self._ways:
            if not callable(work):
                work.close()


class SatWork:
    """SAT, on the encoding that suits the system."""

    def __init__(self, system: System) -> None:
        """Encode; raises SizeError where clauses would take too much memory."""
        self.code: Code | None = None
        self.system = system
        self.choice = choice(system)
        self.name = str(self.choice)
        formula = cnf(system, self.choice.encoding)
        each = EACH * formula.variables if self.choice.is_sparse else 0
        self._budget = PROPAGATIONS + each
        self._solver: Any = new_solver(self.choice.solver, formula)

    def take(self, turn: int) -> bool:
        """Search on within a budget of propagations; what was learnt stays."""
        self._solver.prop_budget(self._budget << turn)
        satisfiable = self._solver.solve_limited()
        if satisfiable:
            self.code = code_of(self._solver.get_model(), self.system.variables)
        return satisfiable is not None

    def close(self) -> None:
        """Let go of the solver."""
        self._solver.delete()


class CpWork:
    """CP-SAT, with and without much linear programming; each try starts anew, and elsewhere."""

    name = "cp"

    def __init__(self, system: System, seed: int | None = None, *, work: float = WORK) -> None:
        """Build no model yet: loading CP-SAT takes longer than most boards."""
        self.code: Code | None = None
        self.system = system
        self.seed = seed
        self.work = work
        self.levels = RELAXATIONS if is_sparse(system) else RELAXATIONS[1:]
        self._cp: CpTry | None = None

    def take(self, turn: int) -> bool:
        """Search within a budget of deterministic time."""
        self._cp = self._cp or CpTry(self.system, self.seed)
        parameters = self._cp.solver.parameters
        parameters.random_seed = (self.seed or 0) ^ turn
        for level in self.levels:
            parameters.linearization_level = level
            if self._cp.solve(self.work * GROWTH**turn):
                self.code = self._cp.code
                return True
        return False

    def close(self) -> None:
        """Nothing is held outside Python."""


class Turns(Either):
    """SAT and CP-SAT; CP-SAT alone where clauses would take too much memory."""

    def __init__(self, system: System, seed: int | None = None) -> None:
        """Encode nothing yet."""
        super().__init__(lambda: SatWork(system), lambda: CpWork(system, seed))
