"""Any code that is still possible, each as likely as the others."""

from mmsat.game.row import Code
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy


class RandomConsistent(SeededStrategy):
    """What people do who take care."""

    name = "random-consistent"
    summary = "a random consistent code"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        """A consistent code."""
        return state.code(self.random(state).randrange(len(state)))
