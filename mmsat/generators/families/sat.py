"""Random 3SAT, as boards with one code for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.formulas import three_sat
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class Sat(Reduced):
    """Random 3SAT at its threshold; impossible ones are parities on a random graph."""

    name = "sat"
    summary = "3SAT, 4.26 random clauses a variable, or Tseitin parities"
    unit = "variables"
    size = 8
    smallest = 6
    answers = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """Clauses of three."""
        return three_sat(size, rng, answer)
