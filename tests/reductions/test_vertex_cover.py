"""Vertex covers as boards of two or three colors."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from mmsat.counting.count import count
from mmsat.errors import InputError
from mmsat.reductions.graphs import VertexCover, VertexCoverThreeColors
from mmsat.reductions.sources import Graph
from tests.support.reduction_laws import holds
from tests.support.tiny_graphs import all_graphs, node_subsets, random_graph

BOTH_REDUCTIONS = pytest.mark.parametrize("reduction_class", [VertexCover, VertexCoverThreeColors])


@BOTH_REDUCTIONS
def test_the_boards_of_all_graphs_of_up_to_three_nodes_are_right(reduction_class):
    for graph in all_graphs(3):
        for k in range(len(graph.nodes) + 1):
            holds(reduction_class(graph, k=k), node_subsets(graph))


@BOTH_REDUCTIONS
def test_the_boards_of_random_graphs_are_right(reduction_class):
    rng = random.Random(101)
    results = []
    for _ in range(60):
        graph = random_graph(rng, 6, 6)
        k = rng.randint(0, len(graph.nodes))
        results.append(holds(reduction_class(graph, k=k), node_subsets(graph)))
    assert 5 < results.count(0) < 55


@BOTH_REDUCTIONS
def test_petersen_has_five_covers_of_six_nodes_and_no_cover_of_five(reduction_class):
    graph = Graph.of(nx.petersen_graph())
    assert holds(reduction_class(graph, k=6), node_subsets(graph)) == 5
    assert holds(reduction_class(graph, k=5), node_subsets(graph)) == 0


@BOTH_REDUCTIONS
@pytest.mark.parametrize("k", [-1, 1.0, True])
def test_k_is_a_whole_number(reduction_class, k):
    with pytest.raises(
        InputError, match="the parameters, k: expected a whole number from 0, found"
    ):
        reduction_class(Graph((1, 2, 3)), k=k)


@BOTH_REDUCTIONS
def test_k_above_the_number_of_nodes_means_all_nodes(reduction_class):
    graph = Graph((1, 2, 3), ((0, 1),))
    assert reduction_class(graph, k=4).board == reduction_class(graph, k=3).board
    assert count(reduction_class(graph, k=10**9).board).count == 1


@BOTH_REDUCTIONS
def test_certificates_are_in_order_and_have_k_nodes(reduction_class):
    reduction = reduction_class(Graph((1, 2, 3), ((0, 1),)), k=2)
    assert reduction.is_certificate((1, 3))
    for wrong in [(3, 1), (1,), (1, 1), (1, 2, 3), (1, 4), ()]:
        assert not reduction.is_certificate(wrong)
