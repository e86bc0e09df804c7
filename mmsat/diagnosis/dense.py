"""Dense boards: questions about rows, once the colors are counted.

Where many rows speak of many colors, presolve settles how many pegs of the code each color has.
What is left of the rows goes to a solver that counts natively, anew for each question: one that was
kept, with all rows as switches, took ten times as long on 30 pegs, as what it had learnt for some
rows misled it about others. It takes turns with CP-SAT and, where few pegs and colors are left,
with the walk over lattice points; and where colors are not yet counted, CP-SAT is asked before
whether they can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import isqrt, log2

from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.system import System
from mmsat.encoding.cnf import Builder
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.solving.cp import CpWork
from mmsat.solving.encoding_selection import select_encoding
from mmsat.solving.histograms import HistogramWork
from mmsat.solving.lattice import COUNTING, Reading, read_places
from mmsat.solving.points import Lattices
from mmsat.solving.portfolio import AnyOf, Work, growing_budgets
from mmsat.solving.sat import NATIVE_SOLVERS, GrowingSolver, code_of

Rows = frozenset[int]

SOLVER = "minicard"
GROWTH = 16
"""Beside CP-SAT, rounds have budgets that are powers of this: asked again, SAT and CP-SAT begin
anew. CP-SAT works from the second on, as its time grows by the square of what it is given, with the
root of the budget before."""
HASTE = 64
"""The part of SAT's first budgets that is left where the walk answered the last question."""
MAKING = 140
"""Freedom of a lattice that is made in the time of SAT's first budget; it grows with power 4."""
ROUNDS = 13
"""Rounds that a question may take before other engines are asked: a minute or two."""


def suits(system: System) -> bool:
    """Whether native counting is what suits a system."""
    return system.table is None and select_encoding(system).solver in NATIVE_SOLVERS


def entropy_without(system: System, row: int) -> float:
    """What the other rows leave open, in bits, as far as equations tell."""
    groups = (() if row == each else group for each, group in enumerate(system.rows))
    found = presolve(system.with_rows(groups), COUNTING)
    # So coarse that rounding differently elsewhere changes no order.
    return 0 if isinstance(found, Infeasibility) else round(read_places(found.system).entropy, 3)


def is_large_round(budget: int) -> bool:
    """Whether those work in the round of a budget who begin anew each time."""
    return log2(budget) % log2(GROWTH) == 0


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
        self._walk: AnyOf | None = None
        self._cp: CpWork | None = None
        self.is_by_cp = False
        """Whether CP-SAT decided it."""
        self._is_cp_first = last is not None and last.is_by_cp
        self._is_spent = False
        """Whether SAT was last asked in vain."""
        self._propagated = 0
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
            if not (self.is_walked or is_large_round(budget)):
                continue
            self.rounds = budget.bit_length()
            ways = (self._by_sat_in_round, self._by_other)
            if any(way(self._builder, budget) for way in ways[:: -1 if self._is_cp_first else 1]):
                return self.code is not None
        return None

    @property
    def propagations(self) -> int:
        """What SAT has done so far."""
        done = self._builder and self._growing.solver.accum_stats()["propagations"]
        return self._propagated + (done or 0)

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
            self._growing.solver.delete()
            self._builder = self._walk = self._cp = None

    def _by_sat_in_round(self, builder: Builder, budget: int) -> bool:
        """Whether SAT decides it within the budget: less in haste."""
        haste = HASTE if self._is_hasty and budget == 1 else 1
        return self._by_sat(builder, self._propagations(budget) // haste)

    def _by_sat(self, builder: Builder, propagations: int) -> bool:
        """Whether SAT decides it within so many propagations."""
        if self._is_spent and not (self.is_walked or self._denied):
            self._renew(builder)
        selectors = builder.formula.selectors
        row_of = {selectors[row]: row for row in self.rows}
        is_consistent = self._search(sorted(row_of), propagations)
        solver = self._growing.solver
        self._is_spent = is_consistent is None
        if is_consistent:
            self.code = code_of(solver.get_model(), self._system.variables)
        elif is_consistent is False and not self._denied:
            taken = solver.get_core() or []
            self.core = self._justify(frozenset(row_of[literal] for literal in taken))
        return not self._is_spent

    def _search(self, assumed: list[int], propagations: int) -> bool | None:
        """What SAT tells within so many propagations, at least one: none would be no limit."""
        self._growing.solver.prop_budget(max(1, propagations))
        found: bool | None = self._growing.solver.solve_limited(assumptions=assumed)
        return found

    def _renew(self, builder: Builder) -> None:
        """Begin anew: when it goes on, it drops most clauses that it learnt, and takes longer.

        Further codes are mostly near the last one, which it remembers, so they are no reason to.
        """
        self._propagated = self.propagations
        self._growing.solver.delete()
        self._growing = GrowingSolver(SOLVER, builder.formula)

    def _propagations(self, budget: int) -> int:
        """What SAT may do within a budget: less beside a walk, as by then it is seldom first."""
        return LIMITS.dense_propagations * (isqrt(budget // GROWTH) if self.is_walked else budget)

    def _making(self, reading: Reading) -> int:
        """What SAT may do before a lattice is made: as much as that takes, or less in haste."""
        first = LIMITS.dense_propagations // (HASTE if self._is_hasty else 1)
        return first * reading.freedom**4 // MAKING**4

    def _by_histogram(self, builder: Builder, budget: int) -> bool:
        """Whether SAT finds a code with the counts that are known to fit."""
        fitting = self._histograms.histogram
        assumed = [builder.formula.selectors[row] for row in sorted(self.rows)]
        for named, literal in builder.literals.items():
            if isinstance(named, int):
                color, count = self._system.variables.color_count(named)
                if color in fitting:
                    assumed.append(literal if count <= fitting[color] else -literal)
        is_found = self._search(assumed, self._propagations(budget))
        if is_found:
            self.code = code_of(self._growing.solver.get_model(), self._system.variables)
        elif is_found is False:
            fitting.clear()
        return bool(is_found)

    def _by_other(self, builder: Builder, budget: int) -> bool:
        """Whether the walk over lattice points or CP-SAT decides it within the budget.

        Before either, CP-SAT is asked about the counts of the colors alone, where they are open.
        """
        if self._histograms.step(budget):
            self.core = self.rows
            return True
        if self._histograms.histogram and self._by_histogram(builder, budget):
            return True
        if self._cp is None:
            self._cp = CpWork(self._left)
            reading = read_places(self._left)
            if reading.is_suited:
                if self._by_sat(builder, self._making(reading)):
                    return True
                self._walk = reading.work(self._left, self.lattices)
                self.is_walked = True
        if self._walk is not None and self._by_work(self._walk, budget):
            return True
        if budget < GROWTH or not is_large_round(budget) or self._denied:
            return False
        self.is_by_cp = self._by_work(self._cp, isqrt(budget // GROWTH))
        return self.is_by_cp

    def _by_work(self, work: Work, budget: int) -> bool:
        """Whether there is a code that was not denied, or none, within the budget."""
        while work.step(budget):
            self.code, self.core = work.code, self.rows
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
