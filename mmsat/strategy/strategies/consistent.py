"""Strategies that guess a possible code from the list: the first, the next, or a random one."""

from bisect import bisect_right

from mmsat.game.row import Code
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy, Strategy


class FirstConsistent(Strategy):
    """Guesses the possible codes in lexicographic order."""

    name = "first-consistent"
    summary = "the first consistent code in order"
    source = "Shapiro 1983; Kooi's simple strategy (2005)"
    is_consistent = True

    def choose(self, state: State) -> Code:
        return state.code(0)


class NextConsistent(SeededStrategy):
    """Starts at a random code, to avoid a run of codes with the same first pegs."""

    name = "next-consistent"
    summary = "the next consistent code after the last guess, from a random start"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        if not state.rows:
            return state.code(self.random(state).randrange(len(state)))
        return state.code(rank(state, state.rows[-1].guess) % len(state))


def rank(state: State, guess: Code) -> int:
    """Return the number of consistent codes up to and including a guess, in lexicographic order."""
    return bisect_right(range(len(state)), guess, key=state.code)


class RandomConsistent(SeededStrategy):
    """Guesses a random possible code, as careful people do."""

    name = "random-consistent"
    summary = "a random consistent code"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        return state.code(self.random(state).randrange(len(state)))
