"""The policy: which solver runs when, and with which budget.

The other modules of this package are solvers, or run solvers in the order given here. Budgets are
counted in units of work, so that the answers are the same on every machine. Times are processor
seconds on one core of the machine of benchmarks/README.md, which has the tables. The maximum
budgets that tests lower are in limits.py.

**A board in this process** (`Auto` in searches.py). Brute force for half a millisecond, then the
weighted search. These decide nearly all boards that players enter, and load no library.

- On boards with a wrong score, the median number of steps of the search is 15 for 24x10/24 (24
  pegs, 10 colors and 24 rows), which takes 0.15 s, and 5 for 20x6/16. With 20 steps instead of 5
  before the race, 24x10/24 needs 0.15 instead of 0.63 s of all processes (seeds 67001 to 67014),
  because two processes that race cost twice their time.
- On 260 boards of `benchmarks engines`, CP-SAT or a lattice was the fastest on 40 of 60 boards of
  up to 8 colors, but only on 17 of 212 boards of more colors. So the race starts earlier on boards
  of few colors.

**A board in two processes** (`race_solvers` in race.py). The first process that decides ends the
other. For each process there are boards that it decides at once and that the other one never
decides: clause learning suits sparse boards, CP-SAT dense boards, and lattices boards of few
colors. Only two processes compete, so the race seldom takes more than 1.5 times as long as the
fastest solver alone (`python -m benchmarks engines`).

- One process resumes the weighted search, then simplifies the board, which refutes some boards, and
  then runs SAT on the encoding that suits the system (sat.py). On dense boards, SAT alternates with
  the weighted search, with the enumeration of lattice points if the lattices may have few
  dimensions, and with the search for the number of pegs of each color. On other boards, it
  alternates with the weighted search, unless they are sparse, and with lattices.
- The other process runs CP-SAT on the original system. On sparse and two-color boards, it
  alternates with CP-SAT on the simplified systems.
- With lies, SAT alone races against CP-SAT alone, because the other solvers do not support lies. If
  lies are counted by rows, leaving out rows races against them (diagnosis/correction_sets.py).

**Queries about subsets of rows** (`SubsetOracle` in oracle.py). The solvers of `query_turns` run in
order, the fastest first, then those for hard queries:

1. The cache of earlier answers.
2. Brute force, on boards of up to `MAX_BRUTE_ROWS` rows and fewer than `WIDE_PEGS` pegs. In games
   of up to `SMALL_GAME_CODES` codes it decides all queries. In larger games it has `BRUTE_NODES`
   nodes, about 0.05 ms, and is not tried again after its first failure.
3. Linear algebra, on two-color boards of at least `WIDE_PEGS` pegs. Steps 4 and 5 are then skipped,
   because SAT decides no query that the algebra does not decide.
4. A short weighted search without presolve, on dense boards. It decides nearly all queries of
   boards of 10x10 to 15x15, so that no solver library is loaded for them.
5. One incremental SAT solver. Its first budget is a fraction of a second.
6. The portfolio for dense boards (`DensePortfolio`), whose solvers count literals without encoding
   them. They run in turn, with budgets that grow from round to round:

   - The weighted search is first, unless CP-SAT decided the last query. On boards of 30 pegs and
     colors it needs a tenth to half of the time of minicard, the best solver of python-sat on these
     boards, because learned clauses are long and seldom used again.
   - The search for the number of pegs of each color, if presolve does not determine these numbers.
     It refuted 12 rows of 20 pegs and colors in 0.05 s, for which the weighted search needed 26 s.
   - The enumeration of lattice points, if the dimensions are few.
   - CP-SAT starts each of its steps from scratch, so it runs only in restart rounds, whose budgets
     are powers of `RESTART_GROWTH`, except the first. Without a lattice, no solver runs in other
     rounds, unless the weighted search is the only solver.
7. SAT and CP-SAT, interleaved, on the simplified rows. They decide every query. CP-SAT needs
   between a second and a minute for the same query, depending on its random seed, so each step uses
   a different seed.

With lies, a code satisfies a set of rows if their lies are within the tolerance. Then only the
incremental SAT solver is used, without a budget.
"""

from __future__ import annotations

from math import isqrt, log2
from typing import TYPE_CHECKING, NamedTuple

from mmsat.limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.game.board import Board

# A board in this process.

MAX_FIRST_NODES = 1 << 14
"""Maximum number of nodes of brute force before the weighted search: half a millisecond. If these
are not enough, the weighted search decides most boards in 1 ms, and brute force in 5 to 10 ms."""
BRUTE_SLICES = 4
"""Number of slices of brute force before the race on boards that the weighted search does not
support, such as boards with lies or a word list. These slices take 10 ms."""
FAILURES_BEFORE_PRESOLVE = 2_000
"""Maximum number of failures before the presolve: 5 to 10 ms, less than the presolve takes."""
FAILURES_PER_STEP = 10_000
"""Number of failures in a step of budget 1: 6 to 20 ms, 10 ms at 24 pegs and 10 colors."""
MAX_IN_PROCESS_LITERALS = 10_000
"""Maximum number of literals in all constraints for which `auto` runs the weighted search in its
own process. The presolve of such a system takes at most 0.15 s."""
FEW_COLORS_STEPS = 5
"""Number of steps of budget 1 before the race on boards of few colors: 0.05 to 0.1 s, about as long
as the processes need to start and load their solvers. CP-SAT decides some of these boards in
another 0.1 s."""
MAX_FEW_COLORS = 8
"""Maximum number of colors of boards of few colors."""
MANY_COLORS_STEPS = 20
"""Number of steps of budget 1 before the race on other boards: 0.2 s with 24 pegs and 10 colors."""


