"""Dense boards: questions about rows, once the colors are counted.

Where many rows speak of many colors, presolve settles how many pegs of the code each color has.
What is left of the rows goes to a solver that counts natively, anew for each question: one that was
kept, with all rows as switches, took ten times as long on 30 pegs, as what it had learnt for some
rows misled it about others. A few spare rows are worth a switch, though: which of them may be the
wrong one takes half as long to ask at once as one by one on 30 pegs and colors. It takes turns with
CP-SAT and, where few pegs and colors are left, with the walk over lattice points; and where colors
are not yet counted, CP-SAT is asked before whether they can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import isqrt, log2

from mmsat.constraints.presolve.domains import Domains, Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.presolve.problem import substitute
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
MARGIN = 3
"""How often SAT's first budget is what such a question is thought to take."""
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

    def __init__(
        self,
        system: System,
        rows: Rows,
        last: Dense | None = None,
        spare: Rows = frozenset(),
        most: int = 0,
    ) -> None:
        """Presolve and encode; the last question about the system tells what to begin with.

        Codes that SAT finds miss no more than so many of the spare rows.
        """
        self.rows = rows
        self.spare, self.most = spare, most
        self.lattices: Lattices = Lattices() if last is None else last.lattices
        self.is_walked = False
        """Whether walks over lattice points were begun."""
        self._is_hasty = last is not None and last.is_walked
        """Whether SAT has less at first, as it came to nothing last time."""
        self.spent = 0
        """What SAT took to decide it, since it last began."""
        self.each = LIMITS.dense_propagations // MARGIN
        """What SAT is thought to take for a spare row, or for all where there is none."""
        if last is not None:
            self.each = max(self.each, last.spent // (len(last.spare) or 1), last.each // 2)
        self._first = MARGIN * self.each * (len(spare) or 1)
        """SAT's first budget."""
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
        self._is_only_sat = False
        """Whether others are not asked any more, as they do not know what is excluded."""
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
        self._builder = self._encode(known)
        self._growing = GrowingSolver(SOLVER, self._builder.formula)

    def _encode(self, known: Domains) -> Builder:
        """The formula of what is left of the rows, with the spare ones."""
        groups = (
            [left for each in self._system.rows[row] if (left := substitute(each, known))]
            if row in self.spare
            else group
            for row, group in enumerate(self._left.rows)
        )
        builder = Builder(self._left.with_rows(map(tuple, groups)), "native", with_selectors=True)
        if self.spare:
            missed = [-builder.formula.selectors[row] for row in sorted(self.spare)]
            builder.formula.add_at_most(missed, self.most)
        return builder

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
            ways = [self._by_sat_in_round]
            if not self._is_only_sat:
                ways.insert(0 if self._is_cp_first and budget > 1 else 1, self._by_other)
            if any(way(self._builder, budget) for way in ways):
                return self.code is not None
        return None

    @property
    def can_go_on(self) -> bool:
        """Whether SAT is who answers, so that it may be asked more."""
        return self._builder is not None and not (self._is_spent or self.is_walked)

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

    def exclude(self, missed: Rows) -> None:
        """Look for codes that satisfy one of these spare rows."""
        if self._builder is not None:
            self.code = None
            self._is_only_sat = True
            selectors = self._builder.formula.selectors
            self._builder.formula.add(*(selectors[row] for row in sorted(missed)))
            self._growing.catch_up()

    def find_within(self, rows: Rows) -> bool | None:
        """Whether SAT finds a code of more rows, all but some spare ones; None if it takes long."""
        if self._builder is None:
            return False
        selectors = self._builder.formula.selectors
        return self._search([selectors[row] for row in sorted(rows)], GROWTH * self._first)

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
        if not (self._is_spent or self.spent):
            self.spent = solver.accum_stats()["propagations"]
        if is_consistent is False:
            taken = frozenset(row_of[literal] for literal in solver.get_core() or [])
            is_told_more = bool(self._denied) or self._is_only_sat
            self.core = self.rows if is_told_more else self._justify(taken)
        return not self._is_spent

    def _search(self, assumed: list[int], propagations: int) -> bool | None:
        """What SAT tells within so many propagations, at least one: none would be no limit."""
        solver = self._growing.solver
        solver.prop_budget(max(1, propagations))
        found: bool | None = solver.solve_limited(assumptions=assumed)
        if found:
            self.code = code_of(solver.get_model(), self._system.variables)
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
        return self._first * (isqrt(budget // GROWTH) if self.is_walked else budget)

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
        if is_found is False:
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
        again = Dense(self._system, fewer, self, self.spare, self.most)
        is_refuted = not again.known or (
            again.known == self.known and again.solve(self.rounds + 1) is False
        )
        again.close()
        return again.core if is_refuted else self.rows
