"""Linear equations over 0 and 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.numbers import equations
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class LinearSystem(Reduced):
    """Dense equations; impossible ones contradict each other modulo 3."""

    name = "linear-system"
    summary = "linear equations, coefficients -1 to 1, one for two variables"
    unit = "variables"
    size = 20
    smallest = 4
    answers = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A system."""
        return equations(size, rng, answer)
