"""The codes nearest to a board, by brute force: those that break the fewest rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat._core import Status as Step
from mmsat.constraints.system import System
from mmsat.solving.brute import SLICE, pace, search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat._core import Search
    from mmsat.board import Board
    from mmsat.game.row import Code, Score

    Repair = tuple[tuple[int, Score], ...]

NODES = 10_000_000
"""What is searched (less with many rows) before another method is asked: about a second ..."""
CODES = 200_000
"""... and how many codes are looked at."""
ARRAY = 1000
"""Codes from which they are scored all at once."""


def nearest_repairs(board: Board) -> dict[Repair, int] | None:
    """The cheapest repairs, each with the number of codes that it would leave.

    A repair is (row, its score) for each row that a nearest code breaks. None when the board is too
    large to be searched.
    """
    system = System.of(board)
    budget = Budget(pace(system))
    slack = len(board.rows)
    walk = search(system, slack)
    for _ in budget.codes(walk):
        slack = walk.broken
        if slack == 0:
            break
        walk.set_slack(slack - 1)  # from here on only nearer codes are of interest
    found: dict[Repair, int] = {}
    if not budget.spent:
        for code in budget.codes(search(system, slack)):
            repair = repair_by(board, code)
            found[repair] = found.get(repair, 0) + 1
    return None if budget.spent else found


def repair_by(board: Board, code: Code) -> Repair:
    """The rows (from 0) that a code breaks, with the scores that it would get there."""
    return tuple((row, scored(board, row, code)) for row in board.missed(code))


def scored(board: Board, row: int, code: Code) -> Score:
    """The score that a row would get from a code, unread where the row's is unread."""
    guess, score = board.rows[row]
    true = board.game.score(code, guess)
    return tuple(None if read is None else part for read, part in zip(score, true, strict=True))


def all_scored(board: Board, row: int, codes: Sequence[Code]) -> list[Score]:
    """The same for many codes."""
    if len(codes) < ARRAY:
        return [scored(board, row, code) for code in codes]
    import numpy as np  # noqa: PLC0415  (slow to load)

    guess, score = board.rows[row]
    found = board.game.scoring.score_all(np.array(codes, dtype=np.uint16), guess).tolist()
    if None not in score:
        return [tuple(true) for true in found]
    read = [part is not None for part in score]
    return [
        tuple(part if is_read else None for part, is_read in zip(true, read, strict=True))
        for true in found
    ]


class Budget:
    """What brute force may cost."""

    def __init__(self, pace: int) -> None:
        """Nothing is spent yet; a slice has so many nodes."""
        self.pace = pace
        self.nodes = NODES
        self.left = CODES

    @property
    def spent(self) -> bool:
        """Whether a search ended early for it."""
        return self.nodes <= 0 or self.left <= 0

    def codes(self, walk: Search) -> Iterator[Code]:
        """The codes of a search, until it is over or the budget is."""
        while not self.spent:
            status = walk.advance(self.pace)
            if status is Step.EXHAUSTED:
                return
            if status is Step.CODE_FOUND:
                self.left -= 1
                yield walk.code
            else:
                self.nodes -= SLICE
