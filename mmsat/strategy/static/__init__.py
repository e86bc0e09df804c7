"""Static sets: guesses that are all made before any score is seen.

The scores of a static set together distinguish all codes. The search finds the smallest set, with a
proof that no smaller set exists; models.py has its two methods.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple, TypedDict

from mmsat._util.arguments import check_arguments
from mmsat._util.files import StrPath
from mmsat._util.results import ColorList, Displayable, GameText, NonNegative, Positive, Seconds
from mmsat._util.text import quantity
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.solving.deadline import TimeUpError
from mmsat.strategy import SearchControl
from mmsat.strategy.answers import iterate_codes
from mmsat.strategy.static.models import ByColumns, ByGuesses, supports_columns


class StaticSetJson(TypedDict):
    """Guesses whose scores together distinguish all codes, and the proven bounds."""

    game: GameText
    codes: Positive
    """Number of codes of the game."""
    kinds: Positive
    """Number of kinds of codes; codes that no guess distinguishes are of one kind."""
    guesses: list[ColorList]
    """The guesses in order. Empty if no set was found in time, if `max_guesses` do not suffice, or
    if all codes are of one kind."""
    scores: list[Positive]
    """Number of different scores of each guess."""
    apart: list[Positive]
    """Number of different score sequences for the first guess, the first two guesses, and so on."""
    max_guesses: Positive | None
    """The requested limit on the number of guesses; null for a search for the fewest guesses."""
    counting_bound: NonNegative
    """Lower bound on the number of guesses, from counting scores."""
    bound: NonNegative
    """Proven lower bound on the number of guesses."""
    proven: bool
    """Whether the guesses are proven to be the fewest, or the `max_guesses` request is decided."""
    sets: NonNegative
    """Number of sets of guesses that the proof of the bound processed."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class StaticSet(Displayable):
    """The smallest set of guesses that was found, and the proven bounds.

    The numbers of codes that the guesses distinguish are computed with the plain scorer.
    """

    game: Game
    """The game."""
    guesses: tuple[Code, ...]
    """The guesses in order. Empty if no set was found in time, if `max_guesses` do not suffice, or
    if all codes are of one kind."""
    kinds: int
    """Number of kinds of codes; codes that no guess distinguishes are of one kind."""
    counting_bound: int
    """Lower bound on the number of guesses, from counting scores."""
    bound: int
    """Proven lower bound on the number of guesses, from counting and from complete search."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    sets: int
    """Number of sets of guesses that the proof of the bound processed."""
    max_guesses: int | None = None
    """The requested limit on the number of guesses; None for a search for the fewest guesses."""

    @cached_property
    def apart(self) -> tuple[int, ...]:
        """Number of different score sequences for the first guess, the first two, and so on."""
        score = self.game.scoring.score
        rows: list[tuple[Any, ...]] = [
            tuple(score(code, guess) for guess in self.guesses) for code in iterate_codes(self.game)
        ]
        return tuple(
            len({row[:length] for row in rows}) for length in range(1, len(self.guesses) + 1)
        )

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """Number of different scores of each guess."""
        codes = [*iterate_codes(self.game)]
        score = self.game.scoring.score
        return tuple(len({score(code, guess) for code in codes}) for guess in self.guesses)

    @property
    def tells_all(self) -> bool:
        """Whether the guesses distinguish all kinds of codes."""
        return (self.apart[-1] if self.apart else 1) == self.kinds

    @property
    def is_proven(self) -> bool:
        """Whether the guesses are proven to be the fewest, or `max_guesses` is decided."""
        if self.max_guesses is not None:
            return self.tells_all or self.max_guesses < self.bound
        return self.tells_all and len(self.guesses) <= self.bound

    def to_dict(self) -> StaticSetJson:
        """Return a dict with the stable JSON keys; see schemas/static.json."""
        return {
            "game": str(self.game),
            "codes": self.game.size,
            "kinds": self.kinds,
            "guesses": [[color + 1 for color in guess] for guess in self.guesses],
            "scores": list(self.scores),
            "apart": list(self.apart),
            "max_guesses": self.max_guesses,
            "counting_bound": self.counting_bound,
            "bound": self.bound,
            "proven": self.is_proven,
            "sets": self.sets,
            "seconds": round(self.seconds, 3),
        }


QUICK_SCORES, THOROUGH_SCORES = 400_000, 4_000_000
"""Number of codes scored per start of local search: to find a first set, and to find smaller
sets."""
STARTS = 4
"""Number of starts of local search, with consecutive seeds."""
SEED = 1
"""Default seed of local search."""
CHECKPOINT_SECONDS = 20.0
"""Seconds between two checkpoints."""


class StaticStanding(NamedTuple):
    """Progress of a search."""

    best_size: int | None
    """Number of guesses of the smallest set so far; None if no set was found."""
    bound: int
    """Proven lower bound on the number of guesses."""
    finished_fraction: float
    """The finished fraction of the complete search for a set with `bound` guesses."""


@check_arguments
def static(
    game: Game | str,
    *,
    max_guesses: int | None = None,
    seed: int | None = None,
    checkpoint: StrPath | None = None,
    timeout: float | None = None,
    on_progress: Callable[[StaticStanding], None] | None = None,
) -> StaticSet:
    """Find the fewest guesses, all made before any score is seen, that distinguish all codes.

    The final guess, which is the identified code, is not counted. Codes that no guess distinguishes
    count as one code; they occur in games that score colors only.

    Parameters
    ----------
    game : Game or str
        A game of up to 8,192 codes (16,384 if two colors are scored by black pegs only), or its
        size or name.
    max_guesses : int, optional
        Only decide whether this number of guesses is enough. The result contains such a set, or a
        bound above `max_guesses`, which proves that there is no such set.
    seed : int, optional
        Seed of the local search.
    checkpoint : str or os.PathLike, optional
        File for the progress of the search. If the file exists, the search resumes from it.
    timeout : float, optional
        Time limit in seconds, unlimited by default. If it passes, the best set so far is returned
        with the bound.
    on_progress : callable, optional
        Called repeatedly with the progress of the search.

    Returns
    -------
    StaticSet
        The guesses, which are codes of the game, and the proven bound.

    Raises
    ------
    InputError
        If an argument is invalid, or if the checkpoint belongs to another request.
    SizeError
        If the game has too many codes.

    Notes
    -----
    Sets are found by local search. A complete search, up to symmetry, proves that no set has fewer
    guesses. With black scores only, the number of guesses is the metric dimension of a Hamming
    graph [1]_; for a list of words, it is the size of a smallest test cover. The proof for 4x6
    takes half a minute, and each further guess takes about a hundred times as long. The same
    request gives the same set, unless the time is up.

    References
    ----------
    .. [1] W. Goddard, "Static Mastermind", Journal of Combinatorial Mathematics and Combinatorial
       Computing 47, 225-236, 2003.

    Examples
    --------
    >>> static_set = mmsat.static("2x4")
    >>> len(static_set.guesses), static_set.tells_all, static_set.is_proven
    (3, True, True)
    """
    game = Game.of(game)
    search = StaticSearch(game, max_guesses=max_guesses, seed=seed, checkpoint=checkpoint)
    search.run(timeout, on_progress)
    return search.result


class StaticSearch:
    """A search request; `result` is available at any time."""

    def __init__(
        self,
        game: Game,
        *,
        max_guesses: int | None = None,
        seed: int | None = None,
        checkpoint: StrPath | None = None,
    ) -> None:
        """Choose and prepare the search method, and read the checkpoint."""
        self.game = game
        self.max_guesses = max_guesses
        self.seed = SEED if seed is None else seed
        request = {"game": str(game), "question": "static"}
        self.control = SearchControl(request, checkpoint, CHECKPOINT_SECONDS)
        self.best: tuple[Code, ...] | None = None
        """The smallest set so far; None if no set was found."""
        self.sets = self.num_finished_prefixes = 0
        """Numbers of processed sets and of finished prefixes in the present complete search."""
        self.method: ByColumns | ByGuesses = (ByColumns if supports_columns(game) else ByGuesses)(
            game
        )
        self.bound = self.counting_bound = self.method.counting_bound
        if self.bound == 0:
            self.best = ()

    def run(
        self,
        timeout: float | None = None,
        on_progress: Callable[[StaticStanding], None] | None = None,
    ) -> None:
        """Search until the result is proven, or until `timeout` seconds have passed."""
        self.control.begin(timeout, on_progress)
        try:
            if self.max_guesses is not None:
                self._decide(self.max_guesses)
                return
            if self.best is None:
                self._find_sets()
            while self.best is None or self.bound < len(self.best):
                self._complete(self.bound)
        except TimeUpError:
            return

    @property
    def result(self) -> StaticSet:
        """The result so far."""
        return StaticSet(
            game=self.game,
            guesses=self.best or (),
            kinds=self.method.kinds,
            counting_bound=self.counting_bound,
            bound=self.bound,
            seconds=self.control.clock.elapsed,
            sets=self.sets,
            max_guesses=self.max_guesses,
        )

    def _report(self) -> None:
        """Report progress; raise TimeUpError if the time is up."""
        best_size = None if self.best is None else len(self.best)
        self.control.report(StaticStanding(best_size, self.bound, self.method.done))

    def _decide(self, max_guesses: int) -> None:
        """Find a set of at most `max_guesses` guesses, or prove that there is none."""
        if self.best is None and self.bound <= max_guesses:
            size = min(max_guesses, self.method.sufficient_size)
            if not self._find(size, THOROUGH_SCORES):
                self._complete(size)

    def _find_sets(self) -> None:
        """Find a set, and then smaller sets as long as local search succeeds."""
        for size in count(self.bound):
            if self._find(size, QUICK_SCORES):
                break
        while self.best is not None and len(self.best) > self.bound:
            if not self._find(len(self.best) - 1, THOROUGH_SCORES):
                break

    def _find(self, size: int, max_scored_codes: int) -> bool:
        """Try to find a set of this size without complete search; return whether one was found.

        `ByGuesses` uses local search, which scores `max_scored_codes` codes per start.
        """
        for seed in range(self.seed, self.seed + STARTS):
            if guesses := self.method.find(size, max_scored_codes, seed, self._report):
                self.best = guesses
                return True
        return False

    def _complete(self, size: int) -> None:
        """Search all sets of `size` guesses; store the set that is found, or increase the bound."""
        num_skipped, self.sets = self._recall(size)
        previous_sets = self.sets - self.method.nodes  # `nodes` also counts earlier searches

        def on_prefix(num_finished_prefixes: int) -> None:
            self.num_finished_prefixes = num_finished_prefixes
            self.sets = previous_sets + self.method.nodes
            if self.control.is_save_due:
                self._save(size)
            self._report()

        guesses = self.method.complete(size, num_skipped, on_prefix)
        if guesses is None:
            self._save(size)
            self.bound = size + 1
        else:
            self.best = guesses

    def _recall(self, size: int) -> tuple[int, int]:
        """Return the numbers of finished prefixes and of processed sets, for this size.

        They are read from the checkpoint if it contains them.
        """
        for num_finished_prefixes, sets, *_ in self.control.findings(self._stage(size)):
            return num_finished_prefixes, sets
        return 0, self.sets

    def _stage(self, size: int) -> str:
        """Return the name of the search for sets of this size in the checkpoint file."""
        return f"{quantity(size, 'guess')}{self.method.suffix}"

    def _save(self, size: int) -> None:
        """Save the numbers of finished prefixes and of processed sets."""
        # These take the places of two keys, a total and a flag; see mmsat/strategy/__init__.py.
        finding = self.num_finished_prefixes, self.sets, size, True
        self.control.save(self._stage(size), lambda: [finding], replaces=True)
