"""Satisfiability -> two colors, as many codes as models: README.md has construction and proof."""

from collections.abc import Sequence
from itertools import pairwise

from mmsat.reductions.equations import EquationCompiler, FormulaReduction, Value, add_literals
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Samples, draw_three_sat
from mmsat.reductions.sources import Clause, Formula, spell_clause


class Satisfiability(FormulaReduction):
    """A pair of pegs for each variable, and a counter of true literals for each clause."""

    name = "sat"
    title = "satisfiability -> two colors, as many codes as models"
    theorem = "counting consistent codes is #P-complete (Viglietta 2012)"
    formula = SizeFormulas("2n + 3L - 4M", "2", "1 + n + 2L - 2M + u")
    family = "3SAT, 4.26 random clauses per variable, or Tseitin parities"
    samples = Samples(draw_three_sat, unit="variables", size=8, min_size=6)

    def write(self, system: EquationCompiler) -> None:
        add_models(system, self.source)

    def sizes(self) -> Sizes:
        lengths = [len(clause) for _, clause in self.source.simplified_clauses()]
        counted_lengths = [length for length in lengths if length > 1]
        pegs = 2 * self.source.variables + 3 * sum(counted_lengths) - 4 * len(counted_lengths)
        rows = 1 + self.source.variables + 2 * sum(counted_lengths) - 2 * len(counted_lengths)
        return Sizes(max(1, pegs), 2, rows + len(lengths) - len(counted_lengths))


def add_models(system: EquationCompiler, formula: Formula) -> None:
    """Add equations whose solutions are the models of a formula, one to one."""
    pegs = add_literals(system, formula.variables)
    for number, clause in formula.simplified_clauses():
        _add_clause(system, f"clause {number}", clause, [pegs[-literal] for literal in clause])


def _add_clause(system: EquationCompiler, gadget: str, clause: Clause, negated: list[int]) -> None:
    """Add equations which require that one of the `negated` pegs is 0."""
    length = len(clause)
    if length < 2:
        system.exactly(length - 1, negated, gadget, f"1 of {spell_clause(clause)}")
        return
    thresholds = [
        system.peg(gadget, f"at least {i + 1} literals are true", _more_than(i, negated))
        for i in range(1, length)
    ]
    meaning = (
        f"false literals of {spell_clause(clause)}, and true ones beyond the first: {length - 1}"
    )
    system.exactly(length - 1, [*negated, *thresholds], gadget, meaning)
    not_more = system.complement(thresholds[0], gadget, "fewer than 2 literals are true")
    system.exactly(1, (thresholds[0], not_more), gadget, "at least 2 true literals, or fewer")
    for i, (lower, upper) in enumerate(pairwise(thresholds), 2):
        below = system.complement(lower, gadget, f"fewer than {i} literals are true")
        equal = system.peg(gadget, f"{i} literals are true", _difference(lower, upper))
        system.exactly(1, (lower, below), gadget, f"at least {i} true literals, or fewer")
        meaning = f"{i} true literals, fewer, or more"
        system.exactly(1, (upper, below, equal), gadget, meaning)
    system.weight += length - 1


def _more_than(i: int, negated: Sequence[int]) -> Value:
    return lambda values: int(len(negated) - sum(values[peg] for peg in negated) > i)


def _difference(lower: int, upper: int) -> Value:
    return lambda values: values[lower] - values[upper]
