"""The search for the fewest guesses that tell all codes apart, and the proof that fewer do not."""

from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import NamedTuple

from mmsat.arguments import check_arguments
from mmsat.english import quantity
from mmsat.files import StrPath
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.registry import load
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.strategy.static.by_columns import ByColumns, is_suited
from mmsat.strategy.static.by_guesses import ByGuesses
from mmsat.strategy.static.static_set import StaticSet

QUICK, THOROUGH = 400_000, 4_000_000
"""Codes that are scored from each start of local search: for a first set, for a smaller one."""
STARTS = 4
SEED = 1
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

    Raises SizeError for games of more than 8,192 codes (16,384 where two colors are scored by
    black pegs only), and InputError with every fault of the request.
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
        """Prepare the method, and read the checkpoint."""
        self.game = game
        self.max_guesses = max_guesses
        self.seed = SEED if seed is None else seed
        self.clock = self.deadline = Deadline()
        self.saved = monotonic()
        self.on_progress: Callable[[Standing], None] = lambda _: None
        self.checkpoint = None
        if checkpoint is not None:
            request = {"game": str(game), "question": "static"}
            self.checkpoint = load(CHECKPOINT)(request, checkpoint)
        self.best: tuple[Code, ...] | None = None
        self.sets = self.parts = 0
        """What was looked at, and parts of a complete search that are done."""
        self.method: ByColumns | ByGuesses = (ByColumns if is_suited(game) else ByGuesses)(game)
        self.bound = self.counting_bound = self.method.counting_bound
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
            if self.best is None:
                self._find_sets()
            while self.best is None or self.bound < len(self.best):
                self._complete(self.bound)
        except TimeUpError:
            return

    @property
    def result(self) -> StaticSet:
        """What is known."""
        return StaticSet(
            self.game,
            self.best or (),
            self.method.kinds,
            self.counting_bound,
            self.bound,
            self.clock.elapsed,
            self.sets,
            self.max_guesses,
        )

    def _look(self) -> None:
        """Tell how far the search is; raises TimeUpError when the time is up."""
        best = None if self.best is None else len(self.best)
        self.on_progress(Standing(best, self.bound, self.method.done))
        if self.deadline.passed:
            raise TimeUpError

    def _ask(self, most: int) -> None:
        """Find a set of so many guesses, or prove that there is none."""
        if self.best is None and self.bound <= most:
            size = min(most, self.method.enough)
            if not self._find(size, THOROUGH):
                self._complete(size)

    def _find_sets(self) -> None:
        """Find a set, and then smaller ones, as far as that is quick."""
        for size in count(self.bound):
            if self._find(size, QUICK):
                break
        while self.best is not None and len(self.best) > self.bound:
            if not self._find(len(self.best) - 1, THOROUGH):
                break

    def _find(self, size: int, codes: int) -> bool:
        """Find a set of a size quickly, as a rule by local search that scores so many codes."""
        for seed in range(self.seed, self.seed + STARTS):
            if found := self.method.find(size, codes, seed, self._look):
                self.best = found
                return True
        return False

    def _complete(self, size: int) -> None:
        """Search all sets of so many guesses: take one, or raise the bound."""
        skipped, self.sets = self._recall(size)
        before = self.sets - self.method.nodes

        def note(parts: int) -> None:
            self.parts = parts
            self.sets = before + self.method.nodes
            if monotonic() >= self.saved + SAVED:
                self._save(size)
            self._look()

        found = self.method.complete(size, skipped, note)
        if found is None:
            self._save(size)
            self.bound = size + 1
        else:
            self.best = found

    def _recall(self, size: int) -> tuple[int, int]:
        """The parts of the search of a size that are done, and the sets looked at."""
        if self.checkpoint is not None:
            for done, sets, *_ in self.checkpoint.findings(self._stage(size)):
                return done, sets
        return 0, self.sets

    def _stage(self, size: int) -> str:
        """What the search of a size is called in a file."""
        return f"{quantity(size, 'guess')}{self.method.suffix}"

    def _save(self, size: int) -> None:
        """Keep how far the search is; what is found stands for a share that is done."""
        if self.checkpoint is not None:
            self.checkpoint.stages[self._stage(size)] = [(self.parts, self.sets, size, True)]
            self.checkpoint.save()
        self.saved = monotonic()
