"""Model rotation on two colors: find neighbors of a code that violate another row than the code.

A code that violates just one row of a set shows that every conflict in the set needs that row. A
neighbor, with one peg flipped or two different pegs exchanged, may violate just one other row, and
so show the same of that row (Marques-Silva and Lynce 2011; Belov and Marques-Silva 2011). On sparse
boards this saves most queries.

All moves are scored together. Flipping peg p adds d_p, which is 1 or -1, to the black of a row. If
two pegs are exchanged, the weight of the code is the same, so the sum of black and white is too,
and each row requires one number of blacks. If a row is right, it stays right if d_p + d_q = 0. If
its black is too high (or too low) by two, it becomes right if both are -1 (or 1). These are
products of numbers by p and by q, so that the violated rows are counted, by p and q, by multiplying
matrices.
"""

from collections.abc import Collection
from typing import Any

from mmsat.arrays import np
from mmsat.board import Board
from mmsat.constraints.algebra.games import suits
from mmsat.game.row import Code

UNREAD = -1
MAX_EXAMINED_PAIRS = 4000
"""Maximum number of pairs of pegs that are examined further; many pairs show the same row."""
MAX_PEGS = 6000
"""Maximum number of pegs; with more, the pairs need too much memory."""


class ModelRotation:
    """The moves on a board of two colors; there are none on other boards."""

    def __init__(self, board: Board) -> None:
        """Create the arrays of guesses and scores."""
        self.is_applicable = suits(board) and board.game.space.has_repeats and bool(board.rows)
        if not self.is_applicable:
            return
        self.np: Any = np
        scoring = board.game.scoring.name
        stated = [[UNREAD if part is None else part for part in row.score] for row in board.rows]
        scores = np.array(stated, dtype=np.int32)
        all_unread = np.full(len(board.rows), UNREAD, dtype=np.int32)
        self.guesses = np.array([row.guess for row in board.rows], dtype=np.int8)
        self.black = all_unread if scoring == "color" else scores[:, 0]
        self.white = scores[:, 1] if scoring == "black-white" else all_unread
        self.common = scores[:, 0] if scoring == "color" else all_unread

    def find_critical_neighbors(self, code: Code, rows: Collection[int]) -> dict[int, Code]:
        """Return, by row, a neighbor of the code that violates only this one of `rows`, if any."""
        neighbors: dict[int, Code] = {}
        if self.is_applicable and rows and len(code) <= MAX_PEGS:
            row_array = self.np.array(sorted(rows), dtype=self.np.int64)
            for move, row in [*self._flips(code, row_array), *self._exchanges(code, row_array)]:
                neighbors.setdefault(row, flip(code, move))
        return neighbors

    def _common(self, weight: int, rows: Any) -> Any:
        """Return black plus white, by row, of a code with `weight` pegs of the second color."""
        ones = self.guesses[rows].sum(axis=1, dtype=self.np.int32)
        return self.guesses.shape[1] - abs(weight - ones)

    def _gains(self, code: Code, rows: Any) -> tuple[Any, Any]:
        """Return the black of each row, and its change by row and flipped peg."""
        np = self.np
        agree = self.guesses[rows] == np.array(code, dtype=np.int8)
        return agree.sum(axis=1, dtype=np.int32), 1 - 2 * agree.astype(np.int32)

    def _flips(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Return the pegs whose flip leaves a single violated row, each with that row."""
        np = self.np
        black, gains = self._gains(code, rows)
        blacks = black[:, None] + gains
        common_by_color = {color: self._common(sum(code) + 1 - 2 * color, rows) for color in (0, 1)}
        shared = np.stack([common_by_color[color] for color in code], axis=1)
        missed = self._violates(self.black, rows, blacks)
        missed |= self._violates(self.white, rows, shared - blacks)
        missed |= self._violates(self.common, rows, shared)
        pegs = np.flatnonzero(missed.sum(axis=0) == 1)
        violated_rows = rows[missed[:, pegs].argmax(axis=0)]
        return [
            ((peg,), row) for peg, row in zip(pegs.tolist(), violated_rows.tolist(), strict=True)
        ]

    @staticmethod
    def _violates(read: Any, rows: Any, actual: Any) -> Any:
        stated = read[rows][:, None]
        return (stated != UNREAD) & (stated != actual)

    def _exchanges(self, code: Code, rows: Any) -> list[tuple[tuple[int, ...], int]]:
        """Return the pairs of pegs whose exchange leaves a single violated row, each with that row.

        Rows that can be right after an exchange are grouped by `over`, the excess of their black:
        0, 2 or -2. Violated rows are counted per group. Rows of any other excess are violated by
        all exchanges.
        """
        np = self.np
        black, gains = self._gains(code, rows)
        shared = self._common(sum(code), rows)
        stated_black, white, common = self.black[rows], self.white[rows], self.common[rows]
        required_black = np.where(stated_black != UNREAD, stated_black, shared - white)
        requires_black = (stated_black != UNREAD) | (white != UNREAD)
        always_violated = (common != UNREAD) & (common != shared)
        always_violated |= (
            (stated_black != UNREAD) & (white != UNREAD) & (stated_black + white != shared)
        )
        over = black - required_black
        first, second = np.flatnonzero(np.array(code) == 1), np.flatnonzero(np.array(code) == 0)
        satisfied_gains = gains[requires_black & ~always_violated & (over == 0)].astype(np.float32)
        missed = (
            len(satisfied_gains) + satisfied_gains[:, first].T @ satisfied_gains[:, second]
        ) / 2
        for sign in (1, -1):
            off_gains = gains[requires_black & ~always_violated & (over == -2 * sign)]
            is_fixing = (off_gains == sign).astype(np.float32)
            missed += len(is_fixing) - is_fixing[:, first].T @ is_fixing[:, second]
        missed += int((always_violated | (requires_black & ~np.isin(over, (0, 2, -2)))).sum())
        ones, others = np.nonzero(missed == 1)
        step = 1 + len(ones) // MAX_EXAMINED_PAIRS
        ones, others = ones[::step], others[::step]
        pairs = first[ones], second[others]
        over_after = over[:, None] + gains[:, pairs[0]] + gains[:, pairs[1]]
        violated_rows = rows[
            (always_violated[:, None] | (requires_black[:, None] & (over_after != 0))).argmax(
                axis=0
            )
        ]
        moves = zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)
        return list(zip(moves, violated_rows.tolist(), strict=True))


def flip(code: Code, pegs: tuple[int, ...]) -> Code:
    """Return the code with the other color at some pegs."""
    return tuple(1 - color if peg in pegs else color for peg, color in enumerate(code))
