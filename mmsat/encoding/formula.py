"""A growing formula: clauses, native cardinality constraints, and names of the variables.

"Exactly one" or "at most one" of up to `pairs` literals is encoded by one clause per pair. For more
literals it is encoded by a ladder, whose auxiliary variable l_i holds exactly when one of the first
i literals does. So auxiliary variables are defined here, too, as everywhere in this package.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

MAX_PAIRWISE_LITERALS = 6
"""The largest number of literals for which at-most-one is encoded by pairs, by default."""


@dataclass(slots=True)
class Formula:
    """A formula in conjunctive normal form. Literals count from 1; negative ones are negated."""

    variables: int = 0
    """The number of variables."""
    code_variables: int = 0
    """The number of code variables, which come first: 1 + peg * colors + color."""
    clauses: list[list[int]] = field(default_factory=list)
    """Each is true if at least one of its literals is."""
    at_most: list[tuple[list[int], int]] = field(default_factory=list)
    """Native constraints: at most this number of these literals (which may repeat) are true."""
    selectors: tuple[int, ...] = ()
    """The literal that enables each row, if the formula was built with selectors."""
    names: dict[int, str] = field(default_factory=dict)
    """Names of the variables that have a short meaning."""

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(list(literals))

    def conjunction(self, literals: Sequence[int]) -> int:
        """Return a literal that is true exactly when all of `literals` are: an AND gate."""
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
    literals: Sequence[int],
    formula: Formula,
    guard: Sequence[int] = (),
    pairs: int = MAX_PAIRWISE_LITERALS,
) -> None:
    """Require that at most one of the literals is true, unless a literal of `guard` is true.

    For n literals, this adds n(n-1)/2 clauses if n <= `pairs`; otherwise it adds 4n-7 clauses and
    n-2 auxiliary variables.
    """
    if len(literals) <= pairs:
        for one, other in combinations(literals, 2):
            formula.add(*guard, -one, -other)
        return
    before = literals[0]  # one of the literals up to here is true
    for literal in literals[1:-1]:
        step = formula.new()
        formula.add(-before, step)
        formula.add(-literal, step)
        formula.add(-step, before, literal)
        formula.add(*guard, -before, -literal)
        before = step
    formula.add(*guard, -before, -literals[-1])


def exactly_one(
    literals: Sequence[int],
    formula: Formula,
    guard: Sequence[int] = (),
    pairs: int = MAX_PAIRWISE_LITERALS,
) -> None:
    """Require that exactly one of the literals is true: one clause more than at_most_one."""
    formula.add(*guard, *literals)
    at_most_one(literals, formula, guard, pairs)
