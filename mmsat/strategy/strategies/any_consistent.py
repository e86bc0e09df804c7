"""Some code that can still be it, found by whatever finds one first."""

from mmsat.game.row import Code
from mmsat.strategy.consistent_code import find_code
from mmsat.strategy.openings import paired_code
from mmsat.strategy.pool import no_code_error
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy
from mmsat.strategy.unexplored_colors import explore_colors


class AnyConsistent(SeededStrategy):
    """Annealing from the last guess, then SAT and CP-SAT by turns: the quickest in large games.

    Until all colors have been guessed, codes of few others are taken (see
    strategy/unexplored_colors.py); the first guess is AAA..BBB..CCC.., or a balanced code where
    that is none of the game.
    """

    name = "any-consistent"
    summary = "some code that can be it, by annealing, SAT and CP-SAT: the quickest in large games"
    source = "annealing: Bernier et al. 1996; SAT: Bohlender 2020"
    is_consistent = True

    def choose(self, state: State) -> Code:
        """A consistent code."""
        seed = self.random(state).getrandbits(31)
        if early := explore_colors(state.board, seed):
            return early
        if not state.rows and (first := paired_code(state.game)):
            return first
        code = find_code(state.board, seed)
        if code is None:
            raise no_code_error(state.board)
        return code
