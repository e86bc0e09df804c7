"""Strategies that take some consistent code, as solvers find it: for games of any size."""

from __future__ import annotations

from dataclasses import dataclass, field

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import Builder, require_memory
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.game.unread import constraints
from mmsat.solving.engine import verify_witness
from mmsat.solving.sat import GrowingSolver, code_of
from mmsat.strategy.consistent_code import explore_colors, find_code, paired_code
from mmsat.strategy.pool import no_code_error
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy, Strategy

PROPAGATIONS = 30_000_000
"""What the solver may spend on a row, a few seconds, before others are asked."""


SOLVER, ENCODING = "minicard", "native"
"""Counts natively, which suits dense rows; see encoding_selection.py."""


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


@dataclass(eq=False, repr=False, kw_only=True)
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

    propagations: int = PROPAGATIONS
    _solver: IncrementalSat | None = field(default=None, init=False)
    _code: Code | None = field(default=None, init=False)
    _is_known: bool = field(default=True, init=False)

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


class IncrementalSat:
    """The codes of a game, fewer with each row.

    Each color has one counter, which all rows share.
    """

    def __init__(self, game: Game) -> None:
        """Encode the game without rows; raises SizeError where that takes too much memory."""
        self.game = game
        self.rows: list[Row] = []
        system = System.of(Board(game))
        require_memory(system, ENCODING)
        self._builder = Builder(system, ENCODING)
        for color in range(game.colors):
            self._builder.count_color(color, game.pegs)
        self._growing = GrowingSolver(SOLVER, self._builder.formula)
        self._solver = self._growing.solver

    def add(self, row: Row) -> None:
        """Ask for one score more."""
        self.rows.append(row)
        for constraint in constraints(self.game, row):
            self._builder.add(constraint)
        self._growing.catch_up()

    def find_code(self, propagations: int) -> tuple[bool, Code | None]:
        """Whether so many propagations decide it, and a code that gets all scores, or None."""
        self._solver.prop_budget(propagations)
        found = self._solver.solve_limited()
        return found is not None, self._model() if found else None

    def code(self) -> Code | None:
        """A code that gets all scores, or None; without a limit."""
        return self._model() if self._solver.solve() else None

    def _model(self) -> Code:
        return code_of(self._solver.get_model(), self.game.variables)

    def close(self) -> None:
        """Let go of the solver."""
        self._solver.delete()
