"""Satisfiability -> two colors: a board with as many codes as a formula has models.

Problem: given a formula in conjunctive normal form, is there an assignment that makes a literal of
each clause true, and how many are there?

Construction, over pegs that are 0 or 1: p for each variable, 1 where it is true, and q, 1 where it
is false. Clauses are taken without repeated literals, and those with a literal and its negation are
left out. A clause of k literals, L of which are true, gets the pegs d(1) to d(k-1), d(i) = 1 where
L is more than i; the complement d'(1) of d(1); and for i from 1 to k-2 a complement e(i) of d(i),
and c(i), which is 1 where d(i) is and d(i+1) is not.

    p(x) + q(x) = 1                                      for each variable
    the negated literals' pegs + d(1) + ... + d(k-1) = k - 1
    d(1) + d'(1) = 1
    d(i) + e(i) = 1, and d(i+1) + e(i) + c(i) = 1        for i from 1 to k-2

A clause of one literal is the equation "its negation is 0", and one of none is impossible.

Proof. k - L negated literals are true, so the second equation says that L - 1 of the d are 1; hence
L is 1 at least. The last ones say that d(i+1) is 1 only where d(i) is, so the d that are 1 are the
first L - 1: each model is exactly one solution. The pegs are partitioned by the pairs p and q, the
pairs d(1) and d'(1), and the triples d(i+1), e(i), c(i), all of sum 1; so every solution weighs n
and k - 1 for each clause, and the equations are a board (mmsat.reductions.equations).

Sizes, for n variables, M clauses of two or more different literals, L literals in them, and u
clauses of fewer: 2n + 3L - 4M pegs, 2 colors, 1 + n + 2L - 2M + u rows. A clause of three literals
is 5 pegs and 4 rows. Parsimonious, and the same with black only.

Source: counting the codes of a board is #P-complete by Viglietta, Hardness of Mastermind (2012),
from #SAT. The construction is this project's own.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from mmsat.reductions.assignments import Assignment, FromFormula, add_literals
from mmsat.reductions.base import Sizes
from mmsat.reductions.equations import Equations
from mmsat.reductions.sources.formula import Clause, names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mmsat.reductions.sources.formula import Formula


class Sat(FromFormula):
    """A pair of pegs for each variable, a counter of true literals for each clause."""

    name = "sat"
    title = "satisfiability -> two colors, as many codes as models"
    theorem = "counting consistent codes is #P-complete (Viglietta 2012)"
    formula = {  # noqa: RUF012
        "pegs": "2n + 3L - 4M",
        "colors": "2",
        "rows": "1 + n + 2L - 2M + u",
    }

    def write(self) -> Equations:
        """Variables, then clauses."""
        return write(self.source)

    def sizes(self) -> Sizes:
        """Two pegs a variable, 3k - 4 a clause; a row a variable, 2k - 2 a clause."""
        lengths = [len(clause) for _, clause in self.source.plain()]
        many = [length for length in lengths if length > 1]
        pegs = 2 * self.source.variables + 3 * sum(many) - 4 * len(many)
        rows = 1 + self.source.variables + 2 * sum(many) - 2 * len(many)
        return Sizes(pegs, 2, rows + len(lengths) - len(many))

    def is_certificate(self, certificate: Assignment) -> bool:
        """Whether it makes every clause true."""
        return self.source.is_model(certificate)


def write(formula: Formula) -> Equations:
    """The equations whose solutions are the models of a formula, one to one."""
    system = Equations()
    pegs = add_literals(system, formula.variables)
    for number, clause in formula.plain():
        _add_clause(system, f"clause {number}", clause, [pegs[-literal] for literal in clause])
    return system


def _add_clause(system: Equations, gadget: str, clause: Clause, negated: list[int]) -> None:
    """Say that at most all but one of the negated literals are 1."""
    many = len(clause)
    if many < 2:
        system.exactly(many - 1, negated, gadget, f"1 of {names(clause)}")
        return
    more = [
        system.peg(gadget, f"more than {i} literals are true", _more_than(i, negated))
        for i in range(1, many)
    ]
    says = f"false literals of {names(clause)}, and true ones beyond the first: {many - 1}"
    system.exactly(many - 1, [*negated, *more], gadget, says)
    not_more = system.complement(more[0], gadget, "not more than 1 literal is true")
    system.exactly(1, (more[0], not_more), gadget, "more than 1 true literal or not")
    for i, (lower, upper) in enumerate(pairwise(more), 1):
        no = system.complement(lower, gadget, f"not more than {i} literals are true")
        here = system.peg(gadget, f"{i + 1} literals are true", _first_alone(lower, upper))
        system.exactly(1, (lower, no), gadget, f"more than {i} true literals or not")
        says = f"not more than {i} true literals, {i + 1}, or more than {i + 1}"
        system.exactly(1, (upper, no, here), gadget, says)
    system.weight += many - 1


def _more_than(i: int, negated: Sequence[int]) -> Callable[[Sequence[int]], int]:
    return lambda values: int(len(negated) - sum(values[peg] for peg in negated) > i)


def _first_alone(lower: int, upper: int) -> Callable[[Sequence[int]], int]:
    return lambda values: values[lower] - values[upper]
