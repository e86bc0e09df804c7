"""Any game: sets of guesses that tell all codes apart, by the table of all scores."""

from collections.abc import Callable
from functools import partial
from itertools import count

from mmsat._core import Orbits
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.static.score_table import ScoreTable
from mmsat.strategy.static.symmetries import find_orbits

MOST_RENAMED = 200_000_000
"""Cells that are renamed at most to find which longer sets are alike."""


class ByGuesses:
    """Finds guesses that tell all codes apart, by local search and by complete search."""

    suffix = ""
    """What is added to the name of its findings in a file."""

    def __init__(self, game: Game) -> None:
        """Score all pairs of codes, and count; raises SizeError for a larger game."""
        self.table = ScoreTable(game)
        self.separation = self.table.separation
        self.kinds = len(self.table.kinds)
        self.enough = self.kinds - 1
        """Guesses of which there is a set, as each tells more apart."""
        self.counting_bound = count_guesses(self.table)
        self._begun: tuple[int, int] | None = None
        """The prefixes that are done, and all of them."""

    @property
    def nodes(self) -> int:
        """Sets that complete searches have looked at."""
        return self.separation.nodes

    @property
    def done(self) -> float:
        """The share of the present complete search that is done."""
        if self._begun is None:
            return 0.0
        number, many = self._begun
        return (number + self.separation.done) / many

    def find(
        self, size: int, codes: int, seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """So many guesses, by local search in which so many codes are scored; None if not found."""
        return self._spell(self.separation.anneal(size, codes // self.kinds, seed, pause))

    def complete(
        self, size: int, skipped: int, note: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """So many guesses, or None if there are none.

        The first prefixes are skipped; `note` is told now and then how many are done.
        """
        orbits = find_orbits(self.table)
        prefixes = find_prefixes(orbits, size, lambda: note(skipped))
        kinds = orbits.kinds
        following = [
            [guess for guess, other in enumerate(kinds) if other >= kind]
            for kind in range(max(kinds) + 1)
        ]
        for number, prefix in enumerate(prefixes[skipped:], skipped):
            self._begun = number, len(prefixes)
            note(number)
            least = kinds[prefix[-1]] if prefix else 0
            more = size - len(prefix)
            found = self.separation.complete(prefix, more, following[least], partial(note, number))
            if found:
                return self._spell(found)
        self._begun = None
        note(len(prefixes))
        return None

    def _spell(self, guesses: list[int]) -> tuple[Code, ...] | None:
        """The guesses if they tell all codes apart."""
        return None if self.separation.together(guesses) else self.table.spell(guesses)


def count_guesses(table: ScoreTable) -> int:
    """The bound that counting gives: no set has fewer guesses.

    Any first guess leaves a class, at least as large as the smallest of all largest ones; a later
    guess makes at most as many of each as it gets different scores.
    """
    separation, kinds = table.separation, len(table.kinds)
    if kinds == 1:
        return 0
    classes = (separation.together([guess]) for guess in range(len(table.guesses)))
    left = min(len(found[0]) if found else 1 for found in classes)
    return next(1 + more for more in count() if max(separation.parts) ** more >= left)


def find_prefixes(orbits: Orbits, size: int, pause: Callable[[], None]) -> list[list[int]]:
    """Sets of guesses that any set of a size begins with, up to symmetry, if put in order of kinds.

    They are two guesses short, or more where longer ones would take long to find.
    """
    prefixes: list[list[int]] = [[]]
    guesses = len(orbits.kinds)
    if max(orbits.kinds) + 1 == guesses:  # no two are alike
        return prefixes
    for length in range(1, size - 1):
        if len(prefixes) * guesses * length * orbits.columns * orbits.renamings > MOST_RENAMED:
            break
        prefixes = orbits.extend(prefixes, pause)
    return prefixes
