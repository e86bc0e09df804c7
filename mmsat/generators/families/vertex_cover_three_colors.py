"""Vertex Cover in random graphs, as boards of three colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.graphs import covered, graph, random_edges
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class VertexCoverThreeColors(Reduced):
    """Three edges for each node, three colors."""

    name = "vertex-cover-three-colors"
    summary = "vertex cover, three random edges a node, k the least cover or one less"
    unit = "nodes"
    size = 20
    smallest = 2
    answers = (Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A graph and the size of its least cover, or one less."""
        return covered(graph(size, random_edges(size, 3 * size, rng)), answer)
