"""Cubic positive one-in-three satisfiability: as many clauses as variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.covers import cubic_cover, positive
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class RegularOneInK(Reduced):
    """Formulas as regular as can be."""

    name = "regular-one-in-k"
    summary = "cubic one-in-three: every variable in three clauses of three"
    unit = "thirds of the variables"
    size = 12
    smallest = 3
    answers = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A cubic cover, its sets as variables."""
        return positive(cubic_cover(size, rng, answer))
