"""auto: brute force while that is quick, then two processes in a race.

Most boards that people bring end in the first stage, without a solver being loaded at all. For the
rest two processes race on two cores, and the first to be done ends the other:

- one makes the board smaller, which refutes some, and goes on with SAT, on the encoding that suits
  (choice.py), by turns with the walk over the points of a lattice (lattice.py), where it has few
  dimensions;
- the other asks CP-SAT about the board as it is, and soon, by turns, about the smaller one too.

Each has boards that it decides in a moment and the others never: sparse ones fall to clause
learning, dense ones to CP-SAT, few colors to lattices. The verdict does not depend on who wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mmsat.constraints.algebra.games import suits
from mmsat.constraints.system import System
from mmsat.results import Status
from mmsat.solving.brute import Brute, is_large
from mmsat.solving.choice import choice
from mmsat.solving.cp import Cp
from mmsat.solving.deadline import Deadline
from mmsat.solving.engine import Decision, Engine, proven
from mmsat.solving.lattice import Lattice, places
from mmsat.solving.sat import Sat
from mmsat.solving.turns import WORK, CpWork, Either, SatWork, Union, decided
from mmsat.solving.worker import TimeUpError, race, run
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.solving.lattice import Read
    from mmsat.solving.turns import Work
    from mmsat.tolerance import Tolerance

BRUTE_SLICES = 4
"""What brute force has before solvers are asked: some ten milliseconds ..."""
LARGE_SLICES = 128
"""... or, on large boards, a part of the time that it takes to encode them."""
WEIGHTS = 8
"""Weights of the code that may be open for a two-color board to go to the algebra."""
WIDE = 32
"""Pegs above which a large two-color board goes there at once, as no search gets far."""
DENSE_WORK = 6.0
"""The first budget of CP-SAT on a board as it is, where presolve seldom helps it."""


class Auto(Engine):
    """The engine to use without a reason for another."""

    name = "auto"
    summary = (
        "brute force while quick, then presolve with SAT and lattices in a race against CP-SAT"
    )
    knows_lies = True

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Ask brute force, then the solvers in processes that end with the deadline.

        The verdict is always the same. Where two solvers race, the code is the winner's, and any
        may win. Presolve, algebra and lattices know no lies, so that with a tolerance SAT races
        against CP-SAT.
        """
        board, tolerance = self.simplify(board, tolerance)
        solvers = (relaxed_by_solvers, tolerance) if tolerance.lies else (by_solvers,)
        try:
            if is_large(board) and not tolerance.lies:
                return run(deadline, in_other_process, board, seed)
            quick = None
            if not is_large(board):
                quick = Brute().try_decide(board, deadline, BRUTE_SLICES, tolerance)
            return quick or run(deadline, solvers[0], board, seed, *solvers[1:])
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
    rows: tuple[int, ...] | None = None
    """Where presolve refuted it and knows by which rows: these, from 0."""


def smaller(board: Board) -> Smaller:
    """A board made smaller: two colors by their algebra, all others by presolve."""
    if is_algebraic(board):
        from mmsat.constraints.algebra.simplify import systems  # noqa: PLC0415  (loads numpy)

        return Smaller(systems(board), "algebra")
    from mmsat.constraints.presolve.presolve import Presolved, presolve  # noqa: PLC0415

    made = presolve(board)
    if isinstance(made, Presolved):
        return Smaller([made.system], "presolve")
    return Smaller([], "presolve", made.rows)


def is_algebraic(board: Board) -> bool:
    """Whether a board is one system of equations, or a few."""
    if not suits(board.game):
        return False
    from mmsat.constraints.algebra.equations import weights  # noqa: PLC0415  (loads numpy)

    return len(weights(board)) <= WEIGHTS


def by_solvers(board: Board, seed: int | None) -> Decision:
    """The decision of whoever wins the race."""
    code, engine, reason = race((by_search, board), (by_cp, board, seed))
    return proven(board, code, engine, reason)


def relaxed_by_solvers(board: Board, seed: int | None, tolerance: Tolerance) -> Decision:
    """The same of a board whose rows may be violated."""
    code, engine = race((relaxed_by_sat, board, tolerance), (relaxed_by_cp, board, seed, tolerance))
    return proven(board, code, engine, tolerance=tolerance)


def relaxed_by_sat(board: Board, tolerance: Tolerance) -> tuple[Code | None, str]:
    """A code within the tolerance or None, by the encoding that suits."""
    known = choice(System.of(board, tolerance))
    return Sat(known.solver, known.encoding).solve(board, tolerance), str(known)


def relaxed_by_cp(board: Board, seed: int | None, tolerance: Tolerance) -> tuple[Code | None, str]:
    """A code within the tolerance or None, by CP-SAT."""
    return Cp().solve(board, seed, tolerance), Cp.name


Answer: TypeAlias = "tuple[Code | None, str, str]"
"""A consistent code or None, the engine that found it, and why it was asked."""


def by_search(board: Board) -> Answer:
    """Presolve, then SAT, and the points of a lattice where that is small enough."""
    systems, presolve, _ = smaller(board)
    if not systems:
        return None, presolve, "refuted without search"
    reads = [places(system) for system in systems]
    works = [search(system, read) for system, read in zip(systems, reads, strict=True)]
    done = decided(Union(works))
    lattice = next((f" and {read}" for read in reads if read.is_suited), "")
    return done.code, done.name, f"{presolve}, then {choice(systems[0])}{lattice}, against cp"


def search(system: System, read: Read) -> Either:
    """SAT, and where it suits the walk over lattice points."""
    ways: list[Callable[[], Work]] = [lambda: SatWork(system)]
    if read.is_suited:
        ways.append(lambda: read.work(system, Lattice()))
    return Either(*ways)


def by_cp(board: Board, seed: int | None) -> Answer:
    """CP-SAT on the board as it is, and by turns on what presolve makes of it."""

    def on_smaller() -> Work:
        systems, presolve, _ = smaller(board)
        return Union([CpWork(system, seed) for system in systems], presolve)

    work = WORK if is_algebraic(board) else DENSE_WORK
    done = decided(Either(lambda: CpWork(System.of(board), seed, work=work), on_smaller))
    return done.code, done.name, "cp against presolve, SAT and lattices"
