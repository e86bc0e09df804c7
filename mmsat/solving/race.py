"""A race of two processes on two cores: the first decision ends the other process.

- One process simplifies the board, which refutes some boards, and then runs SAT on the encoding
  that suits the system (sat.py). On dense boards, SAT alternates with the weighted search and with
  the portfolio of dense_portfolio.py (weighted search, color counts, lattices). On other
  boards whose lattices have few dimensions, it alternates with the enumeration of lattice points
  (lattice.py).
- The other process runs CP-SAT. On a dense board, CP-SAT runs on the original system, without
  restarting from scratch. On a sparse or two-color board, CP-SAT runs on the original system, with
  more and with less linear programming, interleaved with CP-SAT on the simplified systems.

Each process decides some boards in a moment that the other one never decides: sparse boards suit
clause learning, dense boards CP-SAT, and boards of few colors lattices. Only two processes compete
for the machine, so the race seldom takes more than 1.5 times as long as the fastest solver alone
(`python -m benchmarks engines`). The verdict does not depend on the winner.
"""

from collections.abc import Callable
from typing import TypeAlias

from mmsat.constraints import System
from mmsat.constraints.presolve_steps import is_algebraic, simplify
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import AnyOf, Decision, Portfolio, Scaled, Work, finish, verify_witness
from mmsat.solving.cp import BUDGET_TIME, Cp, CpWork
from mmsat.solving.deadline import Deadline
from mmsat.solving.dense_portfolio import DensePortfolio, Experience
from mmsat.solving.lattice import MIN_LARGE_DIMENSION, LatticeEquations, read_lattice_equations
from mmsat.solving.presolved_queries import Presolver, is_dense
from mmsat.solving.row_queries import Query
from mmsat.solving.sat import Sat, SatWork, is_sparse, select_encoding
from mmsat.solving.searches import Brute, WeightedWork
from mmsat.solving.worker import race

LARGE_SLICES = 128
"""Number of slices of brute force on large boards: a fraction of the time needed to encode them."""
MAX_BRUTE_PEGS = 32
"""Maximum number of pegs of a large two-color board for which brute force is tried before the race.
On boards with more pegs, no search gets far without algebra."""
SPARSE_TIME = 6.0
"""Deterministic time of CP-SAT for a budget of 1 on the original system of a sparse board with more
than two colors. It is long, because presolve seldom helps CP-SAT on such boards."""
MIN_SAT_BUDGET, SAT_BUDGET_FACTOR = 32, 2
"""Budget of SAT if it alternates with a walk over the points of a large lattice: a constant, plus a
multiple of the budget of the walk. A walk with a budget of 1 takes about 20 times as long as SAT
with a budget of 1. With two colors, SAT is slower and keeps the budget of the walk."""

SEARCH_FACTOR, SAT_DIVISOR = 4, 4
"""On dense boards, the weighted search has SEARCH_FACTOR times the budget of the portfolio for
dense boards, and SAT this budget divided by SAT_DIVISOR. With equal budgets, a step of the search
takes as long as a step of SAT, but the search decides far more of these boards first."""
REFERENCE_FREEDOM, REFERENCE_BUDGET = 190, 15
"""The budget of the weighted search before a lattice of this freedom is made. It takes 0.2 s, and
making the lattice 1 s. Both times are proportional to the fourth power of the freedom."""

Answer: TypeAlias = "tuple[Code | None, str, str]"
"""A code or None, the engine that decided, and the reason why it was selected."""


def decide_large(board: Board, seed: int | None, tolerance: Tolerance = STRICT) -> Decision:
    """Decide a large board by brute force, then by the race; the caller limits the time.

    Brute force is skipped for lies, and for two-color boards of more than MAX_BRUTE_PEGS pegs.
    """
    decision = None
    if not tolerance.lies and (board.game.pegs <= MAX_BRUTE_PEGS or not is_algebraic(board)):
        decision = Brute().try_decide(board, Deadline(), slices=LARGE_SLICES)
    return decision or race_solvers(board, seed, tolerance)


def race_solvers(board: Board, seed: int | None, tolerance: Tolerance = STRICT) -> Decision:
    """Run the race and return the first decision.

    With a tolerance, SAT alone races against CP-SAT alone, because presolve, algebra and lattices
    do not support lies.
    """
    if tolerance.lies:
        code, engine, reason = race(
            (relax_by_sat, board, tolerance), (relax_by_cp, board, seed, tolerance)
        )
    else:
        code, engine, reason = race((solve_by_sat, board), (solve_by_cp, board, seed))
    return verify_witness(board, code, engine, reason, tolerance)


