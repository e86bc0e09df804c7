"""Strategies that guess any consistent code, found by solvers: for games of any size."""

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
"""Maximum number of propagations of the solver per row, a few seconds, before other solvers are
used."""


SOLVER, ENCODING = "minicard", "native"
"""The solver and its native encoding of cardinality constraints, which suits dense rows; see
encoding_selection.py."""


class AnyConsistent(SeededStrategy):
    """Annealing from the last guess, then SAT and CP-SAT in turn: the quickest in large games.

    Until all colors have been guessed, it guesses codes with few unexplored colors (see
    strategy/consistent_code.py). The first guess is AAA..BBB..CCC.., or a balanced code if that is
    not a code of the game.
    """

    name = "any-consistent"
    summary = "any consistent code, by annealing, SAT and CP-SAT; the fastest in large games"
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
    """A consistent code found by a SAT solver; the first guess is balanced.

    The solver keeps its learned clauses for the next guess. It is run after every row, even if
    another player made the guess, so that a guess depends only on the board. If it exceeds its
    budget, the code is found by annealing, SAT and CP-SAT as in any-consistent.
    """

    name = "sat-consistent"
    summary = "the first consistent code of an incremental SAT solver"
    source = "Bohlender 2020, with one counter per color for all rows"
    is_consistent = True

    propagations: int = PROPAGATIONS
    """Maximum number of propagations of the solver per row."""
    _solver: IncrementalSat | None = field(default=None, init=False)
    _code: Code | None = field(default=None, init=False)
    _is_decided: bool = field(default=True, init=False)

    def choose(self, state: State) -> Code:
        """Return the code that the solver finds.

        Raises SizeError if the formula needs too much memory.
        """
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
            self._is_decided, self._code = solver.find_code(self.propagations)
        for row in state.rows[len(solver.rows) :]:
            solver.add(row)
            self._is_decided, self._code = solver.find_code(self.propagations)
        if not self._is_decided:
            self._is_decided, self._code = True, find_code(state.board, 0)
        code = verify_witness(state.board, self._code, self.name).code
        if code is None:
            raise no_code_error(state.board)
        return code

    def close(self) -> None:
        """Release the solver; the next guess creates another one."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None


class IncrementalSat:
    """An incremental SAT formula of the codes of a game, constrained further by each row.

    Each color has one counter, which all rows share.
    """

    def __init__(self, game: Game) -> None:
        """Encode the game without rows; raise SizeError if that needs too much memory."""
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
        """Add a row: the code must get its score."""
        self.rows.append(row)
        for constraint in constraints(self.game, row):
            self._builder.add(constraint)
        self._growing.catch_up()

    def find_code(self, propagations: int) -> tuple[bool, Code | None]:
        """Search for a code that gets all scores, with a limit of propagations.

        Returns whether the search was decided within the limit, and the code, or None if there is
        none.
        """
        self._solver.prop_budget(propagations)
        answer = self._solver.solve_limited()
        return answer is not None, self._model() if answer else None

    def code(self) -> Code | None:
        """Return a code that gets all scores, or None if impossible; without a limit."""
        return self._model() if self._solver.solve() else None

    def _model(self) -> Code:
        return code_of(self._solver.get_model(), self.game.variables)

    def close(self) -> None:
        """Release the solver."""
        self._solver.delete()
