"""Black pegs of two colors: guesses are looked at peg by peg (_core/separation/columns.hpp)."""

from collections.abc import Callable
from itertools import count
from math import comb

from mmsat._core import Columns
from mmsat.arrays import np
from mmsat.errors import InternalError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.code_list import all_codes

MOST_PEGS = 14
EIGHT = 13
"""Pegs for which eight guesses are enough; beyond, nine are."""


def is_suited(game: Game) -> bool:
    """Whether a game has black scores only, and any code of two colors may be guessed."""
    return game.colors == 2 and game.size == 2**game.pegs and game.parts == ("black",)


class ByColumns:
    """Finds guesses that tell all codes apart, by complete search; there is no local search."""

    suffix = " by columns"
    """What is added to the name of its findings in a file."""

    def __init__(self, game: Game) -> None:
        """Count; raises SizeError for more pegs."""
        if game.pegs > MOST_PEGS:
            most = f"up to {MOST_PEGS} pegs of two colors with black scores"
            raise SizeError.of("sets of guesses", most, str(game))
        self.game = game
        self.kinds = game.size
        self.enough = min(game.pegs, 8 if game.pegs <= EIGHT else 9)
        """Guesses of which there is a set, which is found at once."""
        left = comb(game.pegs, game.pegs // 2)
        self.counting_bound = next(1 + more for more in count() if (game.pegs + 1) ** more >= left)
        """A guess leaves a class of so many codes; each later one parts it by its scores."""
        self.nodes = 0
        self._columns: Columns | None = None

    @property
    def done(self) -> float:
        """The share of the present search that is done."""
        return self._columns.done if self._columns else 0.0

    def find(
        self, size: int, _codes: int, _seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """So many guesses where they are known to be enough, without local search."""
        return self.complete(size, 0, lambda _: pause()) if size >= self.enough else None

    def complete(
        self, size: int, skipped: int, note: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """So many guesses, or None if there are none.

        The first beginnings are skipped; `note` is told now and then how many are done.
        """
        self._columns = columns = Columns(size)
        before = self.nodes

        def look() -> None:
            self.nodes = before + columns.nodes
            note(max(skipped, columns.beginnings))

        found = columns.find(self.game.pegs, skipped, look)
        self._columns = None
        look()
        if not found:
            return None
        guesses = 2 * np.array(found) >> np.arange(size)[:, np.newaxis] & 1
        scores = (all_codes(self.game)[:, np.newaxis] == guesses).sum(axis=2)
        if len(np.unique(scores, axis=0)) < self.game.size:
            message = f"guesses of columns {found} do not tell the codes of {self.game} apart"
            raise InternalError(message)
        return tuple(sorted(map(tuple, guesses.tolist())))
