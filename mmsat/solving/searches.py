"""The searches of the kernel: the engines brute, weighted and auto, and simulated annealing.

**brute** is a compiled depth-first search over all codes, pruned by bounds of the rows. If the game
has a word list, it visits only the prefixes of the words. It is complete and needs no solver. It
decides boards of ordinary size in microseconds, and is the reference for all other engines.

**weighted** is a depth-first search that weights the constraints. Each failure raises the weight of
the violated constraint, and the next decision is made in the constraint with the best ratio of
weight to open literals (dom/wdeg [1]). The kernel's `WeightedSearch` propagates cardinality
constraints natively and learns no clauses: on boards with many rows and many colors, learned
clauses are long and seldom used again.

**auto** runs brute force and the weighted search for a short time, then a race of solvers. The
first two stages run in this process, load no solver library, and decide nearly all boards that
players enter. The race runs in two processes (`race_solvers`). policy.py has the budgets.

**Annealing** (`AnnealWork`) makes random exchanges and recolorings of pegs that reduce the
violation [2]. Random boards with up to about thirty pegs are hard for clause learning, but if they
have a code, such a walk mostly finds one within a second. It never proves that there is no code, so
it is not an engine. It is interleaved with other solvers (`Portfolio`).

References
----------
[1] Boussemart, Hemery, Lecoutre and Sais (2004), "Boosting systematic search by weighting
    constraints", ECAI 2004.
[2] Kirkpatrick, Gelatt and Vecchi (1983), "Optimization by simulated annealing", Science 220.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, cycle
from typing import TYPE_CHECKING

from mmsat._core import Annealer, Search, SearchStatus, WeightedSearch
from mmsat.constraints import System
from mmsat.errors import SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import Decision, Engine, SolverEngine, Work, finish, policy, verify_witness
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, run
from mmsat.solving.queries import NO_LIMIT, Answer, Query, RowSolver

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence


MAX_SLICE_NODES = 1 << 16
"""Maximum number of nodes between two checks of the clock: a few milliseconds."""
MAX_SLICE_EVALUATIONS = 1 << 23
"""Maximum number of constraint evaluations between two checks of the clock. Each node evaluates all
constraints of the system."""


def nodes_per_slice(system: System, nodes: int = MAX_SLICE_NODES) -> int:
    """Return `nodes`, or fewer if each node evaluates many constraints."""
    return max(1, min(nodes, MAX_SLICE_EVALUATIONS // max(1, len(system.constraints))))


def make_search(system: System, slack: int = 0) -> Search:
    """Return the kernel's search for the codes that violate at most `slack` soft rows of a system.

    If the system has a budget, the search uses the budget instead of `slack`.
    """
    table = None if system.table is None else flatten_table(system.table)
    hard = list(system.hard) if table is None else []  # a table implies them
    if not system.budget:
        return Search(*system.variables, hard, system.row_constraints, slack, table)
    for row in system.enforced:  # a violation of this row would exceed the budget
        hard += row.constraints
    # A row of weight w stands for w equal rows, and is repeated so that its violation counts w
    # times. Gauges measure how much a row is violated (`SoftRow.gauges`).
    soft = [row.gauges or row.constraints for row in system.relaxed for _ in range(row.weight)]
    has_gauges = any(row.gauges for row in system.relaxed)
    return Search(*system.variables, hard, soft, system.budget, table, has_gauges)


@lru_cache(maxsize=4)
def flatten_table(table: tuple[Code, ...]) -> array[int]:
    """Return the colors of all codes of a table as one array, cached for the next board."""
    from array import array

    return array("H", chain.from_iterable(table))


class SlicedSearch:
    """A search of the kernel in slices. Between slices, the clock and Ctrl-C are checked.

    Iterating yields codes until the search is exhausted, the slices are used up or the deadline
    passes. Only in the first case, `is_exhausted` is true.
    """

    def __init__(
        self,
        system: System,
        slack: int = 0,
        *,
        slices: int | None = None,
        deadline: Deadline | None = None,
        nodes: int = MAX_SLICE_NODES,
    ) -> None:
        """Set up the search for the codes that violate at most `slack` rows.

        A slice has up to `nodes` nodes. `slices` limits the number of slices that end without a
        code; None means no limit.
        """
        self.kernel = make_search(system, slack)
        self.nodes = nodes_per_slice(system, nodes)
        self.slices = math.inf if slices is None else slices
        self.deadline = deadline or Deadline()
        self.is_exhausted = False
        """Whether there are no further codes, or after `nearest` no better codes."""

    def __iter__(self) -> Iterator[Code]:
        while self.slices > 0 and not self.deadline.passed:
            status = self.kernel.advance(self.nodes)
            if status is SearchStatus.CODE_FOUND:
                yield self.kernel.code
            elif status is SearchStatus.EXHAUSTED:
                self.is_exhausted = True
                return
            else:
                self.slices -= 1

    def nearest(self) -> Code | None:
        """Return the first code with the smallest violation that is found within the limits."""
        best = None
        for code in self:
            best = code
            # `penalty` is the violation of this code.
            if self.kernel.penalty == 0:
                self.is_exhausted = True
                break
            self.kernel.set_slack(self.kernel.penalty - 1)  # search for smaller violations
        return best

    def count(self) -> Iterator[int]:
        """Yield the number of codes found so far after each slice; the last one is the total."""
        while not self.is_exhausted:
            self.is_exhausted = self.kernel.count(self.nodes) is SearchStatus.EXHAUSTED
            yield self.kernel.num_codes


class Brute(Engine):
    """The engine that decides a board by the kernel's depth-first search over all codes."""

    name = "brute"
    summary = "compiled search over all codes"
    supports_lies = True

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        is_small = not is_large(board)
        decision = run(deadline, self.try_decide, board, deadline, tolerance, is_small=is_small)
        if decision is None:
            raise TimeUpError
        return decision

    def try_decide(
        self,
        board: Board,
        deadline: Deadline,
        tolerance: Tolerance = STRICT,
        slices: int | None = None,
        nodes: int = MAX_SLICE_NODES,
    ) -> Decision | None:
        """Decide in this process; return None if the slices or the time are used up.

        A slice has up to `nodes` nodes. If rows may be violated, the code has the smallest
        violation, or the smallest one found within the limits.
        """
        system = System.of(board, tolerance)
        search = SlicedSearch(system, slices=slices, deadline=deadline, nodes=nodes)
        code = search.nearest()
        if code is None and not search.is_exhausted:
            return None
        return verify_witness(board, code, self.name, tolerance=tolerance)


