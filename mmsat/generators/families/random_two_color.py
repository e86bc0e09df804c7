"""Two colors, the weight told, random guesses: group testing, or coins and a scale.

With alpha N / log2 N rows for N pegs the boards are easy for small alpha, as there are many codes,
and easy again for large alpha, as each row leaves little to find. The peak lies about alpha = 2,
where the rows tell just as much as the code holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.game.game import Game
from mmsat.generators.random_boards import RandomBoards, balanced_code

if TYPE_CHECKING:
    import random

    from mmsat.game.row import Code

ALPHA = 2


class RandomTwoColor(RandomBoards):
    """N pegs, 2 colors, a row that tells the weight, and about 2 N / log2 N random rows."""

    name = "random-two-color"
    summary = "two colors, half of the pegs each, random guesses at the peak of hardness"
    size = 40
    step = 2  # black has the parity of the guess at a known weight, and a slip keeps it
    smallest = 2

    def game(self, size: int) -> Game:
        """Two colors."""
        return Game(size, 2)

    def usual_rows(self, size: int) -> int:
        """2 N / log2 N, rounded up, by whole numbers alone: 2^rows is at least N^(2N / log2 N)."""
        return whole_ratio(ALPHA * size, size)

    def first(self, game: Game) -> tuple[Code, ...]:
        """The row that tells how many pegs have the second color."""
        return ((0,) * game.pegs,)

    def secret(self, game: Game, rng: random.Random) -> Code:
        """Half of the pegs have the second color."""
        return balanced_code(game, rng)


def whole_ratio(numerator: int, power: int) -> int:
    """The least whole r of which r log2(power) is at least `numerator`."""
    rows = numerator // max(1, power.bit_length())
    while power**rows < 1 << numerator:
        rows += 1
    return rows
