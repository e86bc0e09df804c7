"""Random one-in-three 3SAT, as boards of two colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.formulas import one_in_three
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class OneInThree3sat(Reduced):
    """Positive clauses at their threshold; impossible ones contradict each other by parity."""

    name = "one-in-three-3sat"
    summary = "one-in-three 3SAT, positive, 0.626 clauses a variable"
    unit = "variables"
    size = 40
    smallest = 6
    answers = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """Clauses of three."""
        return one_in_three(size, (626 * size + 500) // 1000, rng, answer)
