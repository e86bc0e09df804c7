"""The first code that is still possible, in lexicographic order."""

from mmsat.game.row import Code
from mmsat.strategy.state import State
from mmsat.strategy.strategy import Strategy


class FirstConsistent(Strategy):
    """No thought at all: what cannot be the code is not asked, what can is asked in order."""

    name = "first-consistent"
    summary = "the first code in order that can be the code"
    source = "Shapiro 1983; Kooi's simple strategy (2005)"
    is_consistent = True

    def choose(self, state: State) -> Code:
        """The first consistent code."""
        return state.code(0)
