"""3SAT -> one-in-three 3SAT: exactly one true literal a clause, and as many solutions.

Clauses of the source have at most three different literals. R(a, b, c) stands for a clause of the
target, "exactly one of these"; each has three different variables.

    x or y or z      R(x, p, q), R(y, p, r), R(q, r, t), R(p, -z, s)      with p, q, r, s, t new
    x or y           R(-x, -y, s)                                         with s new
    x                R(-x, a, b), R(-x, -a, -b), R(x, a, -b)              with a, b new
    nothing          these three for a new x, and R(-x, a, -b)            with x, a, b new

Proof. Three literals: let X be 1 - x, and so on. The first two say p + q = X and p + r = Y, and the
third that q and r are not both 1. If X = Y = 1, then p = 0 would make q = r = 1, so p = 1; else q
or r is X or Y itself, and p = 0: in all cases p is "X and Y", q and r follow, and t. The fourth
says that p and Z are not both 1, and s follows. Two literals: X and Y are not both 1, and s
follows. One literal: the first two sum to 2X + 2 = 2, so x = 1 and a + b = 1; the third then makes
a = 0 and b = 1. Nothing: with these values the fourth has no true literal. All new variables are
determined, so solutions correspond one to one.

Sizes: a clause of three literals is 5 variables and 4 clauses, one of two is 1 and 1, one of one is
2 and 3, an empty one is 3 and 4; those with a literal and its negation are left out.

Source: one-in-three 3SAT is NP-complete by Schaefer, The complexity of satisfiability problems
(1978). The construction is this project's own, and keeps the number of solutions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.reductions.steps.formulas import Assignment, FormulaStep
from mmsat.reductions.steps.growing import Growing

if TYPE_CHECKING:
    from mmsat.reductions.sources.formula import Formula
    from mmsat.reductions.steps.growing import Definition


class OneInThree(FormulaStep):
    """A conjunction of two and a bound for each clause of three literals."""

    name = "one-in-three"
    title = "3SAT -> one-in-three 3SAT, as many solutions"
    theorem = "one-in-three 3SAT is NP-complete (Schaefer 1978)"

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        faults = [
            Fault(f"clause {number} has at most three literals", clause, "the step three-sat first")
            for number, clause in enumerate(source.clauses, 1)
            if len(set(clause)) > 3 and not any(-literal in clause for literal in clause)
        ]
        if faults:
            raise InputError(faults, "the formula")

    def write(self) -> Growing:
        """Clause after clause."""
        growing = Growing(self.source.variables)
        for _, clause in self.source.plain():
            if len(clause) == 3:
                _one_of_three(growing, *clause)
            elif len(clause) == 2:
                growing.clause(-clause[0], -clause[1], growing.variable(_both(*clause)))
            elif clause:
                _true(growing, clause[0])
            else:
                x = growing.variable(_never)
                a, b = _true(growing, x)
                growing.clause(-x, a, -b)
        return growing

    def is_target_certificate(self, certificate: Assignment) -> bool:
        """Whether it makes exactly one literal of every clause of the target true."""
        one = (each == 1 for each in self.target.true_literals(certificate))
        return len(certificate) == self.target.variables and all(one)


def _one_of_three(growing: Growing, x: int, y: int, z: int) -> None:
    """Say x or y or z."""
    p = growing.variable(_both(-x, -y))
    q = growing.variable(_both(-x, y))
    r = growing.variable(_both(x, -y))
    t = growing.variable(_both(-q, -r))
    s = growing.variable(_both(-p, z))
    growing.clause(x, p, q)
    growing.clause(y, p, r)
    growing.clause(q, r, t)
    growing.clause(p, -z, s)


def _true(growing: Growing, x: int) -> tuple[int, int]:
    """Say x; a variable that is false, and one that is true."""
    a = growing.variable(_never)
    b = growing.variable(_always)
    growing.clause(-x, a, b)
    growing.clause(-x, -a, -b)
    growing.clause(x, a, -b)
    return a, b


def _both(a: int, b: int) -> Definition:
    return lambda truth: truth(a) and truth(b)


def _never(_: object) -> bool:
    return False


def _always(_: object) -> bool:
    return True
