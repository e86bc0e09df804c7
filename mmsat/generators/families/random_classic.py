"""Random guesses in a game of as many colors as pegs."""

from __future__ import annotations

from mmsat.game.game import Game
from mmsat.generators.random_boards import RandomBoards


class RandomClassic(RandomBoards):
    """N pegs, N colors, N - 1 rows: what a player of large boards meets."""

    name = "random-classic"
    summary = "random guesses, as many colors as pegs, and one row less"
    size = 20

    def game(self, size: int) -> Game:
        """As many colors as pegs; up to a thousand."""
        return Game(size, size)

    def usual_rows(self, size: int) -> int:
        """One less than there are pegs."""
        return size - 1
