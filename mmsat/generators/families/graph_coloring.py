"""Coloring with three colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.graphs import colorable
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class GraphColoring(Reduced):
    """Random graphs at their threshold; impossible ones need four colors by a theorem."""

    name = "graph-coloring"
    summary = "3-coloring, 4.69 random edges at a node, or Mycielski graphs"
    unit = "nodes"
    size = 30
    smallest = 4
    answers = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A graph and k = 3."""
        return colorable(size, rng, answer)
