"""Some consistent code of a board of any size, the same one for the same seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.solving.anneal import AnnealWork
from mmsat.solving.engine import proven
from mmsat.solving.turns import CpWork, Either, SatWork, decided

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.solving.turns import Work

ALONE = 8
"""Turns of annealing before solvers are asked, each twice as long: a second in all. Near the end of
a game of 24 or 30 pegs they would take longer than the walk."""


def some_code(board: Board, seed: int | None = None) -> Code | None:
    """A consistent code, or None if there is none.

    Annealing, which starts at the last guess, then by turns SAT and CP-SAT; budgets are counted in
    work, and there is no deadline.
    """
    system = System.of(board)
    start = board.rows[-1].guess if board.rows else None
    solvers: list[Callable[[], Work]] = [lambda: SatWork(system), lambda: CpWork(system, seed)]
    try:
        walk = AnnealWork(system, seed, start)
        if any(walk.take(turn) for turn in range(ALONE)):
            return proven(board, walk.code, walk.name).code
        done = decided(Either(lambda: Later(walk), *solvers))
    except SizeError:
        done = decided(Either(*solvers))
    return proven(board, done.code, done.name).code


class Later:
    """A walk whose first turns are over."""

    name = AnnealWork.name

    def __init__(self, walk: AnnealWork) -> None:
        """The turns go on after those that it took alone."""
        self.walk = walk
        self.code: Code | None = None

    def take(self, turn: int) -> bool:
        """A longer turn."""
        is_done = self.walk.take(ALONE + turn)
        self.code = self.walk.code
        return is_done

    def close(self) -> None:
        """Nothing is held outside Python."""
