"""Unsatisfiability -> a peg with the same color in every consistent code: see README.md."""

import random
from collections.abc import Iterable, Sequence
from functools import cached_property

from mmsat.errors import Description, InputError
from mmsat.game import Code
from mmsat.reductions.equations import EquationCompiler, FormulaReduction
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Answer, Sample, Samples, draw_three_sat
from mmsat.reductions.sat import add_models
from mmsat.reductions.sources import Assignment, Formula


def draw(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a formula with or without a model. The code of the additional model is the witness."""
    del answer
    return draw_three_sat(size, rng, Answer.ANY)


class CertainPeg(FormulaReduction):
    """The board of a formula with an additional model, whose code alone has color 2 at `peg`."""

    name = "certain-peg"
    title = "unsatisfiability -> a peg that has the same color in every code"
    theorem = (
        "whether a peg is certain is coNP-complete, even if a code is known (a corollary of "
        "Viglietta 2012 and of Yato and Seta 2003)"
    )
    formula = SizeFormulas("4n + 3L - M + e + 2", "2", "2 + 3n + 2L + e")
    family = "3SAT and a peg: is it the same in every code?"
    samples = Samples(draw, (Answer.CONSISTENT,), unit="variables", size=4, min_size=3)

    @property
    def peg(self) -> int:
        """The peg, from 0, that has color 2 in all codes if and only if the source has no model."""
        return self.source.variables

    @property
    def question(self) -> str:
        question = f"Does peg {self.peg + 1} have color 2 in every consistent code?"
        return f"{question} It does if and only if the formula has no model."

    @cached_property
    def extension(self) -> Formula:
        """The formula with one additional model."""
        z = self.source.variables + 1
        clauses = [
            *((*clause, z) for clause in self.source.clauses),
            *((x, -z) for x in range(1, z)),
        ]
        return Formula(z, tuple(clauses))

    @property
    def known(self) -> tuple[Code, ...]:
        return (self.equations.code((True,) * (self.source.variables + 1)),)

    def write(self, system: EquationCompiler) -> None:
        add_models(system, self.extension)

    def sizes(self) -> Sizes:
        lengths = [len(clause) for _, clause in self.source.simplified_clauses()]
        n, literals, empty = self.source.variables, sum(lengths), lengths.count(0)
        pegs = 4 * n + 3 * literals - len(lengths) + empty + 2
        return Sizes(pegs, 2, 2 + 3 * n + 2 * literals + empty)

    def bits(self, certificate: Assignment) -> Iterable[int]:
        return (*certificate, False)

    def decode_colors(self, code: Sequence[int]) -> Assignment:
        """Return the model of a code. Raises InputError for the code of the additional model."""
        if code[self.peg]:
            found = Description("the code that exists for every formula")
            raise InputError.of("the code", "the code of a model", found)
        return super().decode_colors(code)
