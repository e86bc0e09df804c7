"""Random one-in-three 3SAT, as boards of consistent play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.formulas import one_in_three
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class ConsistentMastermind(Reduced):
    """Boards on which no guess was wasted; they grow with the square of the formula."""

    name = "consistent-mastermind"
    summary = "one-in-three 3SAT, 0.7 clauses a variable, every guess consistent"
    unit = "variables"
    size = 7
    smallest = 6
    answers = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """Clauses of three."""
        return one_in_three(size, (7 * size + 5) // 10, rng, answer)
