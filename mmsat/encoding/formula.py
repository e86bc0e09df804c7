"""A formula under construction: clauses, native cardinality constraints, names of variables.

"Exactly one" or "at most one" of up to `pairs` literals is encoded by one clause per pair. For more
literals it is encoded by a ladder, whose auxiliary variable l_i is true exactly when one of the
first i literals is. So the literals determine all auxiliary variables, as in every encoding.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from numbers import Integral

from mmsat.errors import InputError

MAX_PAIRWISE_LITERALS = 6
"""By default, the maximum number of literals for which at-most-one is encoded by pairs."""


@dataclass(slots=True)
class Formula:
    """A formula in conjunctive normal form. Variables are numbered from 1; -x negates x."""

    variables: int = 0
    """The number of variables."""
    code_variables: int = 0
    """The number of code variables, which are numbered 1 + peg * colors + color."""
    clauses: list[list[int]] = field(default_factory=list)
    """Each clause is the list of its literals."""
    at_most: list[tuple[list[int], int]] = field(default_factory=list)
    """Native constraints: at most this number of these literals (which may repeat) are true."""
    selectors: tuple[int, ...] = ()
    """The literal that enables each row, if the formula was built with selectors."""
    names: dict[int, str] = field(default_factory=dict)
    """Names of code variables, counts of colors, and selectors."""

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add the clause of these literals, which are separate arguments: `add(1, -2)`.

        Raises InputError if the first argument is not a whole number.
        """
        if literals and type(literals[0]) is not int and not isinstance(literals[0], Integral):
            expected = "literals as separate arguments, such as add(1, -2)"
            raise InputError.of("Formula.add", expected, literals[0])
        self.clauses.append(list(literals))

    def conjunction(self, literals: Sequence[int]) -> int:
        """Return a literal that is true exactly when all of `literals` are: an AND gate."""
        if len(literals) == 1:
            return literals[0]
        conjunction = self.new()
        for literal in literals:
            self.add(-conjunction, literal)
        self.add(conjunction, *(-literal for literal in literals))
        return conjunction

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
    earlier = literals[0]  # true if one of the literals so far is
    for literal in literals[1:-1]:
        so_far = formula.new()
        formula.add(-earlier, so_far)
        formula.add(-literal, so_far)
        formula.add(-so_far, earlier, literal)
        formula.add(*guard, -earlier, -literal)
        earlier = so_far
    formula.add(*guard, -earlier, -literals[-1])


def exactly_one(
    literals: Sequence[int],
    formula: Formula,
    guard: Sequence[int] = (),
    pairs: int = MAX_PAIRWISE_LITERALS,
) -> None:
    """Require that exactly one of the literals is true, with one clause more than at_most_one."""
    formula.add(*guard, *literals)
    at_most_one(literals, formula, guard, pairs)
