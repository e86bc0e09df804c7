"""Results of a search for an optimal strategy."""

from dataclasses import dataclass, field
from typing import Annotated, TypedDict

from mmsat.game.game import Game
from mmsat.json_types import GameText, NonNegative, Positive, Schema, Seconds
from mmsat.shown import Shown
from mmsat.strategy.analysis import (
    Analysis,
    AverageDecimal,
    CodeKindJson,
    Distribution,
    PositiveFraction,
)
from mmsat.strategy.tree import StrategyTree


class OptimumJson(TypedDict):
    """The best strategy that was found, and the proven bound."""

    game: GameText
    strategy: str | None
    """Name of the strategy. This key and those up to `kinds` are null if none was found."""
    codes: Positive | None
    """Number of codes of the game."""
    total: Positive | None
    """Total number of guesses for all codes, including the guesses that win."""
    average: PositiveFraction | None
    """Average number of guesses per code, as a fraction in lowest terms."""
    average_decimal: AverageDecimal | None
    """The same, rounded to six decimal places."""
    max: Positive | None
    """Maximum number of guesses."""
    distribution: Distribution | None
    """The numbers of codes that take one guess, two guesses, and so on up to `max`."""
    kinds: list[CodeKindJson] | None
    """The results by kind of code; kinds with the most pegs of one color come first."""
    objective: Annotated[str, Schema(enum=("average", "worst", "worst-then-average"))]
    """The minimized number: the total, the number of guesses in the worst case, or the total among
    strategies that are best in the worst case."""
    max_guesses: Positive | None
    """Maximum number of guesses that a strategy may need for any code; null for no limit."""
    consistent_only: bool
    """Whether every guess must be a possible code."""
    hard: bool
    """Whether every guess must use all hints."""
    guesses: Positive
    """Number of possible guesses: codes and other guesses."""
    bound: Positive
    """No strategy has a lower total; with the objective `worst`, none takes fewer guesses in the
    worst case."""
    proven: bool
    """Whether the strategy is proven to be optimal; without a strategy, whether it is proven that
    none exists."""
    sets: NonNegative
    """Number of sets of codes that were searched."""
    hash_error_bound: Annotated[float, Schema(minimum=0)]
    """Upper bound of the probability that a hash collision made `bound` wrong; 0 if no sets were
    compared by hashes alone."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Optimum(Shown):
    """The best strategy found, and the proven bound."""

    game: Game
    """The game."""
    objective: str
    """"average" for the least total of guesses, "worst" for the fewest that do for every code,
    "worst-then-average" for the least total among those."""
    max_guesses: int | None
    """Maximum number of guesses that a strategy may need for any code; None for no limit."""
    consistent_only: bool
    """Whether every guess must be a possible code."""
    hard: bool
    """Whether every guess must use all hints; see game/hard_mode.py."""
    guesses: int
    """Number of possible guesses: codes and other guesses."""
    analysis: Analysis | None
    """The strategy, with every code played by the plain scorer; None if no strategy was found."""
    bound: int
    """No strategy has a lower total (with "worst": takes fewer guesses for some code)."""
    is_proven: bool
    """Whether the strategy is proven to be optimal; without a strategy, whether it is proven that
    none exists."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    sets: int
    """Number of sets of codes that were searched."""
    hash_error_bound: float = field(default=0.0, compare=False)
    """An upper bound of the probability that a hash collision made `bound` wrong; see search.py."""

    @property
    def total(self) -> int | None:
        """Total number of guesses over all codes; None without a strategy."""
        return None if self.analysis is None else self.analysis.total

    @property
    def tree(self) -> StrategyTree | None:
        """The complete strategy tree; None without a strategy."""
        return None if self.analysis is None else self.analysis.tree

    def to_dict(self) -> OptimumJson:
        """Return a dict with the stable JSON keys; see schemas/optimal.json."""
        played = None if self.analysis is None else self.analysis.to_dict()
        return {
            "game": str(self.game),
            "strategy": None if played is None else played["strategy"],
            "codes": None if played is None else played["codes"],
            "total": None if played is None else played["total"],
            "average": None if played is None else played["average"],
            "average_decimal": None if played is None else played["average_decimal"],
            "max": None if played is None else played["max"],
            "distribution": None if played is None else played["distribution"],
            "kinds": None if played is None else played["kinds"],
            "objective": self.objective,
            "max_guesses": self.max_guesses,
            "consistent_only": self.consistent_only,
            "hard": self.hard,
            "guesses": self.guesses,
            "bound": self.bound,
            "proven": self.is_proven,
            "sets": self.sets,
            "hash_error_bound": self.hash_error_bound,
            "seconds": round(self.seconds, 3),
        }
