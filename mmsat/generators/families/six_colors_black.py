"""Six colors and black only, random guesses."""

from __future__ import annotations

from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.generators.families.six_colors import SixColors


class SixColorsBlack(SixColors):
    """N pegs, 6 colors, 5/4 N rows: a row tells less than with white, some 2.2 bits."""

    name = "six-colors-black"
    summary = "six colors, black only, random guesses at the peak, 5 rows for 4 pegs"
    size = 12

    def game(self, size: int) -> Game:
        """Six colors, black only."""
        return Game(size, 6, scoring=SCORINGS["black"])

    def usual_rows(self, size: int) -> int:
        """5/4 N, rounded up."""
        return -(-5 * size // 4)
