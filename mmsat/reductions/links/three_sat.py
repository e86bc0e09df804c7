"""Satisfiability -> 3SAT: clauses of at most three literals, and as many models.

Construction: a clause of k literals, k above 3, gets the variables o(1) to o(k-3), where o(i) is
"one of the first i + 1 literals is true":

    o(1) = l(1) or l(2)        o(i) = o(i-1) or l(i+1)        o(k-3) or l(k-1) or l(k)

Each equation is three clauses of at most three literals. Clauses are taken without repeated
literals, and those with a literal and its negation are left out.

Proof. The equations determine the o, and the last clause says that one of all literals is true. One
model, one model.

Sizes: k - 3 variables and 3(k - 3) + 1 clauses for each clause of k literals above 3.

Source: Karp (1972) has the reduction with fewer clauses, which does not keep the number of models.
"""

from mmsat.reductions.formula_link import Definition, FormulaBuilder, FormulaLink
from mmsat.reductions.sources.formula import Assignment


class ThreeSat(FormulaLink):
    """Long clauses are cut; short ones stay."""

    name = "three-sat"
    title = "satisfiability -> 3SAT, as many models"
    theorem = "3SAT is NP-complete (Karp 1972)"

    def write(self, builder: FormulaBuilder) -> None:
        """Write clause after clause."""
        for _, clause in self.source.plain():
            first, rest = clause[:1], clause[1:]
            while len(rest) > 2:
                either, second = first[0], rest[0]
                some = builder.variable(_either(either, second))
                builder.clause(-either, some)
                builder.clause(-second, some)
                builder.clause(either, second, -some)
                first, rest = (some,), rest[1:]
            builder.clause(*first, *rest)

    def is_target_certificate(self, certificate: Assignment) -> bool:
        """Whether it is a model of the target."""
        return self.target.is_model(certificate)


def _either(a: int, b: int) -> Definition:
    return lambda truth: truth(a) or truth(b)
