"""Results of a search for an optimal strategy."""

from dataclasses import field
from typing import Any

from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.shown import Shown
from mmsat.strategy.analysis import Analysis
from mmsat.strategy.tree import StrategyTree

STRATEGY_KEYS = [
    "strategy",
    "codes",
    "total",
    "average",
    "average_decimal",
    "max",
    "distribution",
    "kinds",
]
"""JSON keys about the strategy that was found; their values are null if no strategy was found."""


@frozen
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

    def to_dict(self) -> dict[str, Any]:
        """Return a dict with the stable JSON keys; see schemas/optimal.json."""
        played = None if self.analysis is None else self.analysis.to_dict()
        return {
            "game": str(self.game),
            **{key: played and played[key] for key in STRATEGY_KEYS},
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
