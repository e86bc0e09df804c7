"""Hard mode: each guess must use the information of all earlier scores.

If scores mark each letter as in place, elsewhere or absent, this is the rule of the daily word
game, "any revealed hints must be used in subsequent guesses". A letter marked as in place must keep
its place. A guess must have each letter at least as often as one row marked it in place or
elsewhere. An absent letter may be guessed again, and a letter marked as elsewhere may keep its
place. In all other games, a guess must be a code that is consistent with all scores so far. Unread
pegs and scores impose no condition.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from mmsat._util.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row
from mmsat.game.scoring.kinds import ABSENT, IN_PLACE
from mmsat.game.unread import agrees_all


def has_hints(game: Game) -> bool:
    """Return whether the scores of this game mark letters, so that hard mode uses these hints."""
    return game.scoring.name == "places"


def uses_row(game: Game, guesses: Array, row: Row) -> Array:
    """Return for each guess whether it uses the information of a row, as an array of booleans."""
    if not has_hints(game):
        return agrees_all(game, guesses, row)
    is_used = np.ones(len(guesses), dtype=bool)
    min_counts: Counter[int] = Counter()
    for peg, (color, mark) in enumerate(zip(*row, strict=True)):
        if color == UNREAD or mark is None or mark == ABSENT:
            continue
        min_counts[color] += 1
        if mark == IN_PLACE:
            is_used &= guesses[:, peg] == color
    for color, min_count in min_counts.items():
        is_used &= (guesses == color).sum(axis=1) >= min_count
    return is_used


def find_breach(game: Game, rows: Iterable[Row], guess: Sequence[int]) -> int | None:
    """Return the index of the first row whose information a guess does not use, or None.

    Colors are numbered from 0. None means that hard mode allows the guess after these rows.
    """
    candidate = np.array([guess], dtype=np.int64)
    return next(
        (row_index for row_index, row in enumerate(rows) if not uses_row(game, candidate, row)[0]),
        None,
    )


def list_allowed(game: Game, rows: Iterable[Row], guesses: Array) -> Array:
    """Return the guesses that hard mode allows after some rows; shape (guesses, pegs)."""
    for row in rows:
        guesses = guesses[uses_row(game, guesses, row)]
    return guesses
