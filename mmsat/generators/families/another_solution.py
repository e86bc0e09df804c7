"""Random 3SAT with a known code: the question is whether there is another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer, Generated
from mmsat.generators.formulas import three_sat
from mmsat.generators.reduced import Made, Reduced
from mmsat.reductions.kinds.another_solution import AnotherSolution as Reduction
from mmsat.results import Status

if TYPE_CHECKING:
    import random


class AnotherSolution(Reduced):
    """Always consistent; a formula without a model leaves the known code alone."""

    name = "another-solution"
    summary = "3SAT and one known code: is there another?"
    unit = "variables"
    size = 4
    smallest = 3
    answers = (Answer.CONSISTENT,)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """Random clauses, with or without a model."""
        del answer
        return three_sat(size, rng, Answer.ANY)

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        del rows
        made = self.source(size, rng, answer)
        kind = Reduction(made.source, k=1)
        recipe = (
            made.recipe,
            f"As a board by {self.name}: {kind.title}.",
            "The known code is the witness.",
        )
        return Generated(kind.board, Status.CONSISTENT, kind.known[0], recipe)
