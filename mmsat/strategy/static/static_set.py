"""Static sets: guesses whose scores together distinguish all codes."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypedDict

from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.json_types import ColorList, GameText, NonNegative, Positive, Seconds
from mmsat.shown import Shown
from mmsat.strategy.code_list import iterate_codes


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
    """The number of guesses that was requested to be decided; null for a search for the fewest
    guesses."""
    counting_bound: NonNegative
    """No set has fewer guesses, by counting scores."""
    bound: NonNegative
    """No set has fewer guesses."""
    proven: bool
    """Whether the guesses are proven to be fewest, or the request is decided."""
    sets: NonNegative
    """Number of sets of guesses that the proof of the bound processed."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class StaticSet(Shown):
    """The fewest guesses found, and the proven bounds.

    The number of codes that they distinguish is computed with the plain scorer.
    """

    game: Game
    """The game."""
    guesses: tuple[Code, ...]
    """The guesses in order. Empty if no set was found in time, or if all codes are of one kind."""
    kinds: int
    """Number of kinds of codes that a set has to distinguish; codes that no guess distinguishes
    count as one kind."""
    counting_bound: int
    """No set has fewer guesses, by counting scores."""
    bound: int
    """No set has fewer guesses; proven by counting and by the complete search so far."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    sets: int
    """Number of sets of guesses that the proof of the bound processed."""
    max_guesses: int | None = None
    """The number of guesses that was requested to be decided; None for a search for the fewest
    guesses."""

    @cached_property
    def apart(self) -> tuple[int, ...]:
        """Number of different score sequences over all codes, for each number of first guesses.

        The entries are for the first guess, the first two guesses, and so on.
        """
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
        """Whether the guesses are proven to be fewest, or the `max_guesses` request is decided."""
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
