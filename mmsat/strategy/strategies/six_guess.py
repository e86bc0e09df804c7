"""The six-guess algorithm for four pegs and six colors: three fixed guesses, then a list.

After three guesses, the remaining codes are sorted by the number of duplicates (abcd none, aabc
one, aabb and aaab two, aaaa three), then alphabetically. Then the first code of the list is guessed
each time. For thirteen lists, the fourth guess is a different one.
"""

from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.state import State
from mmsat.strategy.strategy import Strategy

FIRST_GUESSES = ("abcd", "bcde", "cdef")
"""The first three guesses."""
EXCEPTIONS = {
    "acfb": "dcad",
    "aebf": "edfd",
    "aefb": "eacc",
    "afbe": "bfcd",
    "bafe": "eadc",
    "beaf": "edae",
    "befa": "eeda",
    "eabf": "fdfb",
    "aadb": "babd",
    "abae": "bbcc",
    "aeaf": "cffd",
    "cafa": "fdfa",
    "aaee": "dddf",
}
"""The fourth guess by the first code of the list, if it is not that code itself."""


class SixGuess(Strategy):
    """Simple enough to be played from memory; never needs more than six guesses."""

    name = "six-guess"
    summary = "three fixed guesses, then a list with thirteen exceptions; four pegs, six colors"
    source = "the encyclopedia's article on Mastermind, unattributed"

    def choose(self, state: State) -> Code:
        turn = len(state.rows)
        if turn < len(FIRST_GUESSES) and not self.consistent_only:
            return colors(FIRST_GUESSES[turn])
        first = min(map(tuple, state.codes.tolist()), key=by_duplicates)
        if turn == len(FIRST_GUESSES) and not self.consistent_only:
            for code, guess in EXCEPTIONS.items():
                if first == colors(code):
                    return colors(guess)
        return first

    def check(self, game: Game) -> None:
        """Raise InputError for any other game."""
        is_known = (game.pegs, game.colors, game.space.name) == (4, 6, "repeats")
        if not is_known or game.scoring.name != "black-white":
            raise InputError.of(
                "the game", "4x6", str(game), "the six-guess algorithm supports no other game"
            )
        super().check(game)


def colors(letters: str) -> Code:
    """Return the colors of a guess written in letters."""
    return tuple(ord(letter) - ord("a") for letter in letters)


def by_duplicates(code: Code) -> tuple[int, Code]:
    """Return the sort key of the list: the number of pegs that repeat a color, then the code."""
    return len(code) - len(set(code)), code
