"""What a guess costs: by the guesses that best play then takes, or by the codes that are left."""

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import lru_cache

from mmsat.errors import InputError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.results.review import BEST_PLAY, EXPECTED_CODES
from mmsat.reviewing.position import Parts, Position
from mmsat.strategy.state import State
from mmsat.strategy.strategies.optimal import require_searchable, solve_subtree
from mmsat.strategy.tree import StrategyTree

MOST_SEARCHED = 2500
"""Codes that are left where the best play is searched ..."""
MOST_SETS = 30_000
"""... and sets of codes that a search looks at: some tenths of a second."""


class Measure(ABC):
    """What scores of a guess are worth; the less, the better."""

    name: str

    def __init__(self, position: Position) -> None:
        """Measure guesses in this position."""
        self.position = position

    @abstractmethod
    def worth(self, guess: Code, score: Score, many: int) -> Fraction:
        """What is left once a guess has this score, which so many of the codes get."""

    @abstractmethod
    def best(self) -> tuple[Code, Fraction]:
        """The best guess, and what it costs."""

    def cost(self, guess: Code, parts: Parts) -> Fraction:
        """What is left on average over the codes."""
        left = [many * self.worth(guess, score, many) for score, many in parts.items()]
        return sum(left, Fraction()) / sum(parts.values())


class CodesLeft(Measure):
    """The codes that are left; the code itself counts as one."""

    name = EXPECTED_CODES

    def worth(self, guess: Code, score: Score, many: int) -> Fraction:  # noqa: ARG002
        return many * self.position.scale

    def best(self) -> tuple[Code, Fraction]:
        guess = self.position.divide()
        return guess, self.cost(guess, self.position.split(guess))


class GuessesLeft(Measure):
    """The guesses that the code takes on average, this one included, with best play from then on.

    Raises TooLongError where the search for that takes too much work.
    """

    name = BEST_PLAY

    def worth(self, guess: Code, score: Score, many: int) -> Fraction:  # noqa: ARG002
        if score == self.position.game.score(guess, guess):
            return Fraction(1)
        return 1 + average(self.position.state.after(guess, score))

    def best(self) -> tuple[Code, Fraction]:
        tree = solve_subtree(self.position.state, most_sets=MOST_SETS)
        return tree.guess, average(self.position.state)


def average(state: State) -> Fraction:
    """The guesses that the codes of a state take on average by best play."""
    tree = solve_subtree(state, most_sets=MOST_SETS)
    return Fraction(StrategyTree(state.game, tree).total, len(state))


def is_searchable(state: State) -> bool:
    """Whether few enough codes are left in a game whose scores tell codes apart."""
    return _tells_codes_apart(state.game) and len(state) <= MOST_SEARCHED


@lru_cache(maxsize=16)
def _tells_codes_apart(game: Game) -> bool:
    """Whether a game is small enough to be searched, and its scores tell codes apart."""
    try:
        require_searchable(game)
    except (InputError, SizeError):
        return False
    return True