class BruteForce(RowSolver):
    """The search of the engine `Brute` for queries about subsets of the rows of a system.

    Its cores are not small: it returns all rows of a query without a code, because it does not
    learn which rows rule out a subtree.
    """

    name = "brute"

    def __init__(self, system: System) -> None:
        self._system = system
        self._row_constraints = system.row_constraints

    def solve(self, query: Query, budget: int | None = None) -> Answer | None:
        """Search up to `budget` nodes."""
        system = self._system.with_rows(self._row_constraints[row] for row in sorted(query.rows))
        kernel = make_search(system)
        status = kernel.advance(NO_LIMIT if budget is None else budget)
        if status is SearchStatus.BUDGET_SPENT:
            return None
        if status is SearchStatus.CODE_FOUND:
            return Answer(kernel.code)
        return Answer(None, query.rows)


class WeightedWork(Work):
    """The weighted search for a code that satisfies every constraint of a system."""

    name = "weighted"

    def __init__(self, system: System) -> None:
        """Set up the search; raises SizeError if the game has a word list."""
        if system.table is not None:
            raise SizeError("the engine weighted does not support word lists; use brute")
        self._search = WeightedSearch(*system.variables, list(system.hard), system.row_constraints)

    def step(self, budget: int) -> bool:
        """Search within `budget` times FAILURES_PER_STEP failures; return whether it is decided."""
        return self.advance(budget * policy.FAILURES_PER_STEP)

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
        self.spent = 0
        """The sum of the budgets of all steps."""

    def __reduce__(self) -> tuple[type[PresolvingWork], tuple[System]]:
        """Return how to copy the work to a spawned process, in which the search restarts."""
        return PresolvingWork, (self._system,)

    def step(self, budget: int) -> bool:
        """Search within `budget` times FAILURES_PER_STEP failures; return whether it is decided."""
        self.spent += budget
        if self._long_search is None:
            if self._short_search.advance(policy.FAILURES_BEFORE_PRESOLVE):
                self.code = self._short_search.code
                return True
            from mmsat.constraints.presolve_steps import HISTOGRAM_STEPS, Presolved, presolve

            presolved = presolve(self._system, HISTOGRAM_STEPS)
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

    def begin(self, board: Board) -> PresolvingWork | None:
        """Return a search for this process; None if the board is large or has a word list."""
        system = System.of(board)
        num_literals = sum(len(constraint.literals) for constraint in system.constraints)
        if system.table is not None or num_literals > policy.MAX_IN_PROCESS_LITERALS:
            return None
        return PresolvingWork(system)

    def try_decide(
        self, board: Board, search: PresolvingWork, deadline: Deadline
    ) -> Decision | None:
        """Run the search for the steps in this process; return None if it does not decide."""
        for _ in range(policy.in_process_steps(board)):
            if deadline.passed:
                return None
            if search.step(1):
                return verify_witness(board, search.code, self.name)
        return None


