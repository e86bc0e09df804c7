"""What a guess costs: by the guesses that best play then takes, or by the codes that are left."""

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import lru_cache

from mmsat.board import Board
from mmsat.errors import InputError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.results.review import BEST_PLAY, EXPECTED_CODES
from mmsat.reviewing.position import Parts, Position
from mmsat.strategy.endgame import TooLongError
from mmsat.strategy.state import State
from mmsat.strategy.strategies.optimal import require_searchable, search_subtree
from mmsat.strategy.tree import StrategyTree

MOST_SEARCHED = 2500
"""Codes that are left where the best play is searched ..."""
MOST_SETS = 30_000
"""... and sets of codes that are looked at for a guess, all its searches together, ..."""
SET_WORK = 40_000_000
"""... or where the game has many codes, so many sets times codes: about a second."""


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

    Raises TooLongError where the searches for that take too much work in all.
    """

    name = BEST_PLAY

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.most = self.left = min(MOST_SETS, SET_WORK // position.game.size)
        self.known: dict[Board, tuple[Code, Fraction]] = {}

    def worth(self, guess: Code, score: Score, many: int) -> Fraction:  # noqa: ARG002
        if score == self.position.game.score(guess, guess):
            return Fraction(1)
        return 1 + self._search(self.position.state.after(guess, score))[1]

    def best(self) -> tuple[Code, Fraction]:
        return self._search(self.position.state)

    def _search(self, state: State) -> tuple[Code, Fraction]:
        """The best guess, and the guesses that the codes of a state take on average."""
        if state.board not in self.known:
            if self.left < 0:
                raise TooLongError
            tree, sets = search_subtree(state, most_sets=self.most)
            self.left -= sets
            total = StrategyTree(state.game, tree).total
            self.known[state.board] = tree.guess, Fraction(total, len(state))
        return self.known[state.board]


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
