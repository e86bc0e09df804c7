"""Some code that can still be it, found by whatever finds one first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.strategy.consistent import some_code
from mmsat.strategy.fresh import fresh_code
from mmsat.strategy.openings import balanced
from mmsat.strategy.pool import no_code
from mmsat.strategy.strategies.base import Seeded

if TYPE_CHECKING:
    from mmsat.game.row import Code
    from mmsat.strategy.state import State


class AnyConsistent(Seeded):
    """Annealing from the last guess, then SAT and CP-SAT by turns: the quickest in large games.

    Until all colors have been guessed, codes of few others are taken (see strategy/fresh.py); the
    first guess is AAA..BBB..CCC.., or a balanced code where that is none of the game.
    """

    name = "any-consistent"
    summary = "some code that can be it, by annealing, SAT and CP-SAT: the quickest in large games"
    source = "annealing: Bernier et al. 1996; SAT: Bohlender 2020"
    is_consistent = True

    def choose(self, state: State) -> Code:
        """A consistent code."""
        seed = self.random(state).getrandbits(31)
        if early := fresh_code(state.board, seed):
            return early
        if not state.rows and (first := opening(state)):
            return first
        code = some_code(state.board, seed)
        if code is None:
            raise no_code(state.board)
        return code


def opening(state: State) -> Code | None:
    """The balanced code with two pegs a color, or with the nearest number of colors."""
    wanted = (state.game.pegs + 1) // 2
    return min(balanced(state.game), key=lambda code: abs(max(code) + 1 - wanted), default=None)
