"""Satisfiability -> a board with k known codes and one more code per model: see README.md."""

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.reductions.equations import EquationCompiler, FormulaReduction
from mmsat.reductions.reduction import SizeFormulas, Sizes, require_whole
from mmsat.reductions.samples import Answer, Sample, Samples, draw_three_sat
from mmsat.reductions.sat import add_models
from mmsat.reductions.sources import Assignment, Formula


def draw(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a formula; the question is whether there is a code in addition to a known one."""
    return draw_three_sat(size, rng, answer)._replace(parameters={"k": 1})


class AnotherSolution(FormulaReduction):
    """The board of a formula that is extended by k models, whose codes are known."""

    name = "another-solution"
    title = "satisfiability -> another code besides k known ones"
    theorem = (
        "another code besides k known ones is NP-complete, for every k, and Mastermind "
        "ASP-complete (Viglietta 2012 for uniqueness; ours for k known codes, after Yato and Seta "
        "2003)"
    )
    parameters = ("k",)
    formula = SizeFormulas("4n + 3L - M + e + 6k + k^2 + 1", "2", "2 + 3n + 4k + k^2 + 2L + e")
    family = "3SAT and one known code: is there another?"
    samples = Samples(draw, unit="variables", size=6, min_size=6)

    def __init__(self, source: Formula, *, k: int) -> None:
        super().__init__(source, k=k)
        self.k = require_whole("k", k, 1)

    @cached_property
    def extension(self) -> Formula:
        """The formula with k additional models."""
        variables = self.source.variables
        z = variables + 1
        ws = range(z + 1, z + 1 + self.k)
        clauses = [
            *((*clause, z) for clause in self.source.clauses),
            *((x, -z) for x in range(1, z)),
            *((-w, z) for w in ws),
            (-z, *ws),
            *((-a, -b) for a, b in combinations(ws, 2)),
        ]
        return Formula(variables + 1 + self.k, tuple(clauses))

    @property
    def known_codes(self) -> tuple[Code, ...]:
        """The codes of the k additional models."""
        numbers = range(self.k)
        true = (True,) * (self.source.variables + 1)
        return tuple(
            self.equations.code([*true, *(number == j for number in numbers)]) for j in numbers
        )

    def build(self) -> Board:
        return replace(super().build(), known=self.known_codes)

    def write(self, system: EquationCompiler) -> None:
        add_models(system, self.extension)

    def sizes(self) -> Sizes:
        lengths = [len(clause) for _, clause in self.source.simplified_clauses()]
        n, k, literals = self.source.variables, self.k, sum(lengths)
        clauses, empty = len(lengths), lengths.count(0)
        pegs = 4 * n + 3 * literals - clauses + empty + 6 * k + k * k + 1
        return Sizes(pegs, 2, 2 + 3 * n + 4 * k + k * k + 2 * literals + empty)

    def bits(self, certificate: Assignment) -> Iterable[int]:
        return (*certificate, *(False,) * (self.k + 1))
