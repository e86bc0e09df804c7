"""Hard mode: each guess has to use what the scores before it told.

Where each letter is marked as in place, elsewhere or absent, this is the rule of the daily word
game, "any revealed hints must be used in subsequent guesses": letters in place stay there, and
letters marked at all are in the guess as often as they were marked. What is absent may be guessed
again, and so may be a letter where it was elsewhere. In all other games a guess has to get the
scores so far, were it the code. What was not read binds nobody.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from mmsat.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row
from mmsat.game.scoring.places import ABSENT, IN_PLACE
from mmsat.game.unread import agrees_all


def has_hints(game: Game) -> bool:
    """Whether hard mode goes by letters in place and elsewhere."""
    return game.scoring.name == "places"


def use_row(game: Game, guesses: Array, row: Row) -> Array:
    """Which of many guesses use what a row told: an array of booleans; see the module."""
    if not has_hints(game):
        return agrees_all(game, guesses, row)
    used = np.ones(len(guesses), dtype=bool)
    marked: Counter[int] = Counter()
    for place, (color, mark) in enumerate(zip(*row, strict=True)):
        if color == UNREAD or mark is None or mark == ABSENT:
            continue
        marked[color] += 1
        if mark == IN_PLACE:
            used &= guesses[:, place] == color
    for color, many in marked.items():
        used &= (guesses == color).sum(axis=1) >= many
    return used


def find_breach(game: Game, rows: Iterable[Row], guess: Sequence[int]) -> int | None:
    """The first of some rows, from 0, that a guess after them does not use; None if it is allowed.

    Colors count from 0.
    """
    asked = np.array([guess], dtype=np.int64)
    return next((n for n, row in enumerate(rows) if not use_row(game, asked, row)[0]), None)


def list_allowed(game: Game, rows: Iterable[Row], guesses: Array) -> Array:
    """Those of many guesses, shape (guesses, pegs), that are allowed after some rows."""
    for row in rows:
        guesses = guesses[use_row(game, guesses, row)]
    return guesses
