"""One-in-three 3SAT -> two colors: README.md has the construction and its proof."""

from collections import Counter

from mmsat.reductions.equations import EquationCompiler, OneInReduction, add_literals
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Samples, draw_one_in_three
from mmsat.reductions.sources import Clause, spell_clause


class OneInThree3Sat(OneInReduction):
    """A pair of pegs for each variable, and a row for each clause."""

    name = "one-in-three-3sat"
    title = "one-in-three 3SAT -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004)"
    formula = SizeFormulas("2n", "2", "1 + n + m + r")
    family = "one-in-three 3SAT, positive, 0.626 clauses per variable"
    samples = Samples(
        lambda size, rng, answer: draw_one_in_three(size, (626 * size + 500) // 1000, rng, answer),
        unit="variables",
        size=40,
        min_size=6,
    )

    def write(self, system: EquationCompiler) -> None:
        pegs = add_literals(system, self.source.variables)
        for number, clause in enumerate(self.source.clauses, 1):
            for ones, literals in split(clause):
                meaning = f"{ones or 'none'} of {spell_clause(literals)}"
                pegs_of = [pegs[literal] for literal in literals]
                system.exactly(ones, pegs_of, f"clause {number}", meaning)

    def sizes(self) -> Sizes:
        variables = self.source.variables
        rows = sum(len(split(clause)) for clause in self.source.clauses)
        return Sizes(max(1, 2 * variables), 2, 1 + variables + rows)


def split(clause: Clause) -> list[tuple[int, Clause]]:
    """Split "exactly one of these literals is true" into sums of distinct literals.

    Each sum is a total and its literals. A pair of x and -x counts 1, so it reduces the total. A
    literal that repeats must be false.
    """
    multiplicity = Counter(clause)
    num_pairs_of = {x: min(multiplicity[x], multiplicity[-x]) for x in set(map(abs, clause))}
    multiplicity.subtract(
        {sign * x: count for x, count in num_pairs_of.items() for sign in (1, -1)}
    )
    ones = 1 - sum(num_pairs_of.values())
    unpaired = [literal for literal in multiplicity if multiplicity[literal]]
    if ones < 1:
        return [(ones, tuple(unpaired))]
    repeated = tuple(literal for literal in unpaired if multiplicity[literal] > 1)
    single = tuple(literal for literal in unpaired if multiplicity[literal] == 1)
    return [(0, repeated), (1, single)] if repeated else [(1, single)]
