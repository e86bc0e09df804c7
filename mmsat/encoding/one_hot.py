"""Exactly one, or at most one, of some literals.

Up to six literals by pairs; more by a ladder, whose helper l_i holds exactly when one of the first
i literals does, so that it is defined as every helper must be.
"""

from collections.abc import Sequence
from itertools import combinations

from mmsat.encoding.formula import Formula

PAIRS = 6
"""The most literals that are told apart by pairs."""


def at_most_one(literals: Sequence[int], formula: Formula, guard: Sequence[int] = ()) -> None:
    """Say that no two of the literals are true, unless one of the guard is.

    n(n-1)/2 clauses up to six literals; above, n - 2 helpers and 4n - 7 clauses.
    """
    if len(literals) <= PAIRS:
        for one, other in combinations(literals, 2):
            formula.add(*guard, -one, -other)
        return
    before = literals[0]  # one of the literals so far is true
    for literal in literals[1:-1]:
        step = formula.new()
        formula.add(-before, step)
        formula.add(-literal, step)
        formula.add(-step, before, literal)
        formula.add(*guard, -before, -literal)
        before = step
    formula.add(*guard, -before, -literals[-1])


def exactly_one(literals: Sequence[int], formula: Formula) -> None:
    """Say that one of the literals is true and no other: one clause more than at_most_one."""
    formula.add(*literals)
    at_most_one(literals, formula)
