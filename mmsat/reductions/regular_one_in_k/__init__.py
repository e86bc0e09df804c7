"""Regular positive one-in-k satisfiability -> two colors, one peg per variable: see README.md."""

from mmsat.errors import Description, Fault, InputError
from mmsat.reductions.equations import EquationCompiler, OneInReduction
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Samples, draw_cubic_cover, to_positive_formula
from mmsat.reductions.sources import Formula, spell_clause, spell_literal


class RegularOneInK(OneInReduction):
    """A peg for each variable, and a row for each clause."""

    name = "regular-one-in-k"
    title = "regular positive one-in-k satisfiability -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004)"
    formula = SizeFormulas("n", "2", "1 + m")
    family = "cubic one-in-three: every variable in three clauses of three"
    samples = Samples(
        lambda size, rng, answer: to_positive_formula(draw_cubic_cover(size, rng, answer)),
        unit="thirds of the variables",
        size=12,
        min_size=3,
    )

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        faults = [
            Fault("", clause, "no negations and no repeats", part=f"clause {number}")
            for number, clause in enumerate(source.clauses, 1)
            if min(clause, default=1) < 1 or len(set(clause)) < len(clause)
        ]
        occurrences = [0] * source.variables
        for literal in (literal for clause in source.clauses for literal in clause):
            occurrences[abs(literal) - 1] += 1
        self.clauses_per_variable = max(occurrences, default=0)
        rule = "use one-in-three-3sat for other formulas"
        expected = "every variable in the same number of clauses, at least 1"
        if not self.clauses_per_variable or not min(occurrences):
            found = f"x{occurrences.index(0) + 1} in none" if occurrences else "no variables"
            faults.append(Fault(rule, Description(found), expected))
        elif min(occurrences) < self.clauses_per_variable:
            rare, frequent = (
                occurrences.index(number) + 1
                for number in (min(occurrences), self.clauses_per_variable)
            )
            found = f"x{rare} in {min(occurrences)}, x{frequent} in {self.clauses_per_variable}"
            faults.append(Fault(rule, Description(found), expected))
        InputError.refuse(faults, "the formula")

    def write(self, system: EquationCompiler) -> None:
        for x in range(1, self.source.variables + 1):
            system.peg(f"variable {x}", f"{spell_literal(x)} is true")
        for number, clause in enumerate(self.source.clauses, 1):
            pegs = [x - 1 for x in clause]
            system.exactly(1, pegs, f"clause {number}", f"1 of {spell_clause(clause)}")
        system.weight = len(self.source.clauses) // self.clauses_per_variable

    def sizes(self) -> Sizes:
        return Sizes(self.source.variables, 2, 1 + len(self.source.clauses))
