"""Three-dimensional matching, with a color for each triple."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.covers import matching
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class ThreeDimensionalMatchingColors(Reduced):
    """Boards of many colors, scored with black only."""

    name = "three-dimensional-matching-colors"
    summary = "three-dimensional matching, a color for each triple"
    unit = "things of a kind"
    size = 6
    smallest = 2
    answers = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """Triples."""
        return matching(size, rng, answer)
