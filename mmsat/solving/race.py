"""Race of two processes, on two cores: the first decision ends the other process.

- One process simplifies the board, which refutes some boards, and then runs SAT on the encoding
  that suits the system (sat.py). On dense boards, SAT alternates with the weighted search and with
  the portfolio of queries/counting.py (weighted search, color counts, lattices). On other boards
  whose lattices have few dimensions, it alternates with the enumeration of lattice points
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

from mmsat.constraints.system import System
from mmsat.game.board import Board
from mmsat.game.row import Code
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving.brute import Brute
from mmsat.solving.cp import WORK, Cp, CpWork
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision, verify_witness
from mmsat.solving.lattice import LARGE, Reading, read_places
from mmsat.solving.portfolio import AnyOf, Portfolio, Scaled, Work, finish
from mmsat.solving.queries.counting import Counting
from mmsat.solving.queries.presolved import Presolver, is_dense
from mmsat.solving.queries.query import Query
from mmsat.solving.sat import Sat, SatWork, is_sparse, select_encoding
from mmsat.solving.simplification import is_algebraic, simplify
from mmsat.solving.weighted import WeightedWork
from mmsat.solving.worker import race

LARGE_SLICES = 128
"""Number of slices of brute force on large boards: a fraction of the time needed to encode them."""
WIDE = 32
"""Maximum number of pegs of a large two-color board for which brute force is tried before the race.
On boards with more pegs, no search gets far without algebra."""
COLORFUL_WORK = 6.0
"""Deterministic time of a budget of 1 of CP-SAT on the original system of a sparse board with more
than two colors. Presolve seldom helps CP-SAT on such boards."""
SAT_FIRST, SAT_BESIDE = 32, 2
"""Budget of SAT next to a walk over the points of a large lattice: a constant, and a multiple of
the budget of the walk. A budget of 1 takes the walk about 20 times as long as SAT. SAT has these
budgets for more than two colors only, because it is slower on two colors."""

Answer: TypeAlias = "tuple[Code | None, str, str]"
"""A consistent code or None, the engine that decided, and the reason why it was selected."""


def decide_large(board: Board, seed: int | None, tolerance: Tolerance = STRICT) -> Decision:
    """The decision of a large board, from first to last without a deadline."""
    quick = None
    if not tolerance.lies and (board.game.pegs <= WIDE or not is_algebraic(board)):
        quick = Brute().try_decide(board, Deadline(), slices=LARGE_SLICES)
    return quick or race_solvers(board, seed, tolerance)


def race_solvers(board: Board, seed: int | None, tolerance: Tolerance = STRICT) -> Decision:
    """The decision of whoever wins the race.

    Presolve, algebra and lattices know no lies, so that with a tolerance SAT alone races against
    CP-SAT alone.
    """
    if tolerance.lies:
        code, engine, reason = race(
            (relax_by_sat, board, tolerance), (relax_by_cp, board, seed, tolerance)
        )
    else:
        code, engine, reason = race((solve_by_sat, board), (solve_by_cp, board, seed))
    return verify_witness(board, code, engine, reason, tolerance)


def relax_by_sat(board: Board, tolerance: Tolerance) -> Answer:
    """A code within the tolerance or None, by the encoding that suits."""
    selection = select_encoding(System.of(board, tolerance))
    code = Sat(selection.solver, selection.encoding).solve(board, tolerance=tolerance)
    return code, str(selection), ""


def relax_by_cp(board: Board, seed: int | None, tolerance: Tolerance) -> Answer:
    """A code within the tolerance or None, by CP-SAT."""
    return Cp().solve(board, seed, tolerance), Cp.name, ""


def solve_by_sat(board: Board) -> Answer:
    """Presolve, then SAT, and the points of a lattice where that is small enough."""
    systems, method, _ = simplify(board)
    if not systems:
        return None, method, "refuted without search"
    if not is_algebraic(board) and is_dense(systems[0]):
        done = finish(sat_and_counting(systems[0]))
        rivals = f"{select_encoding(systems[0])}, the weighted search and lattices, against cp"
        return done.code, done.name, f"{method}, then {rivals}"
    readings = [read_places(system) for system in systems]
    done = finish(AnyOf(map(sat_and_lattice, systems, readings)))
    lattice = next((f" and {reading}" for reading in readings if reading.is_suited), "")
    selection = select_encoding(systems[0])
    search = "" if is_sparse(systems[0]) else ", the weighted search"
    return done.code, done.name, f"{method}, then {selection}{search}{lattice}, against cp"


def sat_and_counting(system: System) -> Work:
    """SAT, the weighted search and the portfolio for dense boards, alternately.

    Once the portfolio has a lattice, its own search gets little of its time. On some boards, such
    as 30x12 with 34 rows, the search decides nevertheless, so that it also runs on its own. If
    presolve refutes the system, no work remains.
    """
    work = Counting(system).restart(Query(frozenset(range(len(system.soft)))))
    if work is None:
        return AnyOf([], Presolver.name)
    return Portfolio(lambda: work, lambda: SatWork(system), lambda: WeightedWork(system))


def sat_and_lattice(system: System, reading: Reading) -> Portfolio:
    """SAT and the weighted search, and the walk over lattice points if it suits the system.

    The walk then gets most of the time. Sparse systems are left to SAT, which learns clauses.
    """
    ways: list[Callable[[], Work]] = [lambda: SatWork(system)]
    if not is_sparse(system):
        ways.append(lambda: WeightedWork(system))
    if reading.is_suited:
        ways.append(lambda: reading.work(system))
        if reading.dimension >= LARGE and system.variables.colors > 2:
            ways[0] = lambda: Scaled(SatWork(system), budget_of_sat)
    return Portfolio(*ways)


def budget_of_sat(budget: int) -> int:
    """The budget of SAT beside the walk over a large lattice."""
    return SAT_FIRST + SAT_BESIDE * budget


def sat_and_cp(system: System, seed: int | None = None) -> Portfolio:
    """SAT and CP-SAT; CP-SAT alone where clauses would take too much memory."""
    return Portfolio(lambda: SatWork(system), lambda: CpWork(system, seed))


def solve_by_cp(board: Board, seed: int | None) -> Answer:
    """CP-SAT on the board as it is; on sparse ones, interleaved, on what presolve makes of it."""
    reason = "cp against presolve, SAT and lattices"
    system, has_two_colors = System.of(board), is_algebraic(board)
    if not (has_two_colors or is_sparse(system)):
        return Cp().solve(board, seed), Cp.name, reason

    def on_smaller() -> Work:
        systems, method, _ = simplify(board)
        return AnyOf([CpWork(system, seed) for system in systems], method)

    work = WORK if has_two_colors else COLORFUL_WORK
    done = finish(Portfolio(lambda: CpWork(system, seed, work=work), on_smaller))
    return done.code, done.name, reason
