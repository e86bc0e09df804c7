"""Whether rows and literals leave a code: the question by which each step is checked on its own.

The compiled search answers small boards at once, CP-SAT all others. Nothing here knows how
steps are found.
"""

from collections.abc import Collection, Iterable

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.step import Step
from mmsat.errors import InternalError
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Code
from mmsat.solving.brute import SlicedSearch
from mmsat.solving.cp import CpTry
from mmsat.solving.executor import is_large

LEVEL = 2
"""How much CP-SAT leans on linear programming: what counting concludes, sums prove."""
SLICES = 64
"""Slices of the compiled search before CP-SAT is asked: some hundred milliseconds."""


class Entailment:
    """Codes of one board that satisfy some rows and some literals, but not all of others."""

    def __init__(self, board: Board, system: System, *, slices: int = SLICES) -> None:
        """Nothing is searched yet; so many slices are, before CP-SAT is asked."""
        self.slices = slices
        self.board = board
        self.system = system
        self.is_large = is_large(board)

    def code(
        self, rows: Iterable[int], literals: Collection[int], denied: Collection[int] = ()
    ) -> Code | None:
        """A code that satisfies the rows and literals, and not all the denied ones."""
        constraints = (
            [CardinalityConstraint(tuple(literals), len(literals), len(literals))]
            if literals
            else []
        )
        if denied:
            constraints.append(CardinalityConstraint(tuple(denied), 0, len(denied) - 1))
        chosen = (*(self.system.soft[row].constraints for row in rows), tuple(constraints))
        asked = self.system.with_rows(chosen)
        if not self.is_large:
            search = SlicedSearch(asked, slices=self.slices)
            code = next(iter(search), None)
            if code is not None or search.is_exhausted:
                return code
        attempt = CpTry(asked)
        attempt.solver.parameters.linearization_level = LEVEL
        if not attempt.solve():
            raise InternalError(f"CP-SAT did not decide a step of {self.board}")
        return attempt.code

    def follows(
        self, rows: Iterable[int], literals: Collection[int], found: Collection[int]
    ) -> bool:
        """Whether all that is found, or a contradiction if nothing is, follows."""
        return self.code(rows, literals, found) is None

    def verify(self, step: Step) -> None:
        """Raise InternalError where a step, or one inside it, does not follow from what it uses."""
        for each in step.walk():
            if not self.follows(each.rows, each.literals, each.found):
                message = f"a step of {self.board} does not follow: {each}"
                raise InternalError(message)
            if each.supposed is not None and each.found != (-each.supposed,):
                message = f"a step of {self.board} does not end what it supposes: {each}"
                raise InternalError(message)

    def backbone(self, code: Code) -> set[int]:
        """The literals and denials true of every code of the board, of which one code is given."""
        rows = range(len(self.system.soft))
        variables = self.system.variables
        shared = {
            literal if variables.holds(literal, code) else -literal
            for literal in range(1, 2 * variables.pegs * variables.colors + 1)
        }
        other: Code | None = code
        while other is not None:
            shared = {each for each in shared if variables.holds(each, other)}
            other = self.code(rows, (), sorted(shared)) if shared else None
        return shared
