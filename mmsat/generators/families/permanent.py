"""Permanents of random 0/1 matrices: quickly decided, hard to count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.numbers import matrix
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class Permanent(Reduced):
    """Matchings in sparse bipartite graphs."""

    name = "permanent"
    summary = "permanents of 0/1 matrices with three ones a row, to be counted"
    unit = "rows of the matrix"
    size = 20
    smallest = 2
    answers = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A matrix."""
        return matrix(size, rng, answer)
