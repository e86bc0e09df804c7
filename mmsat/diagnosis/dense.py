"""Dense boards: questions about rows, once the colors are counted.

Where many rows speak of many colors, presolve settles how many pegs of the code each color has.
What is left of the rows goes to a solver that counts natively, anew for each question: one that was
kept, with all rows as switches, took ten times as long on 30 pegs, as what it had learnt for some
rows misled it about others. Where few pegs and colors are left, it takes turns with the walk over
lattice points, else with CP-SAT; and where colors are not yet counted, CP-SAT is asked before
whether they can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import isqrt

from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.system import System
from mmsat.encoding.cnf import Builder
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.solving.cp import CpWork
from mmsat.solving.encoding_selection import select_encoding
from mmsat.solving.histograms import HistogramWork
from mmsat.solving.lattice import COUNTING, read_places
from mmsat.solving.points import Lattices
from mmsat.solving.portfolio import AnyOf, growing_budgets
from mmsat.solving.sat import NATIVE_SOLVERS, GrowingSolver, code_of

Rows = frozenset[int]

SOLVER = "minicard"
CP_SHARE = 16
"""Rounds' budgets for the first of CP-SAT's, which comes where no lattice is small enough; its time
grows by the square of what it is given, so that this grows by the root, and both take as long."""
HASTE = 16
"""The part of SAT's first budget that is left where the walk answered the last question."""
ROUNDS = 9
"""Rounds that a question may take before other engines are asked: a few seconds."""


def suits(system: System) -> bool:
    """Whether native counting is what suits a system."""
    return system.table is None and select_encoding(system).solver in NATIVE_SOLVERS


def entropy_without(system: System, row: int) -> float:
    """What the other rows leave open, in bits, as far as equations tell."""
    groups = (() if row == each else group for each, group in enumerate(system.rows))
    found = presolve(system.with_rows(groups), COUNTING)
    # So coarse that rounding differently elsewhere changes no order.
    return 0 if isinstance(found, Infeasibility) else round(read_places(found.system).entropy, 3)


