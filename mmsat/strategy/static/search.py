"""The search for the fewest guesses that tell all codes apart, and the proof that fewer do not."""

from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import NamedTuple

from mmsat._core import Columns, Orbits
from mmsat.arguments import check_arguments
from mmsat.arrays import np
from mmsat.files import StrPath
from mmsat.game.game import Game
from mmsat.registry import load
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.strategy.static.score_table import ScoreTable
from mmsat.strategy.static.static_set import StaticSet
from mmsat.strategy.static.symmetries import find_orbits

QUICK, THOROUGH = 400_000, 4_000_000
"""Codes that are scored from each start of local search: for a first set, for a smaller one."""
STARTS = 4
SEED = 1
MOST_RENAMED = 200_000_000
"""Cells that are renamed at most to find which longer sets are alike."""
SAVED = 20.0
"""Seconds between two checkpoints."""
CHECKPOINT = "mmsat.strategy.checkpoint:Checkpoint"
"""By name, as few searches are kept in a file."""


class Standing(NamedTuple):
    """How far a search is."""

    best: int | None
    """Guesses of the best set found."""
    bound: int
    """No set has fewer."""
    done: float
    """The share that is done of the search for a set of as many as the bound."""


@check_arguments
def static(
    game: Game | str,
    *,
    max_guesses: int | None = None,
    seed: int | None = None,
    checkpoint: StrPath | None = None,
    timeout: float | None = None,
    on_progress: Callable[[Standing], None] | None = None,
) -> StaticSet:
    """Find the fewest guesses, all made before any score is seen, that tell all codes apart.

    Guesses are codes of the game; a code that is then known is not guessed once more. Codes that
    no guess tells apart, as in games that score colors only, count as one. Sets are found by local
    search, and that there is none with fewer guesses is proven by complete search, up to symmetry.
    With black scores only it is the metric dimension of a Hamming graph; for a list of words it is
    the smallest test cover. 4x6 takes half a minute to prove; each guess more makes it a hundred
    times as long. The same request gives the same set, unless the time is up.

    - `game`: a game, or its size or name.
    - `max_guesses`: ask only whether so many guesses do: a set of no more, or the proof that there
      is none, in the bound. None for the fewest.
    - `seed`: of the local search, None for the usual one.
    - `checkpoint`: a file; the search goes on where an earlier one of the game ended.
    - `timeout`: seconds, None for no limit; then the best set so far comes back with its bound.
    - `on_progress`: called now and then with the standing of the search.

    Raises SizeError for games of more than 8,192 codes, and InputError with every fault of the
    request.
    """
    game = Game.of(game)
    search = Search(game, max_guesses=max_guesses, seed=seed, checkpoint=checkpoint)
    search.run(timeout, on_progress)
    return search.result


