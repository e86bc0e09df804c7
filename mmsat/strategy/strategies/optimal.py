"""What no play betters."""

from fractions import Fraction

from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.optimal.optimal_subtree import require_searchable, solve_subtree
from mmsat.strategy.partition import split_codes
from mmsat.strategy.state import State
from mmsat.strategy.strategy import Strategy
from mmsat.strategy.tree import Node, OnProgress, StrategyTree


class Optimal(Strategy):
    """The fewest guesses for all codes that are left, by complete search at each turn.

    Among the guesses that have them, the first in the order of the search.
    """

    name = "optimal"
    summary = "the fewest guesses from here on, by complete search: for games of up to 5,040 codes"
    source = "Koyama and Lai 1993, for 4x6"

    def choose(self, state: State) -> Code:
        """The first guess of the best play."""
        return self.subtree(state).guess

    def subtree(self, state: State) -> Node:
        """The best play from a state."""
        return solve_subtree(state, consistent_only=self.consistent_only)

    def promise(self, state: State) -> Fraction | None:
        """The guesses of the best play, once no guess is forced."""
        if len(state.rows) < len(self.opening):
            return None
        return Fraction(StrategyTree(state.game, self.subtree(state)).total, len(state))

    def check(self, game: Game) -> None:
        """Raise an error for a game that is too large to be searched at each turn."""
        super().check(game)
        require_searchable(game)

    def grow(self, game: Game, on_progress: OnProgress) -> Node:
        """The opening, and behind it whole trees: what is best anew is best in them, too."""
        on_progress(0, game.size)
        return self._grow(State.start(game))

    def _grow(self, state: State) -> Node:
        if len(state.rows) >= len(self.opening):
            return self.subtree(state)
        guess = self.guess(state)
        parts = split_codes(state.game, state.codes, guess)
        wins = parts.pop(state.game.score(guess, guess), ())
        left = {score: state.after(guess, score) for score in sorted(parts)}
        return Node(guess, len(wins), {score: self._grow(after) for score, after in left.items()})
