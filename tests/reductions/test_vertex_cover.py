"""Vertex covers as boards of two colors, and of three."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from mmsat.counting.count import count
from mmsat.errors import InputError
from mmsat.reductions.sources import Graph
from mmsat.reductions.vertex_cover import VertexCover
from mmsat.reductions.vertex_cover_three_colors import VertexCoverThreeColors
from tests.support.reduction_laws import holds
from tests.support.tiny_graphs import all_graphs, choices, random_graph

BOTH = pytest.mark.parametrize("kind", [VertexCover, VertexCoverThreeColors])


@BOTH
def test_every_graph_of_three_nodes_and_every_size(kind):
    for graph in all_graphs(3):
        for k in range(len(graph.nodes) + 1):
            holds(kind(graph, k=k), choices(graph))


@BOTH
def test_random_graphs(kind):
    rng = random.Random(101)
    results = []
    for _ in range(60):
        graph = random_graph(rng, 6, 6)
        k = rng.randint(0, len(graph.nodes))
        results.append(holds(kind(graph, k=k), choices(graph)))
    assert 5 < results.count(0) < 55


@BOTH
def test_petersen_has_five_covers_of_six_nodes_and_none_of_five(kind):
    graph = Graph.of(nx.petersen_graph())
    assert holds(kind(graph, k=6), choices(graph)) == 5
    assert holds(kind(graph, k=5), choices(graph)) == 0


@BOTH
@pytest.mark.parametrize("k", [-1, 1.0, True])
def test_k_is_a_whole_number(kind, k):
    with pytest.raises(
        InputError, match="the parameters, k: expected a whole number from 0, found"
    ):
        kind(Graph((1, 2, 3)), k=k)


@BOTH
def test_more_nodes_than_there_are_cover_as_all_do(kind):
    graph = Graph((1, 2, 3), ((0, 1),))
    assert kind(graph, k=4).board == kind(graph, k=3).board
    assert count(kind(graph, k=10**9).board).count == 1


@BOTH
def test_certificates_are_in_order_and_have_k_nodes(kind):
    reduction = kind(Graph((1, 2, 3), ((0, 1),)), k=2)
    assert reduction.is_certificate((1, 3))
    for wrong in [(3, 1), (1,), (1, 1), (1, 2, 3), (1, 4), ()]:
        assert not reduction.is_certificate(wrong)