class Dense:
    """Some rows (from 0) of a system, and the codes that satisfy them all."""

    def __init__(self, system: System, rows: Rows, last: Dense | None = None) -> None:
        """Presolve and encode; the last question about the system tells what to begin with."""
        self.rows = rows
        self.lattices: Lattices = Lattices() if last is None else last.lattices
        self.is_walked = False
        """Whether walks over lattice points were begun."""
        self._is_hasty = last is not None and last.is_walked
        """Whether SAT has less at first, as it came to nothing last time."""
        self.code: Code | None = None
        self.core: Rows = frozenset()
        """After a refusal: rows that no code satisfies, seldom minimal."""
        self.known: tuple[Sequence[int], ...] = ()
        """What presolve told: the least and the most pegs of each color, the colors of each peg."""
        self._denied: set[Code] = set()
        self._system = system
        self._builder: Builder | None = None
        self._other: AnyOf | CpWork | None = None
        self.rounds = 0
        """The round that came last, from 1."""
        groups = (group if row in rows else () for row, group in enumerate(system.rows))
        found = presolve(system.with_rows(groups), COUNTING)
        if isinstance(found, Infeasibility):
            self.core = frozenset(found.rows)
            return
        known = found.problem.domains
        self.known = known.low, known.high, known.domain
        self._settled = frozenset(row for row in rows if not found.system.soft[row].constraints)
        """Rows that say nothing more than what is known."""
        self._left = found.system
        self._histograms = HistogramWork(found.problem)
        self._builder = Builder(found.system, "native", with_selectors=True)
        self._growing = GrowingSolver(SOLVER, self._builder.formula)
        self._solver = self._growing.solver

    def solve(self, last: int | None = ROUNDS) -> bool | None:
        """Whether there is a code that was not denied; None if no round tells, up to the last.

        Without a last one, it goes on until it knows.
        """
        if self.code is not None and self.code not in self._denied:
            return True
        self.code = None
        if self._builder is None:
            return False
        for budget in islice(growing_budgets(), last):
            self.rounds = budget.bit_length()
            if self._by_sat(self._builder, budget) or self._by_other(self._builder, budget):
                return self.code is not None
        return None

    @property
    def propagations(self) -> int:
        """What SAT has done so far."""
        return 0 if self._builder is None else int(self._solver.accum_stats()["propagations"])

    def deny(self, code: Code) -> None:
        """Look for other codes."""
        if self._builder is not None:
            self._denied.add(code)
            at = (self._system.variables.at(peg, color) for peg, color in enumerate(code))
            self._builder.formula.add(*(-each for each in at))
            self._growing.catch_up()

    def close(self) -> None:
        """Let go of the solver."""
        if self._builder is not None:
            self._solver.delete()
            self._builder = self._other = None

    def _by_sat(self, builder: Builder, budget: int) -> bool:
        """Whether SAT decides it within the budget."""
        selectors = builder.formula.selectors
        row_of = {selectors[row]: row for row in self.rows}
        propagations = self._propagations(budget)
        if self._is_hasty and budget == 1:
            propagations = max(1, propagations // HASTE)
        self._solver.prop_budget(propagations)
        is_consistent = self._solver.solve_limited(assumptions=sorted(row_of))
        if is_consistent:
            self.code = code_of(self._solver.get_model(), self._system.variables)
        elif is_consistent is False and not self._denied:
            taken = self._solver.get_core() or []
            self.core = self._justify(frozenset(row_of[literal] for literal in taken))
        return is_consistent is not None

    def _propagations(self, budget: int) -> int:
        """What SAT may do within a budget: less beside a walk, as by then it is seldom first."""
        return LIMITS.dense_propagations * (isqrt(budget) if self.is_walked else budget)

    def _by_histogram(self, builder: Builder, budget: int) -> bool:
        """Whether SAT finds a code with the counts that are known to fit."""
        fitting = self._histograms.histogram
        assumed = [builder.formula.selectors[row] for row in sorted(self.rows)]
        for named, literal in builder.literals.items():
            if isinstance(named, int):
                color, count = self._system.variables.color_count(named)
                if color in fitting:
                    assumed.append(literal if count <= fitting[color] else -literal)
        self._solver.prop_budget(self._propagations(budget))
        is_found = self._solver.solve_limited(assumptions=assumed)
        if is_found:
            self.code = code_of(self._solver.get_model(), self._system.variables)
        elif is_found is False:
            fitting.clear()
        return bool(is_found)

    def _by_other(self, builder: Builder, budget: int) -> bool:
        """Whether the walk over lattice points, or else CP-SAT, decides it within the budget.

        Before either, CP-SAT is asked about the counts of the colors alone, where they are open.
        """
        if self._histograms.step(budget):
            self.core = self.rows
            return True
        if self._histograms.histogram and self._by_histogram(builder, budget):
            return True
        if self._other is None:
            reading = read_places(self._left)
            self.is_walked = reading.is_suited
            self._other = (
                reading.work(self._left, self.lattices) if self.is_walked else CpWork(self._left)
            )
        if isinstance(self._other, CpWork):
            if budget < CP_SHARE or self._denied:
                return False
            budget = isqrt(budget // CP_SHARE)
        while self._other.step(budget):
            self.code, self.core = self._other.code, self.rows
            if self.code not in self._denied:
                return True
        return False

    def _justify(self, taken: Rows) -> Rows:
        """The rows that the solver took, with those behind what is known, if these do alone.

        What presolve found may rest on others: it is asked anew, and the solver with it.
        """
        fewer = taken | self._settled
        if fewer == self.rows:
            return fewer
        again = Dense(self._system, fewer, self)
        is_refuted = not again.known or (
            again.known == self.known and again.solve(self.rounds + 1) is False
        )
        again.close()
        return again.core if is_refuted else self.rows
