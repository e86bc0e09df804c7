"""What a search for the best strategy found."""

from dataclasses import field
from typing import Any

from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.shown import Shown
from mmsat.strategy.analysis import Analysis
from mmsat.strategy.tree import StrategyTree

PLAYED = [
    "strategy",
    "codes",
    "total",
    "average",
    "average_decimal",
    "max",
    "distribution",
    "kinds",
]
"""What the JSON has of the strategy, null where there is none."""


@frozen
class Optimum(Shown):
    """The best strategy found, and what is proven of all."""

    game: Game
    objective: str
    """"average" for the least total of guesses, "worst" for the fewest that do for every code,
    "worst-then-average" for the least total among those."""
    max_guesses: int | None
    """How many guesses the strategies may take at most, where they are limited."""
    consistent_only: bool
    """Whether every guess can be the code."""
    hard: bool
    """Whether every guess uses what is known; see game/hard_mode.py."""
    guesses: int
    """What may be guessed: the codes and the other guesses."""
    analysis: Analysis | None
    """The strategy, every code played by the plain scorer; None where there is none."""
    bound: int
    """No strategy has a lower total (with "worst": takes fewer guesses for some code)."""
    is_proven: bool
    """Whether no strategy is better; without a strategy, that there is none."""
    seconds: float = field(compare=False)
    sets: int
    """Sets of codes that were looked at."""
    hash_error_bound: float = field(default=0.0, compare=False)
    """An upper bound of the probability that a hash collision made `bound` wrong; see search.py."""

    @property
    def total(self) -> int | None:
        """The guesses that all codes take together."""
        return None if self.analysis is None else self.analysis.total

    @property
    def tree(self) -> StrategyTree | None:
        """The strategy written out."""
        return None if self.analysis is None else self.analysis.tree

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/optimal.json."""
        played = None if self.analysis is None else self.analysis.to_dict()
        return {
            "game": str(self.game),
            **{key: played and played[key] for key in PLAYED},
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
