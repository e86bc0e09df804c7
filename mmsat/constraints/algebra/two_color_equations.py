"""A board of two colors as linear equations over pegs that are 0 or 1.

Let x_p be 1 where peg p of the code has the second color. A guess is 1 on the pegs of a set S and 0
elsewhere; s_p is 1 on S and -1 elsewhere. Let N be the pegs, K = sum x_p the weight of the code,
and t = sum of x_p over S. Then

    black          = t + (N - |S|) - (K - t)          so   sum s_p x_p = black - N + |S|
    black + white  = min(K, |S|) + min(N - K, N - |S|) = N - |K - |S||
    white          = 2 min(K, |S|) - 2t               so   sum s_p x_p = 2t - K, if K is known

So black is linear whatever the weight; black and white together, or a score of colors, leave two
weights at most; and white alone is linear once the weight is known. Where the weight matters, it is
guessed: each weight that no row rules out on its own makes one system, whose first equation says
"sum x_p = K". The codes of the board are those of the systems together, each in one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mmsat.board import Board
from mmsat.constraints.algebra.games import check
from mmsat.game.game import Game

FITS = 1 << 62
"""What whole numbers of 64 bits hold with a bit to spare."""


@dataclass(frozen=True, slots=True, eq=False)
class TwoColorEquations:
    """For each row of `signs`, 1 and -1 by peg: the signed pegs add up to its number of `totals`.

    `sources` has the row of the board that says so, None for the weight.
    """

    signs: np.ndarray
    totals: np.ndarray
    sources: tuple[int | None, ...]
    weight: int | None
    """The number of pegs of the second color, where it was guessed."""

    @property
    def pegs(self) -> int:
        """The number of pegs."""
        return int(self.signs.shape[1])

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[list[int], int]:
        """The left side, by peg, and the total of a linear combination, without rounding."""
        kind = np.int64 if sum(map(abs, multipliers.values())) < FITS else object
        left = np.zeros(self.pegs, dtype=kind)
        total = 0
        for index, number in multipliers.items():
            left += self.signs[index].astype(kind) * number
            total += int(self.totals[index]) * number
        return left.tolist(), total

    def rows_of(self, index: int) -> tuple[int, ...]:
        """The row that an equation was read from, if it is one."""
        row = self.sources[index]
        return () if row is None else (row,)


class Scored(NamedTuple):
    """A row's score, with black and white told apart from what they add up to."""

    row: int
    ones: int
    """The pegs of the guess with the second color."""
    black: int | None
    white: int | None
    common: int | None
    """Black and white together."""


def weights(board: Board) -> list[int] | list[None]:
    """The weights that no row rules out on its own; only None where no equation asks for one.

    One system each, and none at all where the rows' totals contradict each other. Raises InputError
    where the game does not suit.
    """
    check(board)
    scores = list(_scores(board))
    return _weights(board.game, scores)


def read_equations(board: Board) -> Iterator[TwoColorEquations]:
    """The systems of a board, one a weight; raises InputError where the game does not suit."""
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
    """Each score by its parts."""
    kind = board.game.scoring.name
    for row, (guess, score) in enumerate(board.rows):
        black, white = score if kind == "black-white" else (score[0], None)
        common = None if black is None or white is None else black + white
        if kind == "color":
            black, common = None, score[0]
        yield Scored(row, sum(guess), black, white, common)


def _weights(game: Game, scores: list[Scored]) -> list[int] | list[None]:
    """The weights that no row rules out on its own; only None where no equation asks for one."""
    pegs = game.pegs
    weights = np.arange(pegs + 1)
    is_asked = False
    if not game.space.has_repeats and pegs > 1:
        weights, is_asked = weights[weights == 1], True
    for each in scores:
        if each.common is not None:
            weights = weights[abs(weights - each.ones) == pegs - each.common]
            is_asked = True
        elif each.white is not None:
            is_asked = True
    if not is_asked:
        return [None]
    for each in scores:
        if each.black is not None:
            twice_overlap = each.black - pegs + each.ones + weights
        elif each.white is not None:
            twice_overlap = 2 * np.minimum(weights, each.ones) - each.white
        else:
            continue
        least = 2 * np.maximum(0, weights + each.ones - pegs)
        most = 2 * np.minimum(weights, each.ones)
        weights = weights[
            (twice_overlap % 2 == 0) & (least <= twice_overlap) & (twice_overlap <= most)
        ]
    found: list[int] = weights.tolist()
    return found


def _equations(signs: np.ndarray, scores: list[Scored], weight: int | None) -> TwoColorEquations:
    """The equations of the rows that say something, given the weight."""
    pegs = signs.shape[1]
    rows: list[int] = []
    totals = [] if weight is None else [weight]
    for each in scores:
        if each.black is not None:
            totals.append(each.black - pegs + each.ones)
        elif each.white is not None and weight is not None:
            totals.append(2 * min(weight, each.ones) - each.white - weight)
        else:
            continue
        rows.append(each.row)
    said = signs[rows]
    if weight is None:
        return TwoColorEquations(said, np.array(totals, dtype=np.int64), tuple(rows), None)
    ones = np.ones((1, pegs), dtype=np.int8)
    return TwoColorEquations(
        np.concatenate([ones, said]), np.array(totals, dtype=np.int64), (None, *rows), weight
    )
