"""Six colors, black and white, random guesses: the classic game grown large.

The peak of hardness lies about 3 rows for every 4 pegs, where the rows tell as much as the code
holds: 2.6 bits a peg, some 3.4 bits a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.game.game import Game
from mmsat.generators.random_boards import RandomBoards, balanced_code

if TYPE_CHECKING:
    import random

    from mmsat.game.row import Code


class SixColors(RandomBoards):
    """N pegs, 6 colors, 3/4 N rows."""

    name = "six-colors"
    summary = "six colors, random guesses at the peak of hardness, 3 rows for 4 pegs"
    size = 16

    def game(self, size: int) -> Game:
        """Six colors."""
        return Game(size, 6)

    def usual_rows(self, size: int) -> int:
        """3/4 N, rounded up."""
        return -(-3 * size // 4)

    def secret(self, game: Game, rng: random.Random) -> Code:
        """Each color as often as the others."""
        return balanced_code(game, rng)
