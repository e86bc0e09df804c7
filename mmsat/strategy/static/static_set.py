"""A set of guesses whose scores, all together, tell codes apart."""

from dataclasses import field
from functools import cached_property
from typing import Any

from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.shown import Shown
from mmsat.strategy.code_list import iterate_codes


@frozen
class StaticSet(Shown):
    """The fewest guesses found, and what is proven of all sets.

    What they tell apart is counted by the plain scorer.
    """

    game: Game
    guesses: tuple[Code, ...]
    """In order; none where no set was found in time, or where a game has one code."""
    kinds: int
    """Codes, those counted once that no guess tells apart: what a set has to tell apart."""
    counting_bound: int
    """No set has fewer guesses, as there are only so many scores."""
    bound: int
    """No set has fewer guesses, as far as the search has come."""
    seconds: float = field(compare=False)
    sets: int
    """Sets of guesses that were looked at on the way to the bound."""
    max_guesses: int | None = None
    """It was asked whether so many do; None where the fewest were asked for."""

    @cached_property
    def apart(self) -> tuple[int, ...]:
        """How many different rows of scores codes get: from the first guess, the first two ..."""
        score = self.game.scoring.score
        rows: list[tuple[Any, ...]] = [
            tuple(score(code, guess) for guess in self.guesses) for code in iterate_codes(self.game)
        ]
        return tuple(len({row[:many] for row in rows}) for many in range(1, len(self.guesses) + 1))

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """How many different scores each guess gets."""
        codes = [*iterate_codes(self.game)]
        score = self.game.scoring.score
        return tuple(len({score(code, guess) for code in codes}) for guess in self.guesses)

    @property
    def tells_all(self) -> bool:
        """Whether the guesses tell all kinds of codes apart."""
        return (self.apart[-1] if self.apart else 1) == self.kinds

    @property
    def is_proven(self) -> bool:
        """Whether no set of fewer guesses tells them apart, or it is known whether so many do."""
        if self.max_guesses is not None:
            return self.tells_all or self.max_guesses < self.bound
        return self.tells_all and len(self.guesses) <= self.bound

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/static.json."""
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