def in_process_steps(board: Board) -> int:
    """Return the number of steps of the weighted search before the race."""
    return FEW_COLORS_STEPS if board.game.colors <= MAX_FEW_COLORS else MANY_COLORS_STEPS


# A board in two processes.

LARGE_SLICES = 128
"""Number of slices of brute force on large boards: a fraction of the time needed to encode them."""
MAX_BRUTE_PEGS = 32
"""Maximum number of pegs of a large two-color board for which brute force is tried before the race.
On boards with more pegs, no search gets far without algebra."""
SPARSE_TIME = 6.0
"""Deterministic time of CP-SAT for a budget of 1 on the original system of a sparse board with more
than two colors. It is long, because presolve seldom helps CP-SAT on such boards."""
MIN_SAT_BUDGET, SAT_BUDGET_FACTOR = 32, 2
"""If SAT alternates with the enumeration of the points of a large lattice, its budget is
MIN_SAT_BUDGET plus SAT_BUDGET_FACTOR times the budget of the enumeration. With a budget of 1, the
enumeration takes about 20 times as long as SAT. With two colors, SAT is slower and has the budget
of the enumeration."""
FIRST_SEARCH_BUDGET = 5
"""Budget of the weighted search before the first process of the race loads a library, and again
before SAT starts. The search takes 0.05 to 0.1 s, about as long as loading."""
SEARCH_FACTOR, SAT_FACTOR = 16, 8
"""Budgets of the weighted search and of SAT on dense boards without a lattice, as multiples of the
budget of the portfolio. SAT then has a fifth of the time, and decides boards with few rows."""
LATTICE_SEARCH_FACTOR = 4
"""Budget of the weighted search on dense boards with a lattice, as a multiple of the budget of the
portfolio. Most of the time is then that of the lattice. SAT has the budget of the portfolio."""
RACE_FREE_COORDINATES, RACE_BUDGET = 190, 15
"""`RACE_BUDGET` is the budget of the weighted search before the basis of a lattice is computed, if
the lattice has `RACE_FREE_COORDINATES` free coordinates. The search takes 0.2 s, and computing the
basis 1 s. Both times are proportional to the fourth power of the number of free coordinates."""


def race_order(*, is_dense: bool, is_sparse: bool, has_lattice: bool) -> list[str]:
    """Return the solvers that take turns in the process of the race that runs SAT, in order."""
    lattice = ["lattice"] * has_lattice
    if is_dense:
        return ["weighted", *lattice, "sat", "counts"]
    return ["sat", *["weighted"] * (not is_sparse), *lattice]


class RaceBudgets(NamedTuple):
    """The budgets of the weighted search and of SAT on a dense board, for a portfolio's budget."""

    first: int
    """The budget of the search in the first round."""
    search_factor: int
    """The budget of the search in later rounds, as a multiple of the portfolio's budget."""
    sat_factor: int
    """The budget of SAT, as a multiple of the portfolio's budget."""

    @classmethod
    def of(cls, lattice_freedom: int | None, spent: int | None) -> RaceBudgets:
        """Return the budgets for a dense board.

        `lattice_freedom` is the number of free coordinates of the lattice, or None without a
        lattice. `spent` is the sum of the previous budgets of a search that is resumed, or None.
        """
        setup_budget = RACE_BUDGET * (lattice_freedom or 0) ** 4 // RACE_FREE_COORDINATES**4
        first = max(FIRST_SEARCH_BUDGET, setup_budget)
        if spent is not None:
            # In all, a resumed search has the same budget, however long it ran before the race.
            first = max(1, FEW_COLORS_STEPS + FIRST_SEARCH_BUDGET + first - spent)
        if lattice_freedom is not None:
            return cls(first, LATTICE_SEARCH_FACTOR, 1)
        return cls(first, SEARCH_FACTOR, SAT_FACTOR)

    def search(self, budget: int) -> int:
        """Return the budget of the weighted search."""
        return self.first if budget == 1 else self.search_factor * budget

    def sat(self, budget: int) -> int:
        """Return the budget of SAT."""
        return self.sat_factor * budget


def sat_budget_with_large_lattice(budget: int) -> int:
    """Return the budget of SAT for a budget of the enumeration of a large lattice."""
    return MIN_SAT_BUDGET + SAT_BUDGET_FACTOR * budget


# Queries about subsets of rows.

