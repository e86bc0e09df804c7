"""Strategies that take some consistent code, as solvers find it: for games of any size."""

from collections.abc import Sequence

from mmsat.game.row import Code
from mmsat.solving.engine import verify_witness
from mmsat.solving.incremental_sat import IncrementalSat
from mmsat.strategy.consistent_code import explore_colors, find_code, paired_code
from mmsat.strategy.pool import no_code_error
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy, Strategy

PROPAGATIONS = 30_000_000
"""What the solver may spend on a row, a few seconds, before others are asked."""


class AnyConsistent(SeededStrategy):
    """Annealing from the last guess, then SAT and CP-SAT by turns: the quickest in large games.

    Until all colors have been guessed, codes of few others are taken (see
    strategy/consistent_code.py); the first guess is AAA..BBB..CCC.., or a balanced code where
    that is none of the game.
    """

    name = "any-consistent"
    summary = "some code that can be it, by annealing, SAT and CP-SAT: the quickest in large games"
    source = "annealing: Bernier et al. 1996; SAT: Bohlender 2020"
    is_consistent = True

    def choose(self, state: State) -> Code:
        seed = self.random(state).getrandbits(31)
        if early := explore_colors(state.board, seed):
            return early
        if not state.rows and (first := paired_code(state.game)):
            return first
        code = find_code(state.board, seed)
        if code is None:
            raise no_code_error(state.board)
        return code


class SatConsistent(Strategy):
    """Some consistent code, by SAT; the first guess is balanced.

    What the solver has learnt stays for the next guess. It is asked after every row, also those
    that others guessed, so that a guess depends on the board alone. Where it drags, the guess is
    that of any-consistent, by the walk and CP-SAT.
    """

    name = "sat-consistent"
    summary = "the first code that a SAT solver finds, which keeps what it learns through the game"
    source = "Bohlender 2020, with one counter a color for all rows"
    is_consistent = True

    def __init__(
        self,
        opening: Sequence[Code] = (),
        *,
        consistent_only: bool = False,
        propagations: int = PROPAGATIONS,
    ) -> None:
        super().__init__(opening, consistent_only=consistent_only)
        self.propagations = propagations
        self._solver: IncrementalSat | None = None
        self._code: Code | None = None
        self._is_known = True

    def choose(self, state: State) -> Code:
        """What the solver finds; raises SizeError where the formula takes too much memory."""
        if not state.rows and (first := paired_code(state.game)):
            return first
        solver = self._solver
        if (
            solver is None
            or solver.game != state.game
            or list(state.rows[: len(solver.rows)]) != solver.rows
        ):
            self.close()
            solver = self._solver = IncrementalSat(state.game)
            self._is_known, self._code = solver.find_code(self.propagations)
        for row in state.rows[len(solver.rows) :]:
            solver.add(row)
            self._is_known, self._code = solver.find_code(self.propagations)
        if not self._is_known:
            self._is_known, self._code = True, find_code(state.board, 0)
        code = verify_witness(state.board, self._code, self.name).code
        if code is None:
            raise no_code_error(state.board)
        return code

    def close(self) -> None:
        """Let go of the solver; the next guess takes another."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None
