"""Models of formulas, by a solver, and input literals for tests of cardinality encodings."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from mmsat.encoding import Formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Model = frozenset[int]


def solver(formula: Formula, name: str = "minicard") -> Solver:
    """Return a solver with the clauses and bounds of a formula."""
    opened = Solver(name)
    # Then models also have the variables that are in no other clause.
    for variable in range(1, formula.variables + 1):
        opened.add_clause([variable, -variable])
    for clause in formula.clauses:
        opened.add_clause(clause)
    for literals, bound in formula.at_most:
        opened.add_atmost(literals, bound)
    return opened


def models(formula: Formula, assumptions: Sequence[int] = ()) -> list[Model]:
    """Return every model under assumptions, with the values of auxiliary variables."""
    with solver(formula) as opened:
        return [frozenset(model) for model in opened.enum_models(assumptions=list(assumptions))]


def inputs(n: int) -> tuple[Formula, list[int]]:
    """Return a formula of n variables without clauses, and a literal of each variable.

    Every third literal is negative.
    """
    return Formula(n, n), [-v if v % 3 == 0 else v for v in range(1, n + 1)]


def true_among(literals: Sequence[int], model: Model) -> int:
    """Return the number of true literals."""
    return sum(literal in model for literal in literals)


def on(literals: Sequence[int], model: Model) -> Model:
    """Return the restriction of a model to these literals."""
    return frozenset(literal if literal in model else -literal for literal in literals)


def partial(literals: Sequence[int]) -> Iterator[tuple[list[int], int, int]]:
    """Yield every partial assignment of the literals, with the numbers of true and unknown ones."""
    for values in product((True, False, None), repeat=len(literals)):
        pairs = zip(literals, values, strict=True)
        assumptions = [
            literal if value else -literal for literal, value in pairs if value is not None
        ]
        yield assumptions, values.count(True), values.count(None)
