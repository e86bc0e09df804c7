"""Vertex Cover in random cubic graphs, just possible and just impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.generators.base import Answer
from mmsat.generators.graphs import covered, cubic_edges, graph
from mmsat.generators.reduced import Made, Reduced

if TYPE_CHECKING:
    import random


class VertexCoverRegular(Reduced):
    """The smallest hard boards: 5 pegs and 3 rows for two nodes."""

    name = "vertex-cover-regular"
    summary = "vertex cover in cubic graphs, k the least cover or one less"
    unit = "pairs of nodes"
    size = 12
    smallest = 2
    answers = (Answer.CONSISTENT, Answer.INCONSISTENT)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A cubic graph and the size of its least cover, or one less."""
        nodes = 2 * size
        return covered(graph(nodes, cubic_edges(nodes, rng)), answer)
