"""Lies in clauses: how far each wish is missed, counted in full, and the sum of it bounded.

Every helper is defined by the code, as everywhere here, so that a formula has as many models as
there are codes within the lies. Of a wish that may be missed by d at most there are d literals,
"missed by more than 0", ..., "by more than d - 1"; that it is not missed by more than d is a
constraint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import DEFAULT, Builder, require_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints.lenient import Lenient, Wish
    from mmsat.encoding.formula import Formula
    from mmsat.game.literals import CardinalityConstraint


def lenient_cnf(lenient: Lenient, encoding: str = DEFAULT) -> Formula:
    """The formula whose models are the codes within the lies, one each.

    Raises SizeError where what the rows say would take too much memory, even without lies.
    """
    require_memory(lenient.whole, encoding)
    builder = LenientBuilder(lenient, lenient.strict, encoding)
    counted: list[int] = []
    lies = lenient.lies
    for wish in lenient.open:
        literals, always = builder.missed(wish, lenient.most(wish, 1))
        counted += literals * wish.weight
        lies -= always * wish.weight
    builder.at_most(counted, lies)
    return builder.formula


def switched_cnf(lenient: Lenient, encoding: str = DEFAULT) -> Formula:
    """A formula in which a row is counted only while its literal of `formula.selectors` is true.

    Its models are no measure of the codes: what is not counted may be anything.
    """
    require_memory(lenient.whole, encoding)
    game = System.of(Board(lenient.board.game))
    builder = LenientBuilder(lenient, game, encoding)
    formula = builder.formula
    formula.selectors = tuple(formula.new() for _ in lenient.board.rows)
    counted: list[int] = []
    for wish in lenient.wishes:
        literals, always = builder.missed(wish, min(lenient.lies + 1, wish.reach))
        for row in wish.rows:
            counted += [formula.selectors[row]] * always
            for literal in literals:
                counted.append(formula.new())
                formula.add(-formula.selectors[row], -literal, counted[-1])
    builder.at_most(counted, lenient.lies)
    return formula


class LenientBuilder(Builder):
    """A formula of what must hold, to be told how far wishes may be missed."""

    def __init__(self, lenient: Lenient, kept: System, encoding: str = DEFAULT) -> None:
        """Make the formula of what must hold, with counters for all that is asked later."""
        super().__init__(kept, encoding, depths=lenient.depths())

    def missed(self, wish: Wish, most: int) -> tuple[list[int], int]:
        """Literals, and how many more that are always true, of which as many as it is missed by.

        But no more than `most`.
        """
        literals: list[int] = []
        always = 0
        for allowance in range(most):
            constraints = [
                constraint for constraint in wish.widened(allowance) if not is_trivial(constraint)
            ]
            if any(map(is_never, constraints)):
                always += 1
            else:
                literals.append(-self.both([each for c in constraints for each in self.saying(c)]))
        return literals, always

    def both(self, literals: Sequence[int]) -> int:
        """A literal that is true exactly when all of these are."""
        if len(literals) == 1:
            return literals[0]
        together = self.formula.new()
        for literal in literals:
            self.formula.add(-together, literal)
        self.formula.add(together, *(-literal for literal in literals))
        return together

    def at_most(self, literals: Sequence[int], bound: int) -> None:
        """No more than so many of the literals are true; they may repeat."""
        if bound < 0:
            self.formula.add()
        elif bound == 0:
            for literal in literals:
                self.formula.add(-literal)
        elif bound < len(literals):
            self.encoding.between(literals, 0, bound, None, self.formula)


def is_trivial(constraint: CardinalityConstraint) -> bool:
    """Whether every code satisfies a constraint."""
    return constraint.low <= 0 and constraint.high >= len(constraint.literals)


def is_never(constraint: CardinalityConstraint) -> bool:
    """Whether no code satisfies a constraint."""
    return constraint.low > len(constraint.literals) or constraint.high < max(constraint.low, 0)
