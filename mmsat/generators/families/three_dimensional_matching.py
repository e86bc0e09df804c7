"""Three-dimensional matching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.covers import matching
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class ThreeDimensionalMatching(Reduced):
    """Triples with a planted matching, or with none by parity."""

    name = "three-dimensional-matching"
    summary = "three-dimensional matching, 3.35 random triples a thing"
    unit = "things of a kind"
    size = 20
    smallest = 2
    answers = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """Triples."""
        return matching(size, rng, answer)
