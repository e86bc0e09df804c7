"""Static sets for black pegs of two colors, searched peg by peg (_core/separation/columns.hpp)."""

from collections.abc import Callable
from itertools import count
from math import comb

from mmsat._core import Columns
from mmsat.arrays import np
from mmsat.errors import InternalError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.code_list import all_codes

MAX_PEGS = 14
"""Maximum number of pegs; the kernel supports no more columns."""
MAX_PEGS_OF_EIGHT = 13
"""Maximum number of pegs for which eight guesses are enough; nine are for 14 pegs."""


def is_suited(game: Game) -> bool:
    """Return whether a game has two colors and black scores only, and any code may be guessed."""
    return game.colors == 2 and game.size == 2**game.pegs and game.parts == ("black",)


class ByColumns:
    """Finds guesses that distinguish all codes, by complete search only."""

    suffix = " by columns"
    """Suffix of the names of its stages in a checkpoint file."""

    def __init__(self, game: Game) -> None:
        """Compute the counting bound; raise SizeError if the game has too many pegs."""
        if game.pegs > MAX_PEGS:
            limit = f"up to {MAX_PEGS} pegs of two colors with black scores"
            raise SizeError.of("sets of guesses", limit, str(game))
        self.game = game
        self.kinds = game.size
        self.enough = min(game.pegs, 8 if game.pegs <= MAX_PEGS_OF_EIGHT else 9)
        """A number of guesses for which a set is known to exist, and is found at once."""
        largest_class = comb(game.pegs, game.pegs // 2)
        self.counting_bound = next(
            1 + later for later in count() if (game.pegs + 1) ** later >= largest_class
        )
        """No set has fewer guesses. The first guess leaves a class of `largest_class` codes, and
        each later guess has only `pegs + 1` different scores."""
        self.nodes = 0
        self._columns: Columns | None = None

    @property
    def done(self) -> float:
        """The fraction of the present search that is done."""
        return self._columns.done if self._columns else 0.0

    def find(
        self, size: int, _codes: int, _seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses that distinguish all codes, if that many are known to be enough.

        Otherwise return None, as this method has no local search.
        """
        return self.complete(size, 0, lambda _: pause()) if size >= self.enough else None

    def complete(
        self, size: int, skipped: int, note: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses that distinguish all codes, or None if impossible.

        Skips the first `skipped` prefixes (sets of a few columns). `note` is called now and then
        with the number of prefixes done.
        """
        self._columns = columns = Columns(size)
        base_nodes = self.nodes

        def look() -> None:
            self.nodes = base_nodes + columns.nodes
            note(max(skipped, columns.beginnings))

        column_numbers = columns.find(self.game.pegs, skipped, look)
        self._columns = None
        look()
        if not column_numbers:
            return None
        # Bit r of a column is the color of its peg in guess r + 1; guess 0 has color 0 everywhere.
        guesses = 2 * np.array(column_numbers) >> np.arange(size)[:, np.newaxis] & 1
        scores = (all_codes(self.game)[:, np.newaxis] == guesses).sum(axis=2)
        if len(np.unique(scores, axis=0)) < self.game.size:
            message = (
                f"guesses of columns {column_numbers} do not distinguish the codes of {self.game}"
            )
            raise InternalError(message)
        return tuple(sorted(map(tuple, guesses.tolist())))
