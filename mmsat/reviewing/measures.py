"""Measures of the cost of a guess: later guesses with best play, or remaining codes."""

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

MAX_SEARCHED_CODES = 2500
"""Maximum number of remaining codes for a search of the best play."""
MAX_SEARCHED_SETS = 30_000
"""Maximum number of sets of codes in all searches for one guess."""
MAX_SEARCH_WORK = 40_000_000
"""Maximum product of these sets and the codes of the game: about a second."""


class Measure(ABC):
    """A measure of the remaining game after a guess and its score; lower is better."""

    name: str

    def __init__(self, position: Position) -> None:
        """Measure guesses in this position."""
        self.position = position

    @abstractmethod
    def value_after(self, guess: Code, score: Score, many: int) -> Fraction:
        """Return the measure after a guess with this score, which `many` of the codes get."""

    @abstractmethod
    def best(self) -> tuple[Code, Fraction]:
        """Return the best guess and its cost."""

    def cost(self, guess: Code, parts: Parts) -> Fraction:
        """Return the average measure after a guess, over the codes."""
        weighted = [many * self.value_after(guess, score, many) for score, many in parts.items()]
        return sum(weighted, Fraction()) / sum(parts.values())


class RemainingCodes(Measure):
    """The number of remaining codes. The code itself counts as one."""

    name = EXPECTED_CODES

    def value_after(self, guess: Code, score: Score, many: int) -> Fraction:  # noqa: ARG002
        return many * self.position.scale

    def best(self) -> tuple[Code, Fraction]:
        guess = self.position.divide()
        return guess, self.cost(guess, self.position.split(guess))


class RemainingGuesses(Measure):
    """The average number of guesses until the code is found with best play, including this guess.

    Raises TooLongError if the searches for one guess exceed their common budget.
    """

    name = BEST_PLAY

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.max_sets = self.remaining_sets = min(
            MAX_SEARCHED_SETS, MAX_SEARCH_WORK // position.game.size
        )
        self.searched: dict[Board, tuple[Code, Fraction]] = {}

    def value_after(self, guess: Code, score: Score, many: int) -> Fraction:  # noqa: ARG002
        if score == self.position.game.score(guess, guess):
            return Fraction(1)
        return 1 + self._search(self.position.state.after(guess, score))[1]

    def best(self) -> tuple[Code, Fraction]:
        return self._search(self.position.state)

    def _search(self, state: State) -> tuple[Code, Fraction]:
        """Return the best guess for a state, and the average number of guesses of its codes."""
        if state.board not in self.searched:
            if self.remaining_sets < 0:
                raise TooLongError
            tree, sets = search_subtree(state, most_sets=self.max_sets)
            self.remaining_sets -= sets
            total = StrategyTree(state.game, tree).total
            self.searched[state.board] = tree.guess, Fraction(total, len(state))
        return self.searched[state.board]


def is_searchable(state: State) -> bool:
    """Return whether few enough codes remain, in a game whose scores distinguish all codes."""
    return _tells_codes_apart(state.game) and len(state) <= MAX_SEARCHED_CODES


@lru_cache(maxsize=16)
def _tells_codes_apart(game: Game) -> bool:
    """Return whether a game can be searched, and its scores distinguish all codes."""
    try:
        require_searchable(game)
    except (InputError, SizeError):
        return False
    return True
