"""Some consistent code of a board of any size, the same one for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.game.row import Code
from mmsat.solving.anneal import AnnealWork
from mmsat.solving.cp import CpWork
from mmsat.solving.engine import verify_witness
from mmsat.solving.portfolio import Portfolio, Work, finish, growing_budgets
from mmsat.solving.sat import SatWork

ALONE = 8
"""Steps of annealing before solvers are asked, each twice as long: a second in all. Near the end of
a game of 24 or 30 pegs they would take longer than the walk."""


def find_code(board: Board, seed: int | None = None) -> Code | None:
    """A consistent code, or None if there is none.

    Annealing, which starts at the last guess, then SAT and CP-SAT as well; budgets are counted in
    work, and there is no deadline.
    """
    system = System.of(board)
    start = board.rows[-1].guess if board.rows else None
    solvers: list[Callable[[], Work]] = [lambda: SatWork(system), lambda: CpWork(system, seed)]
    try:
        walk = AnnealWork(system, seed, start)
        if any(map(walk.step, islice(growing_budgets(), ALONE))):
            return verify_witness(board, walk.code, walk.name).code
        done = finish(Portfolio(lambda: Later(walk), *solvers))
    except SizeError:
        done = finish(Portfolio(*solvers))
    return verify_witness(board, done.code, done.name).code


class Later:
    """A walk whose first steps are over."""

    name = AnnealWork.name

    def __init__(self, walk: AnnealWork) -> None:
        """The budgets go on after those that it had alone."""
        self.walk = walk
        self.code: Code | None = None

    def step(self, budget: int) -> bool:
        """Walk on for longer."""
        is_done = self.walk.step(budget << ALONE)
        self.code = self.walk.code
        return is_done

    def close(self) -> None:
        """Nothing is held outside Python."""
