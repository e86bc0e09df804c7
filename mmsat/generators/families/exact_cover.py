"""Exact cover by sets of three."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.covers import triple_cover
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class ExactCover(Reduced):
    """Covers with a planted answer, or with none by parity."""

    name = "exact-cover"
    summary = "exact cover by random sets of three, 3.35 at an element"
    unit = "thirds of the elements"
    size = 20
    smallest = 2
    answers = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """Sets of three."""
        return triple_cover(size, rng, answer)