def relax_by_sat(board: Board, tolerance: Tolerance) -> Answer:
    """Find a code within the tolerance by SAT with the encoding that suits the system."""
    selection = select_encoding(System.of(board, tolerance))
    code = Sat(selection.solver, selection.encoding).solve(board, tolerance=tolerance)
    return code, str(selection), ""


def relax_by_cp(board: Board, seed: int | None, tolerance: Tolerance) -> Answer:
    """Find a code within the tolerance by CP-SAT."""
    return Cp().solve(board, seed, tolerance), Cp.name, ""


def solve_by_sat(board: Board) -> Answer:
    """Simplify the board, then run SAT, interleaved with other solvers that suit the systems."""
    systems, method, _ = simplify(board)
    if not systems:
        return None, method, "refuted without search"
    if not is_algebraic(board) and is_dense(systems[0]):
        decided = finish(sat_and_counting(systems[0]))
        solvers = f"{select_encoding(systems[0])}, the weighted search and lattices, against cp"
        return decided.code, decided.name, f"{method}, then {solvers}"
    equation_sets = [read_lattice_equations(system) for system in systems]
    decided = finish(AnyOf(map(sat_and_lattice, systems, equation_sets)))
    lattice = next((f" and {equations}" for equations in equation_sets if equations.is_suited), "")
    selection = select_encoding(systems[0])
    search = "" if is_sparse(systems[0]) else ", the weighted search"
    return decided.code, decided.name, f"{method}, then {selection}{search}{lattice}, against cp"


def sat_and_counting(system: System) -> Work:
    """Return the weighted search, the portfolio for dense boards and SAT, interleaved.

    The portfolio contains a weighted search, too, but once it has a lattice, it spends little time
    on that search. On some boards, such as 30x12 with 34 rows, only the search decides. Therefore
    another weighted search runs outside the portfolio, with larger budgets. It runs first, for a
    fifth of the time that making the lattice takes. If presolve refutes the system, the work is
    decided at once.
    """
    portfolio = DensePortfolio(system, Experience(used_lattice=True))
    work = portfolio.restart(Query(frozenset(range(len(system.soft)))))
    if work is None:
        return AnyOf([], Presolver.name)
    freedom = (
        work.search.presolved.lattice_equations.freedom if work.others.can_use_lattice() else 0
    )
    first_budget = max(SEARCH_FACTOR, REFERENCE_BUDGET * freedom**4 // REFERENCE_FREEDOM**4)

    def budget_of_search(budget: int) -> int:
        return first_budget if budget == 1 else SEARCH_FACTOR * budget

    return Portfolio(
        lambda: Scaled(WeightedWork(system), budget_of_search),
        lambda: work,
        lambda: Scaled(SatWork(system), lambda budget: max(1, budget // SAT_DIVISOR)),
    )


def sat_and_lattice(system: System, equations: LatticeEquations) -> Portfolio:
    """Return SAT, the weighted search and the walk over lattice points, as far as they suit.

    The walk gets most of the time. The weighted search does not run on sparse systems, because
    clause learning suits them better.
    """
    members: list[Callable[[], Work]] = [lambda: SatWork(system)]
    if not is_sparse(system):
        members.append(lambda: WeightedWork(system))
    if equations.is_suited:
        members.append(lambda: equations.work(system))
        if equations.dimension >= MIN_LARGE_DIMENSION and system.variables.colors > 2:
            members[0] = lambda: Scaled(SatWork(system), budget_of_sat)
    return Portfolio(*members)


def budget_of_sat(budget: int) -> int:
    """Return the budget of SAT for a budget of the walk over a large lattice."""
    return MIN_SAT_BUDGET + SAT_BUDGET_FACTOR * budget


def sat_and_cp(system: System, seed: int | None = None) -> Portfolio:
    """Return SAT and CP-SAT, interleaved; CP-SAT alone if the clauses need too much memory."""
    return Portfolio(lambda: SatWork(system), lambda: CpWork(system, seed))


def solve_by_cp(board: Board, seed: int | None) -> Answer:
    """Run CP-SAT on the original system; on sparse or two-color boards, also on simplified ones."""
    reason = "cp against presolve, SAT and lattices"
    system, has_two_colors = System.of(board), is_algebraic(board)
    if not (has_two_colors or is_sparse(system)):
        return Cp().solve(board, seed), Cp.name, reason

    def on_simplified() -> Work:
        systems, method, _ = simplify(board)
        return AnyOf([CpWork(system, seed) for system in systems], method)

    budget_time = BUDGET_TIME if has_two_colors else SPARSE_TIME
    decided = finish(
        Portfolio(lambda: CpWork(system, seed, budget_time=budget_time), on_simplified)
    )
    return decided.code, decided.name, reason
