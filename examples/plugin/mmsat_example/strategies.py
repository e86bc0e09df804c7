"""A strategy that guesses the last remaining code."""

import mmsat


class LastConsistent(mmsat.Strategy):
    """Guess the last remaining code in lexicographic order."""

    name = "last-consistent"
    summary = "the last remaining code"
    source = "an example"
    is_consistent = True

    def choose(self, state: mmsat.State) -> tuple[int, ...]:
        """Return the last remaining code."""
        return state.code(len(state) - 1)
