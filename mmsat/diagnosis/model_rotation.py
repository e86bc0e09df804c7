"""Model rotation on two colors: from a code that misses one row to neighbors that miss another.

A code that misses just one row of a set shows that every conflict in the set needs that row. A
neighbor, with one peg turned or two different pegs exchanged, may miss just one other row, and so
show the same of that one (Marques-Silva and Lynce 2011; Belov and Marques-Silva 2011). On sparse
boards that saves most questions.

All moves are scored together. Turning peg p adds d_p, which is 1 or -1, to the black of a row. With
two pegs exchanged, K is the same, so what black and white add up to is too, and a row asks for one
number of blacks. Where a row is right, it stays so if d_p + d_q = 0; where it has two too many (or
too few), it becomes right if both are -1 (or 1). These are products of numbers by p and by q, so
that the rows missed, by p and q, are counted by multiplying matrices.
"""

from collections.abc import Collection
from typing import Any

from mmsat.arrays import np
from mmsat.board import Board
from mmsat.constraints.algebra.games import suits
from mmsat.game.row import Code

UNREAD = -1
LOOKS = 4000
"""Pairs of pegs that are looked at more closely, at most; many show the same."""
PEGS = 6000
"""Pegs above which pairs take too much memory."""


class ModelRotation:
    """The moves on a board; none where it is not one of two colors."""

    def __init__(self, board: Board) -> None:
        """Make the arrays."""
        self.are_known = suits(board) and board.game.space.has_repeats and bool(board.rows)
        if not self.are_known:
            return
        self.np: Any = np
        kind = board.game.scoring.name
        read = [[UNREAD if part is None else part for part in row.score] for row in board.rows]
        scores = np.array(read, dtype=np.int32)
        nothing = np.full(len(board.rows), UNREAD, dtype=np.int32)
        self.guesses = np.array([row.guess for row in board.rows], dtype=np.int8)
        self.black = nothing if kind == "color" else scores[:, 0]
        self.white = scores[:, 1] if kind == "black-white" else nothing
        self.common = scores[:, 0] if kind == "color" else nothing

    def missing_one(self, code: Code, rows: Collection[int]) -> dict[int, Code]:
        """The rows of which some neighbor misses just this one, each with such a neighbor."""
        found: dict[int, Code] = {}
        if self.are_known and rows and len(code) <= PEGS:
            chosen = self.np.array(sorted(rows), dtype=self.np.int64)
            for move, row in [*self._turns(code, chosen), *self._exchanges(code, chosen)]:
                found.setdefault(row, flip(code, move))
        return found

    def _common(self, weight: int, rows: Any) -> Any:
        """Black and white together, by row, for a code with so many pegs of the second color."""
        ones = self.guesses[rows].sum(axis=1, dtype=self.np.int32)
        return self.guesses.shape[1] - abs(weight - ones)

    def _gains(self, code: Code, rows: Any) -> tuple[Any, Any]:
        """The black of each row, and by row and peg what it gains if the peg is turned."""
        np = self.np
        agree = self.guesses[rows] == np.array(code, dtype=np.int8)
        return agree.sum(axis=1, dtype=np.int32), 1 - 2 * agree.astype(np.int32)

    def _turns(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Single pegs, each with the only row that is missed if it is turned."""
        np = self.np
        black, added = self._gains(code, rows)
        blacks = black[:, None] + added
        both = {color: self._common(sum(code) + 1 - 2 * color, rows) for color in (0, 1)}
        shared = np.stack([both[color] for color in code], axis=1)
        missed = self._misses(self.black, rows, blacks)
        missed |= self._misses(self.white, rows, shared - blacks)
        missed |= self._misses(self.common, rows, shared)
        pegs = np.flatnonzero(missed.sum(axis=0) == 1)
        only = rows[missed[:, pegs].argmax(axis=0)]
        return [((peg,), row) for peg, row in zip(pegs.tolist(), only.tolist(), strict=True)]

    @staticmethod
    def _misses(read: Any, rows: Any, true: Any) -> Any:
        wanted = read[rows][:, None]
        return (wanted != UNREAD) & (wanted != true)

    def _exchanges(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Pairs of pegs, each with the only row that is missed if they are exchanged."""
        np = self.np
        black, added = self._gains(code, rows)
        shared = self._common(sum(code), rows)
        read, white, common = self.black[rows], self.white[rows], self.common[rows]
        wanted = np.where(read != UNREAD, read, shared - white)
        asks = (read != UNREAD) | (white != UNREAD)
        never = (common != UNREAD) & (common != shared)
        never |= (read != UNREAD) & (white != UNREAD) & (read + white != shared)
        over = black - wanted
        first, second = np.flatnonzero(np.array(code) == 1), np.flatnonzero(np.array(code) == 0)
        right = added[asks & ~never & (over == 0)].astype(np.float32)
        missed = (len(right) + right[:, first].T @ right[:, second]) / 2
        for sign in (1, -1):
            turning = added[asks & ~never & (over == -2 * sign)]
            mended = (turning == sign).astype(np.float32)
            missed += len(mended) - mended[:, first].T @ mended[:, second]
        missed += int((never | (asks & ~np.isin(over, (0, 2, -2)))).sum())
        ones, others = np.nonzero(missed == 1)
        step = 1 + len(ones) // LOOKS
        ones, others = ones[::step], others[::step]
        pairs = first[ones], second[others]
        after = over[:, None] + added[:, pairs[0]] + added[:, pairs[1]]
        only = rows[(never[:, None] | (asks[:, None] & (after != 0))).argmax(axis=0)]
        moves = zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)
        return list(zip(moves, only.tolist(), strict=True))


def flip(code: Code, pegs: tuple[int, ...]) -> Code:
    """The code with the other color at some pegs."""
    return tuple(1 - color if peg in pegs else color for peg, color in enumerate(code))
