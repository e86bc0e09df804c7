"""A growing formula: clauses, native cardinality constraints, and names for the variables.

Exactly one, or at most one, of some literals is said by pairs up to six literals, or as many as the
encoding has it; more by a ladder, whose helper l_i holds exactly when one of the first i literals
does, so that it is defined as every helper must be.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

PAIRS = 6
"""The most literals that are told apart by pairs."""


@dataclass(slots=True)
class Formula:
    """A formula in conjunctive form. Literals are numbers from 1; negative means denied."""

    variables: int = 0
    """The number of variables."""
    code_variables: int = 0
    """How many of them, the first ones, are the code: 1 + peg * colors + color."""
    clauses: list[list[int]] = field(default_factory=list)
    """Each is true when one of its literals is."""
    at_most: list[tuple[list[int], int]] = field(default_factory=list)
    """Native constraints: at most so many of these literals (which may repeat) are true."""
    selectors: tuple[int, ...] = ()
    """For each row the literal that switches it on, if the formula was made to be switched."""
    names: dict[int, str] = field(default_factory=dict)
    """What the variables mean, where that can be said in a word."""

    def new(self) -> int:
        """A fresh variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(list(literals))

    def conjunction(self, literals: Sequence[int]) -> int:
        """A literal that is true exactly when all of these are: the AND gate."""
        if len(literals) == 1:
            return literals[0]
        together = self.new()
        for literal in literals:
            self.add(-together, literal)
        self.add(together, *(-literal for literal in literals))
        return together

    def add_at_most(self, literals: Sequence[int], bound: int) -> None:
        """Add a native cardinality constraint."""
        self.at_most.append((list(literals), bound))


def at_most_one(
    literals: Sequence[int], formula: Formula, guard: Sequence[int] = (), pairs: int = PAIRS
) -> None:
    """Say that no two of the literals are true, unless one of the guard is.

    n(n-1)/2 clauses up to so many literals; above, n - 2 helpers and 4n - 7 clauses.
    """
    if len(literals) <= pairs:
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


def exactly_one(
    literals: Sequence[int], formula: Formula, guard: Sequence[int] = (), pairs: int = PAIRS
) -> None:
    """Say that one of the literals is true and no other: one clause more than at_most_one."""
    formula.add(*guard, *literals)
    at_most_one(literals, formula, guard, pairs)