START_FAILURES = 2_000
"""The first budget of the short search, in failures; the maximum is `LIMITS.query_failures`."""
START_PROPAGATIONS = 200_000
"""The first budget of SAT, in propagations."""
MIN_PROPAGATIONS = 10_000
"""The minimum budget of SAT, in propagations; the maximum is `LIMITS.query_propagations`."""
MAX_BRUTE_ROWS = 32
"""Maximum number of rows of a board for which brute force is tried. Brute force does not find small
cores, and large cores of many rows are of little use."""
SMALL_GAME_CODES = 1 << 15
"""Maximum number of codes of a game in which brute force decides each query."""
MAX_NODES_PER_CODE = 4
"""Number of nodes per code of a small game that is enough for a complete search."""
BRUTE_NODES = 1 << 11
"""Maximum number of nodes of brute force per query in larger games."""
QUERY_COST = 10_000
"""Fixed cost of a query, in propagations of SAT."""
FAILURE_COST = 12
"""Cost of a failure of the weighted search, in propagations of SAT."""
WIDE_PEGS = 24
"""Minimum number of pegs of a wide board. Brute force is not tried on wide boards, and the algebra
only on wide boards of two colors, because SAT is as fast on others."""
MAX_ROUNDS = 13
"""Maximum number of rounds of the portfolio for dense boards: a minute or two."""


def is_wide(board: Board) -> bool:
    """Return whether a board has too many pegs for brute force."""
    return board.game.pegs >= WIDE_PEGS


class Turn(NamedTuple):
    """A solver in the order of the solvers of queries, and its budget.

    The budget can grow after decisions, and shrinks after queries that the solver leaves undecided.
    If it falls to 0, the solver is not run again.
    """

    solver: str
    budget: int | None = None
    """The first budget; None means no limit."""
    limit_name: str = ""
    """The attribute of `LIMITS` that is the maximum budget."""
    growth: int = 1
    """The factor by which the budget grows after a decision."""
    minimum: int = 0
    """The minimum budget. Each undecided query halves the budget down to this."""
    retires_on_failure: bool = False
    """Whether the solver is not run again after its first undecided query."""


def query_turns(
    board: Board, *, has_lies: bool, is_algebraic: bool, is_dense: bool
) -> Iterator[Turn]:
    """Yield the solvers of queries that run before the portfolio for dense boards, in order."""
    if has_lies:
        yield Turn("sat")
        return
    yield Turn("cache")
    if not is_wide(board) and len(board.rows) <= MAX_BRUTE_ROWS:
        is_small = board.game.size <= SMALL_GAME_CODES
        nodes = MAX_NODES_PER_CODE * SMALL_GAME_CODES if is_small else BRUTE_NODES
        yield Turn("brute", nodes, "query_nodes", retires_on_failure=True)
    if is_wide(board) and is_algebraic:
        yield Turn("algebra")
        return
    if is_dense:
        yield Turn("short search", START_FAILURES, "query_failures", growth=2)
    yield Turn("sat", START_PROPAGATIONS, "query_propagations", growth=2, minimum=MIN_PROPAGATIONS)


# The portfolio for dense boards.

RESTART_GROWTH = 16
"""Solvers that start each step from scratch (restart) run with budgets that grow by this factor."""
LATTICE_BUDGET_DIVISOR = 64
"""Divisor of the budgets that the weighted search has before lattices are used, if the previous
query used a lattice."""
LATTICE_FREE_COORDINATES = 140
"""Number of free coordinates of a code (`LatticeEquations.freedom`) for which computing the basis
takes as long as `LIMITS.dense_failures` failures of the weighted search. The time grows with the
fourth power of this number."""
MIN_SEARCH_ROUNDS = 3
"""Minimum number of rounds of the portfolio if only the weighted search runs."""
MAX_LISTED_CODES = 1000
"""Maximum number of codes that the short search lists."""
FIRST_BUDGET_FACTOR = 3
"""The first budget of a search, as a multiple of its expected number of failures."""
CORE_CHECK_FACTOR = 4
"""The budget of the search that checks a core, as a multiple of the failures of the search that
found the core."""


def is_restart_round(budget: int) -> bool:
    """Return whether solvers that start from scratch run in the round with this budget.

    They do if the budget, a power of two, is also a power of `RESTART_GROWTH`.
    """
    return log2(budget) % log2(RESTART_GROWTH) == 0


def budget_of_cp(budget: int) -> int:
    """Return the budget of CP-SAT in a round; 0 if it does not run.

    The time of CP-SAT grows with the square of its budget.
    """
    is_its_turn = budget >= RESTART_GROWTH and is_restart_round(budget)
    return isqrt(budget // RESTART_GROWTH) if is_its_turn else 0


def failures_in_round(first_budget: int, budget: int, *, has_lattice: bool) -> int:
    """Return the maximum number of failures in the round with this budget.

    If there is a lattice, the number grows only as slowly as the budget of CP-SAT.
    """
    return first_budget * (isqrt(budget // RESTART_GROWTH) if has_lattice else budget)


def failures_before_lattice(freedom: int, *, used_lattice: bool) -> int:
    """Return the number of failures of a search that takes as long as computing a lattice basis."""
    base = LIMITS.dense_failures // (LATTICE_BUDGET_DIVISOR if used_lattice else 1)
    return base * freedom**4 // LATTICE_FREE_COORDINATES**4