class Auto(Engine):
    """The default engine."""

    name = "auto"
    summary = (
        "brute force and the weighted search while quick, then a race of SAT, lattices and CP-SAT"
    )
    supports_lies = True

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        """Run brute force, the weighted search, then the race of solvers until the deadline.

        The verdict is always the same. After a race, the code is that of the winner, which may
        differ from run to run.
        """
        # The module of the race is imported late, because it loads the solvers.
        if is_large(board):
            from mmsat.solving.race import decide_large

            return run(deadline, decide_large, board, seed, tolerance)
        brute, weighted = Brute(), Weighted()
        search: PresolvingWork | None = None
        decision: Decision | None = None
        if not tolerance.lies:
            decision = brute.try_decide(board, deadline, slices=1, nodes=policy.MAX_FIRST_NODES)
            search = None if decision else weighted.begin(board)
        if decision is None and search is not None:
            decision = weighted.try_decide(board, search, deadline)
        # The weighted search supports no lies, no word lists, and no large systems.
        elif decision is None:
            decision = brute.try_decide(board, deadline, tolerance, policy.BRUTE_SLICES)
        if decision is not None:
            return decision
        from mmsat.solving.race import race_solvers

        return run(deadline, race_solvers, board, seed, tolerance, search)


STEPS_PER_BUDGET = 1 << 18
"""Number of steps of annealing in a budget of 1: some milliseconds."""


ACCEPTANCE_CHANCES = (round(0.18 * 2**32), round(0.21 * 2**32), round(0.15 * 2**32))
"""Probabilities of accepting a step that increases the violation by one, times 2**32, used in turn.
They were tuned on the last moves of games of 24 pegs and 6 colors."""


MANY_COLORS_CHANCES = (round(0.09 * 2**32), round(0.10 * 2**32))
"""Probabilities used instead of `ACCEPTANCE_CHANCES` if there are more than half as many colors as
pegs. Boards of 30 pegs and 30 colors take several times as long with `ACCEPTANCE_CHANCES`."""


COLLECTING_CHANCE = round(0.24 * 2**32)
"""Probability of accepting a step that increases the violation by one, times 2**32, in a walk that
collects codes."""


class AnnealWork(Work):
    """Simulated annealing: a random walk over codes that can be resumed."""

    name = "anneal"

    def __init__(self, system: System, seed: int | None = None, start: Code | None = None) -> None:
        """Start at a code, by default a random one; raises SizeError if there are conjunctions."""
        variables = system.variables
        constraints = [
            (constraint.literals, constraint.low, constraint.high)
            for constraint in system.constraints
        ]
        if system.conjunctions:
            raise SizeError("annealing does not support conjunctions; another engine takes over")
        self.chances = cycle(
            MANY_COLORS_CHANCES if 2 * variables.colors > variables.pegs else ACCEPTANCE_CHANCES
        )
        self.walk = Annealer(variables.pegs, variables.colors, seed or 0)
        self.walk.add(constraints)
        if start is not None:
            self.walk.set_code(start)

    def step(self, budget: int) -> bool:
        """Resume the walk. If it finds no code, the next step starts at a random code."""
        chance = next(self.chances)
        # The probability is the same from the first to the last step.
        if self.walk.anneal(STEPS_PER_BUDGET * budget, hot=chance, cold=chance):
            self.code = self.walk.code
            return True
        self.walk.randomize()
        return False

    def collect(self, steps: int, max_codes: int) -> Sequence[Code]:
        """Return up to `max_codes` different codes that the walk visits within `steps` steps.

        Call this only after `step` has found a code.
        """
        sampling_interval = len(self.walk.code)
        return self.walk.sample(steps, COLLECTING_CHANCE, sampling_interval, max_codes)
