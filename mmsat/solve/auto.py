"""auto: brute force while that is quick, then SAT and CP-SAT by turns.

Most boards that people bring end in the first stage, without a solver being loaded at all. Of the
rest, sparse ones fall to clause learning and dense ones to CP-SAT, and nobody knows which is which.
So each gets a budget in turn, and the budgets double: no more than a small factor is lost against
the better of the two. Boards of two colors are linear equations: they are made short by algebra
first, and go to the same two (algebra.py, turns.py). Budgets are counted in work, not in seconds,
so that the answer is the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.answers import Status
from mmsat.constraints.algebra.games import suits
from mmsat.constraints.system import System
from mmsat.encode.cnf import cnf
from mmsat.solve.algebra import Algebra
from mmsat.solve.brute import Brute, is_large
from mmsat.solve.cp import Cp, CpTry
from mmsat.solve.deadline import Deadline
from mmsat.solve.engine import Decision, Engine, proven
from mmsat.solve.sat import code_of, new_solver
from mmsat.solve.worker import TimeUpError, run

if TYPE_CHECKING:
    from mmsat.answers import Code
    from mmsat.game.board import Board

BRUTE_SLICES = 4
"""What brute force has before solvers are asked: some ten milliseconds ..."""
LARGE_SLICES = 128
"""... or, on large boards, a part of the time that it takes to encode them."""
PROPAGATIONS = 50_000
"""The first budget of SAT: less than it takes to load CP-SAT."""
WORK = 0.5
"""The first budget of CP-SAT, in its own unit of deterministic time, about a second each."""
SMALL = 100
"""Pegs up to which native counting is the quicker way for SAT: it looks through whole rows."""
WEIGHTS = 8
"""Weights of the code that may be open for a two-color board to go to the algebra."""
WIDE = 32
"""Pegs above which a large two-color board goes there at once, as no search gets far."""


class Auto(Engine):
    """The engine to use without a reason for another."""

    name = "auto"
    summary = "brute force while quick, then SAT and CP-SAT by turns, two colors by algebra"

    def decide(self, board: Board, deadline: Deadline, seed: int | None = None) -> Decision:
        """Ask brute force, then the solvers in a process that ends with the deadline."""
        try:
            if is_large(board):
                return run(deadline, in_this_process, board, seed)
            quick = Brute().try_decide(board, deadline, BRUTE_SLICES)
            return quick or proven(board, *run(deadline, by_solvers, board, seed))
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, self.name)


def in_this_process(board: Board, seed: int | None) -> Decision:
    """The decision, from first to last without a deadline."""
    suited = is_algebraic(board)
    quick = None
    if board.game.pegs <= WIDE or not suited:
        quick = Brute().try_decide(board, Deadline(), LARGE_SLICES)
    return quick or proven(board, *(by_algebra if suited else by_turns)(board, seed))


def by_solvers(board: Board, seed: int | None) -> tuple[Code | None, str]:
    """A consistent code or None, and what found it: by algebra where that applies."""
    return (by_algebra if is_algebraic(board) else by_turns)(board, seed)


def by_algebra(board: Board, seed: int | None) -> tuple[Code | None, str]:
    """A consistent code or None, from the equations that a board of two colors is."""
    return Algebra().solve(board, seed), Algebra.name


def is_algebraic(board: Board) -> bool:
    """Whether a board is one system of equations, or a few."""
    if not suits(board.game):
        return False
    from mmsat.constraints.algebra.equations import weights  # noqa: PLC0415  (loads numpy)

    return len(weights(board)) <= WEIGHTS


def by_turns(board: Board, seed: int | None) -> tuple[Code | None, str]:
    """A consistent code or None, and what found it."""
    system = System.of(board)
    small = system.facts.pegs <= SMALL
    name, encoding = ("minicard", "native") if small else ("glucose4", "modulo-totalizer")
    attempt: CpTry | None = None
    turn = 0
    with new_solver(name, cnf(system, encoding)) as solver:
        while True:
            solver.prop_budget(PROPAGATIONS << turn)
            satisfiable = solver.solve_limited()
            if satisfiable is not None:
                code = code_of(solver.get_model(), system.facts) if satisfiable else None
                return code, f"sat:{name}:{encoding}"
            attempt = attempt or CpTry(system, seed)
            if attempt.solve(WORK * 2**turn):
                return attempt.code, Cp.name
            turn += 1
