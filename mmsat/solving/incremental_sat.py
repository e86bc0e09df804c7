"""Incremental SAT: each row of a game is added to one solver, and what it learnt stays."""

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import Builder, require_memory
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.game.unread import constraints
from mmsat.solving.sat import GrowingSolver, code_of

SOLVER, ENCODING = "minicard", "native"
"""Counts natively, which suits dense rows; see encoding_selection.py."""


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
