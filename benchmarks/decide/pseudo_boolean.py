"""A model of boards for Exact, the pseudo-Boolean solver of the PyPI package `exact`.

A 0-1 variable means that a peg has a color; exactly one of them is true for each peg. Another one
means that at least `t` pegs have a color; it is equivalent to a linear inequality over the pegs.
Each constraint of a board is then a sum with two bounds. The license of the package is AGPL, so it
is only used in benchmarks.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.results.verdict import Status
from mmsat.solving.engine import Decision

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.game.literals import CardinalityConstraint, Literal

NAME = "exact"


class Model:
    """The model of a system in Exact."""

    def __init__(self, system: System) -> None:
        """Build it; raises SizeError if the codes of the game are a list."""
        from exact import Exact  # noqa: PLC0415  (a part that may be missing)

        if system.table is not None:
            raise SizeError("Exact is given no lists of codes")
        self.solver: Any = Exact()
        self.variables = system.variables
        self._defined: set[str] = set()
        self._conjunctions = count(1)
        for peg in range(self.variables.pegs):
            self._add([(1, self._at(peg, color)) for color in range(self.variables.colors)], 1, 1)
        for constraint in system.constraints:
            self._add_constraint(constraint)

    def _add(self, terms: list[tuple[int, str]], low: int, high: int) -> None:
        """Add a sum with its bounds."""
        self.solver.addConstraint(terms, True, low, True, high)

    def _declare(self, name: str) -> bool:
        """Declare a variable; return whether it is new."""
        is_new = name not in self._defined
        if is_new:
            self._defined.add(name)
            self.solver.addVariable(name, 0, 1)
        return is_new

    def _at(self, peg: int, color: int) -> str:
        """Return the variable that is true if a peg has a color."""
        name = self.variables.name(self.variables.at(peg, color))
        self._declare(name)
        return name

    def _variable(self, literal: int) -> str:
        """Return the variable of a literal without its sign; define it if it is new."""
        literal = abs(literal)
        if self.variables.is_at(literal):
            return self._at(*self.variables.peg_color(literal))
        name = self.variables.name(literal)
        if self._declare(name):
            color, least = self.variables.color_count(literal)
            pegs = [(1, self._at(peg, color)) for peg in range(self.variables.pegs)]
            self.solver.addReification(name, True, pegs, least)
        return name

    def _term(self, literal: Literal) -> tuple[int, str, int]:
        """Return coefficient, variable and constant of a literal as a summand."""
        if isinstance(literal, int):
            name = self._variable(literal)
            return (1, name, 0) if literal > 0 else (-1, name, 1)
        name = f"conjunction{next(self._conjunctions)}"
        self._declare(name)
        parts = [self._term(each) for each in literal]
        needed = len(parts) - sum(constant for _, _, constant in parts)
        terms = [(factor, variable) for factor, variable, _ in parts]
        self.solver.addReification(name, True, terms, needed)
        return 1, name, 0

    def _add_constraint(self, constraint: CardinalityConstraint) -> None:
        """Add a constraint of the system."""
        parts = [self._term(each) for each in constraint.literals]
        shift = sum(constant for _, _, constant in parts)
        terms = [(factor, variable) for factor, variable, _ in parts]
        self._add(terms, constraint.low - shift, constraint.high - shift)

    def decide(self) -> Decision:
        """Search until it is decided."""
        if self.solver.runFull(False) == "UNSAT":
            return Decision(Status.INCONSISTENT, None, NAME)
        pegs, colors = self.variables
        code = []
        for peg in range(pegs):
            names = [self._at(peg, color) for color in range(colors)]
            code.append(self.solver.getLastSolutionFor(names).index(1))
        return Decision(Status.CONSISTENT, tuple(code), NAME)


def decide(board: Board) -> Decision:
    """Return the decision of Exact, without a limit."""
    return Model(System.of(board)).decide()
