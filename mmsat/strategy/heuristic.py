"""What the heuristics share that look one guess ahead: at how many codes each score would leave."""

from abc import abstractmethod
from typing import ClassVar

from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.chooser import find_chooser
from mmsat.strategy.state import State
from mmsat.strategy.strategy import Strategy
from mmsat.strategy.tree import Node, OnProgress


class Heuristic(Strategy):
    """Every code of the game is a possible guess, and has a key, a whole number.

    The best key wins; among equals, guesses that can be the code come before those that can't, and
    then the first in lexicographic order. A state costs all guesses times the codes that are left,
    less what symmetry saves, at about a billion a second.
    """

    key: ClassVar[str]
    """What the kernel calls it."""

    @abstractmethod
    def worth(self, sizes: list[int]) -> object:
        """The key of a guess that would leave so many codes, by score; the least is the best.

        The definition, for tests and explanations; the kernel has its own.
        """

    def choose(self, state: State) -> Code:
        """The guess with the best key."""
        chooser = find_chooser(state.game)
        return chooser.choose(state, self.key, consistent_only=self.consistent_only)

    def grow(self, game: Game, on_progress: OnProgress) -> Node:
        """The tree, grown by the kernel."""
        chooser = find_chooser(game)
        return chooser.grow(
            self.key, self.opening, on_progress, consistent_only=self.consistent_only
        )
