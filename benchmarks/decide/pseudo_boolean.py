"""A model of boards for Exact, the pseudo-Boolean solver of the PyPI package `exact`.

A 0-1 variable means that a peg has a color; exactly one of them is true for each peg. Another one
means that at least `t` pegs have a color; it is equivalent to a linear inequality over the pegs.
Each constraint of a board is then a sum with two bounds. The license of the package is AGPL, so it
is only used in benchmarks.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from mmsat.constraints import System
from mmsat.errors import SizeError
from mmsat.game.board import Status
from mmsat.solving import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.board import Board
    from mmsat.game.space import CardinalityConstraint, Literal

NAME = "exact"


class Model:
    """The model of a system in Exact."""

    def __init__(self, system: System) -> None:
        """Build it; raises SizeError if the codes of the game are a list."""
        from exact import Exact

        if system.table is not None:
            raise SizeError("Exact is given no lists of codes")
        self.solver: Any = Exact()
        self.variables = system.variables
        self._counters: set[str] = set()
        self._conjunctions = count(1)
        pegs, colors = self.variables
        for peg in range(pegs):
            names = [self._at(peg, color) for color in range(colors)]
            for name in names:
                self.solver.addVariable(name, 0, 1)
            self.solver.addConstraint([(1, name) for name in names], True, 1, True, 1)
        for constraint in system.constraints:
            self._add(constraint)

    def _at(self, peg: int, color: int) -> str:
        """Return the variable that is true if a peg has a color."""
        return self.variables.name(self.variables.at(peg, color))

    def _define(self, name: str, terms: list[tuple[int, str]], least: int) -> None:
        """Add a variable that is true if and only if a sum is at least a number."""
        self.solver.addVariable(name, 0, 1)
        self.solver.addReification(name, True, terms, least)

    def _variable(self, literal: int) -> str:
        """Return the variable of a literal without its sign; define it if it is new."""
        name = self.variables.name(literal)
        if not self.variables.is_at(literal) and name not in self._counters:
            self._counters.add(name)
            color, least = self.variables.color_count(literal)
            pegs = [(1, self._at(peg, color)) for peg in range(self.variables.pegs)]
            self._define(name, pegs, least)
        return name

    def _term(self, literal: Literal) -> tuple[int, str, int]:
        """Return coefficient, variable and constant of a literal as a summand."""
        if isinstance(literal, int):
            name = self._variable(literal)
            return (1, name, 0) if literal > 0 else (-1, name, 1)
        name = f"conjunction{next(self._conjunctions)}"
        terms, constant = self._sum(literal)
        self._define(name, terms, len(literal) - constant)
        return 1, name, 0

    def _sum(self, literals: Sequence[Literal]) -> tuple[list[tuple[int, str]], int]:
        """Return the number of true literals as terms and a constant."""
        parts = [self._term(literal) for literal in literals]
        return [(factor, name) for factor, name, _ in parts], sum(part[2] for part in parts)

    def _add(self, constraint: CardinalityConstraint) -> None:
        """Add a constraint of the system."""
        terms, constant = self._sum(constraint.literals)
        low, high = constraint.low - constant, constraint.high - constant
        self.solver.addConstraint(terms, True, low, True, high)

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
