"""Dense boards: questions about rows, once the colors are counted.

Where many rows speak of many colors, presolve settles how many pegs of the code each color has.
What is left of the rows goes to a solver that counts natively, anew for each question: one that was
kept, with all rows as switches, took ten times as long on 30 pegs, as what it had learnt for some
rows misled it about others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.presolve.infeasibility import Infeasibility
from mmsat.constraints.presolve.presolve import ORDER, presolve
from mmsat.encoding.cnf import Builder
from mmsat.solving.encoding_selection import select_encoding
from mmsat.solving.sat import NATIVE_SOLVERS, GrowingSolver, code_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints.system import System
    from mmsat.game.literals import CardinalityConstraint
    from mmsat.game.row import Code

    Rows = frozenset[int]

STEPS = tuple(step for step in ORDER if step not in {"colors", "pegs"})
"""Without symmetries, which keep some codes only: it is asked for all."""
PROPAGATIONS = 60_000_000
"""What a question may cost: a few seconds."""


def suits(system: System) -> bool:
    """Whether native counting is what suits a system."""
    return system.table is None and select_encoding(system).solver in NATIVE_SOLVERS


class Dense:
    """Some rows (from 0) of a system, and the codes that satisfy them all."""

    def __init__(self, system: System, rows: Rows) -> None:
        """Presolve and encode."""
        self.rows = rows
        self.code: Code | None = None
        self.core: Rows = frozenset()
        """After a refusal: rows that no code satisfies, seldom minimal."""
        self.known: tuple[Sequence[int], ...] = ()
        """What presolve told: the least and the most pegs of each color, the colors of each peg."""
        self._system = system
        self._builder: Builder | None = None
        groups = (group if row in rows else () for row, group in enumerate(system.rows))
        found = presolve(system.with_rows(groups), STEPS)
        if isinstance(found, Infeasibility):
            self.core = frozenset(found.rows)
            return
        known = found.problem.domains
        self.known = known.low, known.high, known.domain
        self._settled = frozenset(row for row in rows if not found.system.soft[row].constraints)
        """Rows that say nothing more than what is known."""
        self._builder = Builder(found.system, "native", with_selectors=True)
        self._growing = GrowingSolver("minicard", self._builder.formula)
        self._solver = self._growing.solver
        self._guard = self._builder.formula.new()
        """True while the codes that were found are denied."""

    def solve(self, *, budget: int | None = PROPAGATIONS, other: bool = False) -> bool | None:
        """Whether there is a code, or an `other` than what was denied; None if the budget ends.

        Without a budget, it goes on until it knows.
        """
        self.code = None
        if self._builder is None:
            return False
        is_consistent: bool | None
        selectors = self._builder.formula.selectors
        row_of = {selectors[row]: row for row in self.rows}
        asked = [*sorted(row_of), *([self._guard] if other else [])]
        if budget is None:
            is_consistent = self._solver.solve(assumptions=asked)
        else:
            self._solver.prop_budget(budget)
            is_consistent = self._solver.solve_limited(assumptions=asked)
        if is_consistent:
            self.code = code_of(self._solver.get_model(), self._system.variables)
        elif is_consistent is False and not other:
            taken = self._solver.get_core() or []
            self.core = self._justify(frozenset(row_of[literal] for literal in taken))
        return is_consistent

    def deny_code(self, code: Code) -> None:
        """Look for other codes."""
        at = (self._system.variables.at(peg, color) for peg, color in enumerate(code))
        self._deny([-literal for literal in at])

    def deny(self, constraints: Sequence[CardinalityConstraint]) -> None:
        """Look for codes that don't satisfy all of the constraints, which some code satisfies."""
        if self._builder is not None:
            self._deny(
                [-each for constraint in constraints for each in self._builder.reify(constraint)]
            )

    def close(self) -> None:
        """Let go of the solver."""
        if self._builder is not None:
            self._solver.delete()
            self._builder = None

    def _deny(self, literals: Sequence[int]) -> None:
        """One of the literals is true; with what was defined for them."""
        if self._builder is None:
            return
        self._builder.formula.add(-self._guard, *literals)
        self._growing.catch_up()

    def _justify(self, taken: Rows) -> Rows:
        """The rows that the solver took, with those behind what is known, if these do alone.

        What presolve found may rest on others: it is asked anew, and the solver with it.
        """
        fewer = taken | self._settled
        if fewer == self.rows:
            return fewer
        again = Dense(self._system, fewer)
        is_refuted = not again.known or (again.known == self.known and again.solve() is False)
        again.close()
        return again.core if is_refuted else self.rows
