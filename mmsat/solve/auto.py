"""auto: brute force while that is quick; then presolve, and two engines in a race.

Most boards that people bring end in the first stage, without a solver being loaded at all. The rest
is made smaller, which refutes some. Then two processes race on two cores, and the first to be done
ends the other:

- where the board is a lattice of few dimensions (lattice.py), the walk over its points against SAT
  and CP-SAT by turns;
- elsewhere SAT, on the encoding that suits (choice.py), against CP-SAT.

Each has boards that it decides in a moment and the others never: sparse ones fall to clause
learning, dense ones to CP-SAT, few colors to lattices. The verdict does not depend on who wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat.answers import Status
from mmsat.constraints.algebra.games import suits
from mmsat.solve.brute import Brute, is_large
from mmsat.solve.choice import choice
from mmsat.solve.deadline import Deadline
from mmsat.solve.engine import Decision, Engine, proven
from mmsat.solve.lattice import Lattice, Read, places, walk
from mmsat.solve.turns import CpWork, SatWork, Turns, first
from mmsat.solve.worker import TimeUpError, race, run

if TYPE_CHECKING:
    from mmsat.answers import Code
    from mmsat.constraints.system import System
    from mmsat.game.board import Board

BRUTE_SLICES = 4
"""What brute force has before solvers are asked: some ten milliseconds ..."""
LARGE_SLICES = 128
"""... or, on large boards, a part of the time that it takes to encode them."""
WEIGHTS = 8
"""Weights of the code that may be open for a two-color board to go to the algebra."""
WIDE = 32
"""Pegs above which a large two-color board goes there at once, as no search gets far."""


class Auto(Engine):
    """The engine to use without a reason for another."""

    name = "auto"
    summary = "brute force while quick, then presolve, and a race of lattice, SAT and CP-SAT"

    def decide(self, board: Board, deadline: Deadline, seed: int | None = None) -> Decision:
        """Ask brute force, then the solvers in processes that end with the deadline."""
        try:
            if is_large(board):
                return run(deadline, in_other_process, board, seed)
            quick = Brute().try_decide(board, deadline, BRUTE_SLICES)
            return quick or run(deadline, by_solvers, board, seed)
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, self.name)


def in_other_process(board: Board, seed: int | None) -> Decision:
    """The decision, from first to last without a deadline."""
    quick = None
    if board.game.pegs <= WIDE or not is_algebraic(board):
        quick = Brute().try_decide(board, Deadline(), LARGE_SLICES)
    return quick or by_solvers(board, seed)


class Smaller(NamedTuple):
    """What presolve made of a board."""

    systems: list[System]
    """The codes of the board are those of all of them; none where it is refuted."""
    presolve: str
    """Which presolve."""


def by_solvers(board: Board, seed: int | None) -> Decision:
    """The decision of presolve, or of the engine that wins the race."""
    systems, presolve = smaller(board)
    if not systems:
        return proven(board, None, presolve, "refuted without search")
    reads = [places(system) for system in systems]
    if all(read.is_suited for read in reads):
        code, engine = race((by_lattice, systems, reads), (by_turns, systems, seed))
        return proven(board, code, engine, f"{reads[0]} against SAT and CP-SAT by turns")
    code, engine = race((by_sat, systems), (by_cp, systems, seed))
    return proven(board, code, engine, f"{choice(systems[0])} against CP-SAT")


def smaller(board: Board) -> Smaller:
    """A board made smaller: two colors by their algebra, all others by presolve."""
    if is_algebraic(board):
        from mmsat.constraints.algebra.simplify import systems  # noqa: PLC0415  (loads numpy)

        return Smaller(systems(board), "algebra")
    from mmsat.constraints.presolve.presolve import Presolved, presolve  # noqa: PLC0415

    made = presolve(board)
    return Smaller([made.system] if isinstance(made, Presolved) else [], "presolve")


def is_algebraic(board: Board) -> bool:
    """Whether a board is one system of equations, or a few."""
    if not suits(board.game):
        return False
    from mmsat.constraints.algebra.equations import weights  # noqa: PLC0415  (loads numpy)

    return len(weights(board)) <= WEIGHTS


def by_lattice(systems: list[System], reads: list[Read]) -> tuple[Code | None, str]:
    """A code of any of the systems, or None, from the points of their lattices."""
    return walk(systems, reads, Lattice()), Lattice.name


def by_turns(systems: list[System], seed: int | None) -> tuple[Code | None, str]:
    """A code of any of the systems, or None, by SAT and CP-SAT."""
    return first(Turns(system, seed) for system in systems), "sat and cp"


def by_sat(systems: list[System]) -> tuple[Code | None, str]:
    """A code of any of the systems, or None, by SAT."""
    return first(SatWork(system) for system in systems), str(choice(systems[0]))


def by_cp(systems: list[System], seed: int | None) -> tuple[Code | None, str]:
    """A code of any of the systems, or None, by CP-SAT."""
    return first(CpWork(system, seed) for system in systems), "cp"
