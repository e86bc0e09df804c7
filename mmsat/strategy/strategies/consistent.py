"""Strategies that guess a listed code that is still possible: the first, the next, or any."""

from bisect import bisect_right

from mmsat.game.row import Code
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy, Strategy


class FirstConsistent(Strategy):
    """No thought at all: what cannot be the code is not asked, what can is asked in order."""

    name = "first-consistent"
    summary = "the first code in order that can be the code"
    source = "Shapiro 1983; Kooi's simple strategy (2005)"
    is_consistent = True

    def choose(self, state: State) -> Code:
        return state.code(0)


class NextConsistent(SeededStrategy):
    """Starts anywhere, so that it does not crawl along codes that are alike in their first pegs."""

    name = "next-consistent"
    summary = "the next consistent code after the last guess, from a random start"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        if not state.rows:
            return state.code(self.random(state).randrange(len(state)))
        return state.code(rank(state, state.rows[-1].guess) % len(state))


def rank(state: State, guess: Code) -> int:
    """How many consistent codes do not come after a guess."""
    return bisect_right(range(len(state)), guess, key=state.code)


class RandomConsistent(SeededStrategy):
    """What people do who take care."""

    name = "random-consistent"
    summary = "a random consistent code"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        return state.code(self.random(state).randrange(len(state)))
