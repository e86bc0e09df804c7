"""Permanents of random 0/1 matrices, three times over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.numbers import matrix
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class KPermanent(Reduced):
    """As many codes as permutations, times 3."""

    name = "k-permanent"
    summary = "three times the permanent of a 0/1 matrix, to be counted"
    unit = "rows of the matrix"
    size = 20
    smallest = 2
    answers = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A matrix and k = 3."""
        return matrix(size, rng, answer)._replace(numbers={"k": 3})
