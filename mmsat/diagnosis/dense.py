"""Dense boards: questions about rows, once the colors are counted.

Where many rows speak of many colors, presolve settles how many pegs of the code each color has.
What is left of the rows goes to a search that decides first what failed most often (the kernel's
`WeightedSearch`), anew for each question, but with the weights that the last one has learnt. On 30
pegs and colors it was measured to take half to a tenth of the time of the best solver of
python-sat (minicard), as clauses that are learnt from such rows are of little use. A few rows may
be spare, which is how to ask which of them may be the wrong one: eight at once take as long as
three one by one. The search takes turns with CP-SAT and, where few pegs and colors are left, with
the walk over lattice points; and where colors are not yet counted, CP-SAT is asked before whether
they can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from math import isqrt, log2

from mmsat._core import SearchStatus, WeightedSearch
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.presolve.problem import substitute
from mmsat.constraints.system import System
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.solving.cp import CpWork
from mmsat.solving.encoding_selection import select_encoding
from mmsat.solving.histograms import HistogramWork
from mmsat.solving.lattice import COUNTING, Reading, read_places
from mmsat.solving.points import Lattices
from mmsat.solving.portfolio import AnyOf, Work, growing_budgets
from mmsat.solving.sat import NATIVE_SOLVERS

Rows = frozenset[int]

MARGIN = 3
"""How often the search's first budget is what such a question is thought to take."""
GROWTH = 16
"""Beside CP-SAT, rounds have budgets that are powers of this: asked again, CP-SAT begins anew. It
works from the second on, as its time grows by the square of what it is given, with the root of the
budget before."""
HASTE = 64
"""The part of the search's first budgets that is left where the walk answered the last question."""
MAKING = 140
"""Freedom of a lattice that is made in the time of the search's first budget. That time grows with
the fourth power."""
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
        """Presolve; the last question about the system tells what to begin with.

        Codes that the search finds miss no more than so many of the spare rows.
        """
        self.rows = rows
        self.spare, self.most = spare, most
        self.lattices: Lattices = Lattices() if last is None else last.lattices
        self.is_walked = False
        """Whether walks over lattice points were begun."""
        self._is_hasty = last is not None and last.is_walked
        """Whether the search has less at first, as it came to nothing last time."""
        self.spent = 0
        """Failures of the search up to what it last decided."""
        self.each = 0 if last is None else last.next_each
        """Those it is thought to take for a spare row, or for all where there is none."""
        self._first = max(LIMITS.dense_failures, MARGIN * self.each * (len(spare) or 1))
        """The search's first budget."""
        self.code: Code | None = None
        self.core: Rows = frozenset()
        """After a refusal: rows that no code satisfies, seldom minimal."""
        self.known: tuple[Sequence[int], ...] = ()
        """What presolve told: the least and the most pegs of each color, the colors of each peg."""
        self.weights: list[float] | None = None if last is None else last.weights
        """What searches have learnt."""
        self._denied: set[Code] = set()
        self._system = system
        self._search: WeightedSearch | None = None
        self._fitted: WeightedSearch | None = None
        """The search for codes with counts of the colors that are known to fit."""
        self._walk: AnyOf | None = None
        self._cp: CpWork | None = None
        self.is_by_cp = False
        """Whether CP-SAT decided it."""
        self._is_cp_first = last is not None and last.is_by_cp
        self.is_walkable: bool | None = None if last is None else last.is_walkable
        """Whether there are lattice points to walk over; None where that was not asked."""
        self.is_alone = False
        """Whether others are not asked, as they do not know of spare rows."""
        self._is_spent = False
        """Whether the search was last asked in vain."""
        self.failures = 0
        """Those of all searches."""
        self.rounds = 0
        """The round that came last, from 1."""
        self._presolve()
        if spare and self._search is not None and last is not None and not last.is_by_cp:
            self.is_alone = not self._can_walk()
            if not self.is_alone:
                self._first = LIMITS.dense_failures

    def _presolve(self) -> None:
        """Begin the search for what presolve leaves, if it refutes nothing."""
        system, rows, spare = self._system, self.rows, self.spare
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
        self._search = self._begin(
            [left for each in system.rows[row] if (left := substitute(each, known))]
            if row in spare
            else group
            for row, group in enumerate(found.system.rows)
        )

    @cached_property
    def _reading(self) -> Reading:
        """What is left, as lattices have it."""
        return read_places(self._left)

    def _can_walk(self) -> bool:
        """Whether there are lattice points to walk over, in this question or those before."""
        if self.is_walkable is None:
            self.is_walkable = self._reading.is_suited
        return self.is_walkable

    @property
    def next_each(self) -> int:
        """What the next question is thought to take for a spare row, after this one."""
        return max(self.spent // (len(self.spare) or 1), self.each // 2)

    def _begin(
        self,
        groups: Iterable[Sequence[CardinalityConstraint]],
        more: Sequence[CardinalityConstraint] = (),
    ) -> WeightedSearch:
        """A search for the codes of what is left of the rows, and of more that always holds."""
        hard = [*self._left.hard, *more]
        spare, most = sorted(self.spare), self.most
        return WeightedSearch(*self._left.variables, hard, list(groups), spare, most, self.weights)

    def solve(self, last: int | None = ROUNDS) -> bool | None:
        """Whether there is a code that was not denied; None if no round tells, up to the last.

        Without a last one, it goes on until it knows.
        """
        if self.code is not None and self.code not in self._denied:
            return True
        self.code = None
        if self._search is None:
            return False
        for budget in islice(growing_budgets(), last):
            if not (self.is_walked or self.is_alone or is_large_round(budget)):
                continue
            self.rounds = budget.bit_length()
            ways = [self._by_search_in_round]
            if not self.is_alone:
                ways.insert(0 if self._is_cp_first and budget > 1 else 1, self._by_other)
            if any(way(self._search, budget) for way in ways):
                return self.code is not None
        return None

    @property
    def can_go_on(self) -> bool:
        """Whether the search is who answers, so that it may be asked for more codes."""
        return self._search is not None and not (self._is_spent or self.is_walked)

    @property
    def is_whole(self) -> bool:
        """Whether no code was denied, so that what it finds is true of its rows."""
        return not self._denied

    def deny(self, code: Code) -> None:
        """Look for other codes."""
        self._denied.add(code)

    def go_on(self, missed: Rows = frozenset()) -> None:
        """Look for another code of few missed spare rows; for none that misses all of these."""
        if self.code is not None and self._search is not None:
            self.deny(self.code)
            self.is_alone = True
            if missed:
                self._search.exclude(sorted(missed))

    def _by_search_in_round(self, search: WeightedSearch, budget: int) -> bool:
        """Whether the search decides it within the budget: less in haste."""
        haste = HASTE if self._is_hasty and budget == 1 else 1
        return self._by_search(search, self._failures(budget) // haste)

    def _by_search(self, search: WeightedSearch, failures: int) -> bool:
        """Whether the search decides it within so many failures."""
        status = self._advance(search, failures)
        self._is_spent = status is SearchStatus.BUDGET_SPENT
        if not self._is_spent:
            self.spent = search.failures
            self.weights = search.weights
        if status is SearchStatus.EXHAUSTED:
            used = frozenset(search.used)
            self.core = self.rows if self._denied else self._justify(used & self.rows)
        return not self._is_spent

    def _advance(self, search: WeightedSearch, failures: int) -> SearchStatus:
        """What a search tells within so many failures, at least one, of codes not denied."""
        before = search.failures
        status = search.advance(max(1, failures))
        while status is SearchStatus.CODE_FOUND and search.code in self._denied:
            status = search.advance(max(1, failures))
        self.failures += search.failures - before
        if status is SearchStatus.CODE_FOUND:
            self.code = search.code
        return status

    def _failures(self, budget: int) -> int:
        """The search's within a budget: less beside a walk, as by then it is seldom first."""
        return self._first * (isqrt(budget // GROWTH) if self.is_walked else budget)

    def _making(self, reading: Reading) -> int:
        """Those before a lattice is made: as many as that takes, or fewer in haste."""
        first = LIMITS.dense_failures // (HASTE if self._is_hasty else 1)
        return first * reading.freedom**4 // MAKING**4

    def _by_histogram(self, budget: int) -> bool:
        """Whether a search finds a code with the counts that are known to fit."""
        variables = self._left.variables
        if self._fitted is None:
            counts = [
                CardinalityConstraint(
                    tuple(variables.at(peg, color) for peg in range(variables.pegs)), many, many
                )
                for color, many in self._histograms.histogram.items()
            ]
            self._fitted = self._begin(self._left.rows, counts)
        status = self._advance(self._fitted, self._failures(budget))
        if status is SearchStatus.EXHAUSTED:
            self._histograms.histogram.clear()
        return status is SearchStatus.CODE_FOUND

    def _by_other(self, search: WeightedSearch, budget: int) -> bool:
        """Whether the walk over lattice points or CP-SAT decides it within the budget.

        Before either, CP-SAT is asked about the counts of the colors alone, where they are open.
        """
        if self._histograms.step(budget):
            self.core = self.rows
            return True
        if self._histograms.histogram and self._by_histogram(budget):
            return True
        if self._cp is None:
            self._cp = CpWork(self._left)
            reading = self._reading
            self.is_walkable = reading.is_suited
            if reading.is_suited:
                if self._by_search(search, self._making(reading)):
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

    def _justify(self, used: Rows) -> Rows:
        """The rows that the search used, with those behind what is known, if these do alone.

        What presolve found may rest on others: it is asked anew, and the search with it.
        """
        fewer = used | self._settled
        if fewer == self.rows:
            return fewer
        again = Dense(self._system, fewer, self, self.spare, self.most)
        is_refuted = not again.known or (
            again.known == self.known and again.solve(self.rounds + 1) is False
        )
        return again.core if is_refuted else self.rows