class Search:
    """One request; `result` tells at any time what is known."""

    def __init__(
        self,
        game: Game,
        *,
        max_guesses: int | None = None,
        seed: int | None = None,
        checkpoint: StrPath | None = None,
    ) -> None:
        """Score all pairs of codes, and read the checkpoint."""
        self.max_guesses = max_guesses
        self.seed = SEED if seed is None else seed
        self.clock = self.deadline = Deadline()
        self.saved = monotonic()
        self.on_progress: Callable[[Standing], None] = lambda _: None
        self.checkpoint = None
        if checkpoint is not None:
            request = {"game": str(game), "question": "static"}
            self.checkpoint = load(CHECKPOINT)(request, checkpoint)
        self.best: tuple[int, ...] | None = None
        self.bound = self.sets = 0
        self.begun: tuple[int, int] | None = None
        """The prefixes that are done, and all of them."""
        self.table = ScoreTable(game, self._look)
        self.separation = self.table.separation
        is_cube = game.colors == 2 and game.size == 2**game.pegs
        self.by_columns = is_cube and game.parts == ("black",)
        """Whether guesses are looked at peg by peg, which is quicker than local search, too."""
        self.bound = self.counting_bound = count_guesses(self.table)
        if self.bound == 0:
            self.best = ()

    def run(
        self,
        timeout: float | None = None,
        on_progress: Callable[[Standing], None] | None = None,
    ) -> None:
        """Go to the end, or until so many seconds are over."""
        self.on_progress = on_progress or self.on_progress
        self.deadline = Deadline(timeout)
        try:
            if self.max_guesses is not None:
                self._ask(self.max_guesses)
                return
            if self.best is None and not self.by_columns:
                self._anneal()
            while self.best is None or self.bound < len(self.best):
                self._complete(self.bound)
        except TimeUpError:
            return

    @property
    def result(self) -> StaticSet:
        """What is known."""
        return StaticSet(
            self.table.game,
            self.table.spell(self.best or ()),
            len(self.table.kinds),
            self.counting_bound,
            self.bound,
            self.clock.elapsed,
            self.sets,
            self.max_guesses,
        )

    def _look(self) -> None:
        """Tell how far the search is; raises TimeUpError when the time is up."""
        best = None if self.best is None else len(self.best)
        done = 0.0
        if self.begun is not None:
            number, many = self.begun
            done = (number + self.separation.done) / many
        self.on_progress(Standing(best, self.bound, done))
        if self.deadline.passed:
            raise TimeUpError

    def _ask(self, most: int) -> None:
        """Find a set of so many guesses, or prove that there is none."""
        if self.best is None and self.bound <= most:
            size = min(most, len(self.table.kinds) - 1)  # as each guess tells more apart
            if self.by_columns or not self._find(size, THOROUGH):
                self._complete(size)

    def _anneal(self) -> None:
        """Find a set by local search, and then smaller ones."""
        for size in count(self.bound):
            if self._find(size, QUICK):
                break
        while self.best is not None and len(self.best) > self.bound:
            if not self._find(len(self.best) - 1, THOROUGH):
                break

    def _find(self, size: int, codes: int) -> bool:
        """Find a set of a size, with some steps of local search; so many codes are scored."""
        steps = codes // len(self.table.kinds)
        return any(
            self._take(self.separation.anneal(size, steps, seed, self._look))
            for seed in range(self.seed, self.seed + STARTS)
        )

    def _take(self, guesses: list[int]) -> bool:
        """Keep a set if it tells all apart."""
        if self.separation.together(guesses):
            return False
        self.best = tuple(guesses)
        return True

    def _complete(self, size: int) -> None:
        """Search all sets of so many guesses: take one, or raise the bound."""
        (self._complete_columns if self.by_columns else self._complete_sets)(size)

    def _complete_columns(self, size: int) -> None:
        """The same for black pegs of two colors."""
        done, self.sets = self._recall(size)
        if not done:
            columns = Columns(size)
            found = columns.find(self.table.game.pegs, self._look)
            self.sets += columns.nodes
            if found:
                rows = 2 * np.array(found) >> np.arange(size)[:, np.newaxis] & 1
                self._take(self.table.numbers(rows))
                return
        self._save(size, 1)
        self.bound = size + 1

    def _complete_sets(self, size: int) -> None:
        """The same for any game."""
        orbits = find_orbits(self.table)
        prefixes = find_prefixes(orbits, size, self._look)
        kinds = orbits.kinds
        following = [
            [guess for guess, other in enumerate(kinds) if other >= kind]
            for kind in range(max(kinds) + 1)
        ]
        done, self.sets = self._recall(size)
        before = self.sets - self.separation.nodes
        for number, prefix in enumerate(prefixes[done:], done):
            self.begun = number, len(prefixes)
            if monotonic() >= self.saved + SAVED:
                self._save(size, number)
            least = kinds[prefix[-1]] if prefix else 0
            more = size - len(prefix)
            found = self.separation.complete(prefix, more, following[least], self._look)
            self.sets = before + self.separation.nodes
            if found:
                self._take(found)
                return
        self._save(size, len(prefixes))
        self.begun = None
        self.bound = size + 1

    def _recall(self, size: int) -> tuple[int, int]:
        """The prefixes of a size that are done, and the sets looked at."""
        if self.checkpoint is not None:
            for done, sets, *_ in self.checkpoint.findings(self._stage(size)):
                return done, sets
        return 0, self.sets

    def _stage(self, size: int) -> str:
        """What the search of a size is called in a file."""
        return f"{size} guesses" + " by columns" * self.by_columns

    def _save(self, size: int, done: int) -> None:
        """Keep how far the search is; what is found stands for a share that is done."""
        if self.checkpoint is not None:
            self.checkpoint.stages[self._stage(size)] = [(done, self.sets, size, True)]
            self.checkpoint.save()
        self.saved = monotonic()


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
