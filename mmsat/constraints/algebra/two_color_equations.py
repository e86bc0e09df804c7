"""A two-color board as linear equations over 0-1 variables, one for each peg.

Let x_p be 1 if peg p of the code has the second color, and 0 otherwise. Let S be the set of pegs at
which a guess has the second color; s_p is 1 on S and -1 elsewhere. Let N be the number of pegs,
K = sum x_p the weight of the code, and t the sum of x_p over S. Then

    black          = t + (N - |S|) - (K - t)          so   sum s_p x_p = black - N + |S|
    black + white  = min(K, |S|) + min(N - K, N - |S|) = N - |K - |S||
    white          = 2 min(K, |S|) - 2t               so   sum s_p x_p = 2t - K, if K is known

So black is linear for any weight. Black and white together, or a score of colors, leave at most two
weights. White alone is linear if the weight is given. If the weight matters, there is one system
for each weight that no single row rules out, and its first equation is "sum x_p = K". Each code of
the board satisfies exactly one of the systems, and each solution of a system is a code of the
board.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mmsat.board import Board
from mmsat.constraints.algebra.games import check
from mmsat.game.game import Game

INT64_SUM_LIMIT = 1 << 62
"""The limit of sums that are computed with 64-bit integers; it leaves one bit to spare."""


@dataclass(frozen=True, slots=True, eq=False)
class TwoColorEquations:
    """Equations `signs @ x = totals` over 0-1 variables x, one for each peg.

    Each row of `signs` has 1 and -1 by peg. `sources` has the row of the board that each equation
    was read from, or None for the equation of the weight.
    """

    signs: np.ndarray
    totals: np.ndarray
    sources: tuple[int | None, ...]
    weight: int | None
    """The number of pegs of the second color that is assumed; None if it does not matter."""

    @property
    def pegs(self) -> int:
        """The number of pegs."""
        return int(self.signs.shape[1])

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[list[int], int]:
        """Return the coefficients by peg and the total of a linear combination, exactly."""
        kind = np.int64 if sum(map(abs, multipliers.values())) < INT64_SUM_LIMIT else object
        left = np.zeros(self.pegs, dtype=kind)
        total = 0
        for index, number in multipliers.items():
            left += self.signs[index].astype(kind) * number
            total += int(self.totals[index]) * number
        return left.tolist(), total

    def rows_of(self, index: int) -> tuple[int, ...]:
        """Return the row that an equation was read from; empty for the equation of the weight."""
        row = self.sources[index]
        return () if row is None else (row,)


class Scored(NamedTuple):
    """The score of a row by its parts; None for an unread part."""

    row: int
    ones: int
    """The number of pegs of the guess with the second color."""
    black: int | None
    white: int | None
    common: int | None
    """The sum of black and white."""


def weights(board: Board) -> list[int] | list[None]:
    """Return the weights that no single row rules out, or [None] if the weight does not matter.

    There is one system for each of them. The list is empty if the scores are contradictory. Raises
    InputError if the board is not a set of linear equations.
    """
    check(board)
    scores = list(_scores(board))
    return _weights(board.game, scores)


def read_equations(board: Board) -> Iterator[TwoColorEquations]:
    """Yield the systems of a board, one per weight.

    Raises InputError if the board is not a set of linear equations.
    """
    check(board)
    scores = list(_scores(board))
    signs = np.zeros((len(board.rows), board.game.pegs), dtype=np.int8)
    for number, row in enumerate(board.rows):
        signs[number] = np.frombuffer(bytes(row.guess), dtype=np.int8)
    signs *= 2
    signs -= 1
    for weight in _weights(board.game, scores):
        yield _equations(signs, scores, weight)


def _scores(board: Board) -> Iterator[Scored]:
    """Yield the scores of the rows by their parts."""
    kind = board.game.scoring.name
    for row, (guess, score) in enumerate(board.rows):
        black, white = score if kind == "black-white" else (score[0], None)
        common = None if black is None or white is None else black + white
        if kind == "color":
            black, common = None, score[0]
        yield Scored(row, sum(guess), black, white, common)


def _weights(game: Game, scores: list[Scored]) -> list[int] | list[None]:
    """Return the weights that no single row rules out, or [None] if the weight does not matter."""
    pegs = game.pegs
    weights = np.arange(pegs + 1)
    is_relevant = False
    if not game.space.has_repeats and pegs > 1:
        weights, is_relevant = weights[weights == 1], True
    for score in scores:
        if score.common is not None:
            weights = weights[abs(weights - score.ones) == pegs - score.common]
            is_relevant = True
        elif score.white is not None:
            is_relevant = True
    if not is_relevant:
        return [None]
    for score in scores:
        if score.black is not None:
            twice_overlap = score.black - pegs + score.ones + weights
        elif score.white is not None:
            twice_overlap = 2 * np.minimum(weights, score.ones) - score.white
        else:
            continue
        minimum = 2 * np.maximum(0, weights + score.ones - pegs)
        maximum = 2 * np.minimum(weights, score.ones)
        weights = weights[
            (twice_overlap % 2 == 0) & (minimum <= twice_overlap) & (twice_overlap <= maximum)
        ]
    possible_weights: list[int] = weights.tolist()
    return possible_weights


def _equations(signs: np.ndarray, scores: list[Scored], weight: int | None) -> TwoColorEquations:
    """Return the equations for a weight; rows that give no equation for it are omitted."""
    pegs = signs.shape[1]
    rows: list[int] = []
    totals = [] if weight is None else [weight]
    for score in scores:
        if score.black is not None:
            totals.append(score.black - pegs + score.ones)
        elif score.white is not None and weight is not None:
            totals.append(2 * min(weight, score.ones) - score.white - weight)
        else:
            continue
        rows.append(score.row)
    row_signs = signs[rows]
    if weight is None:
        return TwoColorEquations(row_signs, np.array(totals, dtype=np.int64), tuple(rows), None)
    ones = np.ones((1, pegs), dtype=np.int8)
    return TwoColorEquations(
        np.concatenate([ones, row_signs]), np.array(totals, dtype=np.int64), (None, *rows), weight
    )
