"""Regular positive one-in-k satisfiability -> two colors, with one peg a variable.

Problem: given clauses of variables without negations, every variable in exactly d of them, is there
an assignment that makes exactly one variable of each clause true? It is read as a formula; seen the
other way round, the clauses are elements, and the variables are sets of d elements each, of which
some are to cover every element exactly once.

Construction: a peg for each variable, 1 where it is true.

    the sum of the variables' pegs = 1      for each clause

Proof. The solutions are the assignments that are asked for. Summed over all m clauses the equations
say d K = m of the weight K, so every solution weighs m / d, and the equations are a board
(mmsat.reductions.equations). Where d does not divide m there is no solution, and whatever weight
the board states there is none.

Sizes: n pegs, 2 colors, 1 + m rows: the smallest boards of all, for d = k = 3 as many clauses as
variables. Parsimonious, and the same with black only.

Source: cubic monotone one-in-three 3SAT is NP-complete by Moore and Robson (2001); for Mastermind
de Bondt (2004). The construction is this project's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.reductions.assignments import Assignment, FromFormula
from mmsat.reductions.base import Sizes
from mmsat.reductions.equations import Equations
from mmsat.reductions.sources.formula import names, spell

if TYPE_CHECKING:
    from mmsat.reductions.sources.formula import Formula


class RegularOneInK(FromFormula):
    """A peg for each variable, a row for each clause."""

    name = "regular-one-in-k"
    title = "regular positive one-in-k satisfiability -> two colors"
    theorem = "Mastermind with one row more than pegs is NP-complete (this project's remark)"
    formula = {"pegs": "n", "colors": "2", "rows": "1 + m"}  # noqa: RUF012

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        faults = [
            Fault(f"clause {number} has different variables", clause, "no negations, no repeats")
            for number, clause in enumerate(source.clauses, 1)
            if min(clause, default=1) < 1 or len(set(clause)) < len(clause)
        ]
        times = [0] * source.variables
        for literal in (literal for clause in source.clauses for literal in clause):
            times[abs(literal) - 1] += 1
        self.times = times[0]
        if len(set(times)) > 1 or not self.times:
            number = next((n for n, many in enumerate(times, 1) if many != self.times), 1)
            got = f"x1 in {self.times}, x{number} in {times[number - 1]}"
            rule = "every variable is in the same number of clauses"
            faults.append(Fault(rule, got, "a regular formula, or use one-in-three-3sat"))
        if faults:
            raise InputError(faults, "the formula")

    def write(self) -> Equations:
        """Variables, then clauses."""
        system = Equations()
        for x in range(1, self.source.variables + 1):
            system.peg(f"variable {x}", f"{spell(x)} is true")
        for number, clause in enumerate(self.source.clauses, 1):
            pegs = [x - 1 for x in clause]
            system.exactly(1, pegs, f"clause {number}", f"1 of {names(clause)}")
        system.weight = len(self.source.clauses) // self.times
        return system

    def sizes(self) -> Sizes:
        """A peg a variable, a row a clause, and the row of the weight."""
        return Sizes(self.source.variables, 2, 1 + len(self.source.clauses))

    def is_certificate(self, certificate: Assignment) -> bool:
        """Whether it makes exactly one variable of every clause true."""
        one = (each == 1 for each in self.source.true_literals(certificate))
        return len(certificate) == self.source.variables and all(one)
