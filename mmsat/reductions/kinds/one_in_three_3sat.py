"""One-in-three 3SAT -> two colors.

Problem: given clauses of three literals (or any number), is there an assignment that makes exactly
one literal of each clause true? A literal that stands in a clause twice counts twice.

Construction, over pegs that are 0 or 1: p for each variable, 1 where it is true, and q, 1 where it
is false.

    p(x) + q(x) = 1                        for each variable
    the sum of the literals' pegs = 1      for each clause

A clause with repeats is first made plain. A literal and its negation are one true literal together,
so a pair of them goes, and with it 1 of the sum. Where the sum is still 1, a literal that is there
twice must be false: the clause becomes two equations, "none of these", and "one of the rest". Where
the sum is 0, no remaining literal is true; where it is negative, the clause is impossible.

Proof. The pairs say that q is the negation of p, so the solutions are the assignments with exactly
one true literal a clause, one to one. The pairs partition the pegs, so every solution weighs n, and
the equations are a board (mmsat.reductions.equations).

Sizes, for n variables and m clauses, of which r have repeated literals but no literal together with
its negation: 2n pegs, 2 colors, 1 + n + m + r rows. Parsimonious, and the same with black only.

Source: Mastermind satisfiability is NP-complete by de Bondt, NP-completeness of Master Mind and
Minesweeper (2004), from one-in-three 3SAT. The construction is this project's own.
"""

from __future__ import annotations

from collections import Counter

from mmsat.reductions.assignments import Assignment, FromFormula, add_literals
from mmsat.reductions.base import Sizes
from mmsat.reductions.equations import Equations
from mmsat.reductions.sources.formula import Clause, names


class OneInThree3Sat(FromFormula):
    """A pair of pegs for each variable, a row for each clause."""

    name = "one-in-three-3sat"
    title = "one-in-three 3SAT -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004)"
    formula = {"pegs": "2n", "colors": "2", "rows": "1 + n + m + r"}  # noqa: RUF012

    def write(self) -> Equations:
        """Variables, then clauses."""
        system = Equations()
        pegs = add_literals(system, self.source.variables)
        for number, clause in enumerate(self.source.clauses, 1):
            for ones, literals in plain(clause):
                says = f"{ones or 'none'} of {names(literals)}"
                system.exactly(ones, [pegs[each] for each in literals], f"clause {number}", says)
        return system

    def sizes(self) -> Sizes:
        """Two pegs a variable; a row a clause, or two."""
        variables = self.source.variables
        rows = sum(len(plain(clause)) for clause in self.source.clauses)
        return Sizes(2 * variables, 2, 1 + variables + rows)

    def is_certificate(self, certificate: Assignment) -> bool:
        """Whether it makes exactly one literal of every clause true."""
        one = (each == 1 for each in self.source.true_literals(certificate))
        return len(certificate) == self.source.variables and all(one)


def plain(clause: Clause) -> list[tuple[int, Clause]]:
    """What "exactly one of these is true" says in sums of different literals: how many of which."""
    times = Counter(clause)
    pairs = {x: min(times[x], times[-x]) for x in set(map(abs, clause))}
    times.subtract({sign * x: many for x, many in pairs.items() for sign in (1, -1)})
    ones = 1 - sum(pairs.values())
    rest = [literal for literal in times if times[literal]]
    if ones < 1:
        return [(ones, tuple(rest))]
    twice = tuple(literal for literal in rest if times[literal] > 1)
    once = tuple(literal for literal in rest if times[literal] == 1)
    return [(0, twice), (1, once)] if twice else [(1, once)]
