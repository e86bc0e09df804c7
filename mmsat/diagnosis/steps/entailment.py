"""Entailment from rows and literals, by which each step is verified independently.

The compiled search decides small boards, and CP-SAT all others. Nothing in this module depends on
how steps are found.
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

LINEARIZATION_LEVEL = 2
"""`linearization_level` of CP-SAT: linear programming proves the conclusions of counting."""
MAX_SLICES = 64
"""Maximum number of slices of the compiled search before CP-SAT runs: some hundred milliseconds."""


class Entailment:
    """Queries for codes of one board that satisfy rows and literals, but violate other literals."""

    def __init__(self, board: Board, system: System, *, slices: int = MAX_SLICES) -> None:
        """Set up the queries; each searches up to `slices` slices before it calls CP-SAT."""
        self.slices = slices
        self.board = board
        self.system = system
        self.is_large = is_large(board)

    def code(
        self, rows: Iterable[int], literals: Collection[int], denied: Collection[int] = ()
    ) -> Code | None:
        """Return a code that satisfies the rows and literals, but not all of `denied`, or None."""
        constraints = (
            [CardinalityConstraint(tuple(literals), len(literals), len(literals))]
            if literals
            else []
        )
        if denied:
            constraints.append(CardinalityConstraint(tuple(denied), 0, len(denied) - 1))
        groups = (*(self.system.soft[row].constraints for row in rows), tuple(constraints))
        system = self.system.with_rows(groups)
        if not self.is_large:
            search = SlicedSearch(system, slices=self.slices)
            code = next(iter(search), None)
            if code is not None or search.is_exhausted:
                return code
        attempt = CpTry(system)
        attempt.solver.parameters.linearization_level = LINEARIZATION_LEVEL
        if not attempt.solve():
            raise InternalError(f"CP-SAT did not decide a step of {self.board}")
        return attempt.code

    def follows(
        self, rows: Iterable[int], literals: Collection[int], found: Collection[int]
    ) -> bool:
        """Return whether all of `found`, or a contradiction if it is empty, is entailed."""
        return self.code(rows, literals, found) is None

    def verify(self, step: Step) -> None:
        """Raise InternalError if a step, or a step inside it, does not follow from its premises."""
        for inner in step.walk():
            if not self.follows(inner.rows, inner.literals, inner.found):
                message = f"a step of {self.board} does not follow: {inner}"
                raise InternalError(message)
            if inner.supposed is not None and inner.found != (-inner.supposed,):
                message = f"a step of {self.board} does not refute its assumption: {inner}"
                raise InternalError(message)

    def backbone(self, code: Code) -> set[int]:
        """Return the literals, positive or negative, that hold for every code, given one code."""
        rows = range(len(self.system.soft))
        variables = self.system.variables
        shared = {
            literal if variables.holds(literal, code) else -literal
            for literal in range(1, 2 * variables.pegs * variables.colors + 1)
        }
        counterexample: Code | None = code
        while counterexample is not None:
            shared = {literal for literal in shared if variables.holds(literal, counterexample)}
            counterexample = self.code(rows, (), sorted(shared)) if shared else None
        return shared
