"""Exact cover by sets of three, three at each element, as boards of consistent play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.covers import cubic_cover
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class ConsistentExactCover(Reduced):
    """Boards on which no guess was wasted; they grow with the square of the cover."""

    name = "consistent-exact-cover"
    summary = "cubic exact cover, every guess consistent"
    unit = "thirds of the elements"
    size = 3
    smallest = 3
    answers = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A cubic cover."""
        return cubic_cover(size, rng, answer)
