"""What a game is worth, and how both sides get it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.strategy.analysis import print_average, print_fraction
from mmsat.strategy.tree import StrategyTree


class HiddenKind(NamedTuple):
    """How often the codemaker hides a code of one kind; within the kind, all alike."""

    example: Code
    """The first code of the kind."""
    pattern: tuple[int, ...]
    """The pegs of its colors, the most first: (2, 1, 1) has a pair."""
    codes: int
    probability: Fraction


class PlayedTree(NamedTuple):
    """How often the codebreaker plays by a tree, pegs and colors exchanged at random."""

    tree: StrategyTree
    probability: Fraction
    averages: tuple[Fraction, ...]
    """The guesses that a code takes, by its kind."""


@dataclass(frozen=True)
class GameValue:
    """The guesses that a game takes on average when both sides play their best mixtures."""

    game: Game
    value: Fraction
    codemaker: Sequence[HiddenKind]
    """No strategy needs fewer guesses on average against this."""
    codebreaker: Sequence[PlayedTree]
    """No code needs more guesses on average against this."""
    searches: int
    """Complete searches for a best answer to a codemaker."""
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/analyze.json."""
        spell = speller(self.game)
        return {
            "game": str(self.game),
            **print_average(self.value, "value"),
            "codemaker": [
                {
                    "example": spell.print_code(kind.example),
                    "pattern": list(kind.pattern),
                    "codes": kind.codes,
                    **print_average(kind.probability, "probability"),
                }
                for kind in self.codemaker
            ],
            "codebreaker": [
                {
                    "opening": spell.print_code(played.tree.root.guess),
                    "total": played.tree.total,
                    "max": played.tree.max,
                    "averages": [print_fraction(average) for average in played.averages],
                    **print_average(played.probability, "probability"),
                }
                for played in self.codebreaker
            ],
            "searches": self.searches,
            "seconds": round(self.seconds, 3),
        }
