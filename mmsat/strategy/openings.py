"""First guesses for games too large to look at all."""

from collections.abc import Iterator

from mmsat.game.game import Game
from mmsat.game.row import Code


def balanced_codes(game: Game) -> Iterator[Code]:
    """The codes AA..BB..CC.. of 1, 2, ... colors, each on as many pegs as the others, or one more.

    Only those that are codes of the game: where no color repeats there is one, and among words
    there may be none.
    """
    for colors in range(1, min(game.pegs, game.colors) + 1):
        guess = tuple(peg * colors // game.pegs for peg in range(game.pegs))
        if game.contains(guess):
            yield guess


def paired_code(game: Game) -> Code | None:
    """The balanced code with two pegs a color, or with the nearest number of colors."""
    wanted = (game.pegs + 1) // 2
    return min(balanced_codes(game), key=lambda code: abs(max(code) + 1 - wanted), default=None)
