"""Static sets for any game: guesses that distinguish all codes, from a table of all scores."""

from collections.abc import Callable
from functools import partial
from itertools import count

from mmsat._core import Orbits
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.static.score_table import ScoreTable
from mmsat.strategy.static.symmetries import find_orbits

MAX_RENAMED_CELLS = 200_000_000
"""Maximum number of renamed cells in the search for longer sets that are equivalent."""


class ByGuesses:
    """Finds guesses that distinguish all codes, by local search and by complete search."""

    suffix = ""
    """Suffix of the names of its stages in a checkpoint file."""

    def __init__(self, game: Game) -> None:
        """Score all pairs of codes, and compute the counting bound.

        Raises SizeError if the game is too large.
        """
        self.table = ScoreTable(game)
        self.separation = self.table.separation
        self.kinds = len(self.table.kinds)
        self.enough = self.kinds - 1
        """A number of guesses for which a set exists, as each of them can split off another kind of
        code."""
        self.counting_bound = count_guesses(self.table)
        self._begun: tuple[int, int] | None = None
        """The number of prefixes that are done, and the number of all prefixes."""

    @property
    def nodes(self) -> int:
        """Number of sets that complete searches have processed."""
        return self.separation.nodes

    @property
    def done(self) -> float:
        """The fraction of the present complete search that is done."""
        if self._begun is None:
            return 0.0
        done_prefixes, all_prefixes = self._begun
        return (done_prefixes + self.separation.done) / all_prefixes

    def find(
        self, size: int, codes: int, seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses found by a local search that scores about `codes` codes.

        Returns None if the search fails.
        """
        return self._spell(self.separation.anneal(size, codes // self.kinds, seed, pause))

    def complete(
        self, size: int, skipped: int, note: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """Return at most `size` guesses that distinguish all codes, or None if impossible.

        Skips the first `skipped` prefixes. `note` is called now and then with the number of
        prefixes done.
        """
        orbits = find_orbits(self.table)
        prefixes = find_prefixes(orbits, size, lambda: note(skipped))
        kinds = orbits.kinds
        following = [
            [guess for guess, guess_kind in enumerate(kinds) if guess_kind >= kind]
            for kind in range(max(kinds) + 1)
        ]
        for number, prefix in enumerate(prefixes[skipped:], skipped):
            self._begun = number, len(prefixes)
            note(number)
            last_kind = kinds[prefix[-1]] if prefix else 0
            missing = size - len(prefix)
            guess_numbers = self.separation.complete(
                prefix, missing, following[last_kind], partial(note, number)
            )
            if guess_numbers:
                return self._spell(guess_numbers)
        self._begun = None
        note(len(prefixes))
        return None

    def _spell(self, guesses: list[int]) -> tuple[Code, ...] | None:
        """Return the guesses if they distinguish all codes, else None."""
        return None if self.separation.together(guesses) else self.table.spell(guesses)


def count_guesses(table: ScoreTable) -> int:
    """Return the counting bound: no set of guesses that distinguishes all codes is smaller.

    The first guess leaves a class that is at least as large as the smallest of the largest classes
    of all guesses. Each later guess splits a class into at most as many parts as it has different
    scores.
    """
    separation, kinds = table.separation, len(table.kinds)
    if kinds == 1:
        return 0
    classes = (separation.together([guess]) for guess in range(len(table.guesses)))
    class_size = min(len(largest_first[0]) if largest_first else 1 for largest_first in classes)
    return next(1 + later for later in count() if max(separation.parts) ** later >= class_size)


def find_prefixes(orbits: Orbits, size: int, pause: Callable[[], None]) -> list[list[int]]:
    """Return sets such that any set of `size` guesses begins with one of them, up to symmetry.

    The guesses of a set are in the order of their kinds. Prefixes are two guesses short of the
    size, or more if longer ones would take long to find.
    """
    prefixes: list[list[int]] = [[]]
    guesses = len(orbits.kinds)
    if max(orbits.kinds) + 1 == guesses:  # no two guesses are equivalent
        return prefixes
    for length in range(1, size - 1):
        if len(prefixes) * guesses * length * orbits.columns * orbits.renamings > MAX_RENAMED_CELLS:
            break
        prefixes = orbits.extend(prefixes, pause)
    return prefixes
