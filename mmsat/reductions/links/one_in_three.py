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

from mmsat.errors import Fault, InputError
from mmsat.reductions.formula_link import Definition, FormulaBuilder, FormulaLink
from mmsat.reductions.sources.formula import Assignment, Formula


class OneInThree(FormulaLink):
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

    def write(self, builder: FormulaBuilder) -> None:
        """Write clause after clause."""
        for _, clause in self.source.plain():
            if len(clause) == 3:
                _assert_clause(builder, *clause)
            elif len(clause) == 2:
                builder.clause(-clause[0], -clause[1], builder.variable(_both(*clause)))
            elif clause:
                _assert_true(builder, clause[0])
            else:
                x = builder.variable(_never)
                a, b = _assert_true(builder, x)
                builder.clause(-x, a, -b)

    def is_target_certificate(self, certificate: Assignment) -> bool:
        """Whether it makes exactly one literal of every clause of the target true."""
        return self.target.has_one_true(certificate)


def _assert_clause(builder: FormulaBuilder, x: int, y: int, z: int) -> None:
    """Assert x or y or z."""
    p = builder.variable(_both(-x, -y))
    q = builder.variable(_both(-x, y))
    r = builder.variable(_both(x, -y))
    t = builder.variable(_both(-q, -r))
    s = builder.variable(_both(-p, z))
    builder.clause(x, p, q)
    builder.clause(y, p, r)
    builder.clause(q, r, t)
    builder.clause(p, -z, s)


def _assert_true(builder: FormulaBuilder, x: int) -> tuple[int, int]:
    """Assert x; returns a variable that is false, and one that is true."""
    a = builder.variable(_never)
    b = builder.variable(_always)
    builder.clause(-x, a, b)
    builder.clause(-x, -a, -b)
    builder.clause(x, a, -b)
    return a, b


def _both(a: int, b: int) -> Definition:
    return lambda truth: truth(a) and truth(b)


def _never(_: object) -> bool:
    return False


def _always(_: object) -> bool:
    return True
