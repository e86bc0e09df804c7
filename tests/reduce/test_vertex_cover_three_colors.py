"""Vertex covers as boards of three colors."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from mmsat.errors import InputError
from mmsat.reduce.kinds.vertex_cover_three_colors import VertexCoverThreeColors
from mmsat.reduce.sources.graph import Graph
from tests.reduce.laws_of_one import holds
from tests.reduce.tiny_graphs import all_graphs, choices, random_graph


def test_every_graph_of_three_nodes_and_every_size():
    for graph in all_graphs(3):
        for k in range(len(graph.nodes) + 1):
            holds(VertexCoverThreeColors(graph, k=k), choices(graph))


def test_random_graphs():
    rng = random.Random(101)
    found = []
    for _ in range(60):
        graph = random_graph(rng, 6, 6)
        k = rng.randint(0, len(graph.nodes))
        found.append(holds(VertexCoverThreeColors(graph, k=k), choices(graph)))
    assert 5 < found.count(0) < 55


def test_petersen_has_five_covers_of_six_nodes_and_none_of_five():
    graph = Graph.of(nx.petersen_graph())
    assert holds(VertexCoverThreeColors(graph, k=6), choices(graph)) == 5
    assert holds(VertexCoverThreeColors(graph, k=5), choices(graph)) == 0


@pytest.mark.parametrize("k", [-1, 4, 1.0, True])
def test_k_is_a_number_of_nodes(k):
    with pytest.raises(InputError, match="k is a whole number from 0 to 3"):
        VertexCoverThreeColors(Graph((1, 2, 3)), k=k)


def test_certificates_are_in_order_and_have_k_nodes():
    reduction = VertexCoverThreeColors(Graph((1, 2, 3), ((0, 1),)), k=2)
    assert reduction.is_certificate((1, 3))
    for wrong in [(3, 1), (1,), (1, 1), (1, 2, 3), (1, 4), ()]:
        assert not reduction.is_certificate(wrong)
