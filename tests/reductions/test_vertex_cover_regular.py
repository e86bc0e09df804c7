"""Vertex covers of regular graphs as boards with one peg per node and one peg per edge."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from mmsat.errors import InputError
from mmsat.reductions.graphs import VertexCoverRegular
from mmsat.reductions.sources import Graph
from tests.support.reduction_laws import holds
from tests.support.tiny_graphs import all_graphs, node_subsets, regular_graph


def test_the_boards_of_all_regular_graphs_of_up_to_four_nodes_are_right():
    num_regular = 0
    for graph in all_graphs(4):
        degrees = set(graph.degrees())
        if len(degrees) == 1 and degrees != {1}:
            num_regular += 1
            for k in range(len(graph.nodes) + 1):
                holds(VertexCoverRegular(graph, k=k), node_subsets(graph))
        else:
            with pytest.raises(InputError, match="every node must have the same number of edges"):
                VertexCoverRegular(graph, k=1)
    assert (
        num_regular == 4 + 1 + 3 + 1
    )  # no edges on up to four nodes, a triangle, three squares, a complete graph


def test_the_boards_of_random_regular_graphs_are_right():
    rng = random.Random(111)
    results = []
    for _ in range(60):
        graph = regular_graph(rng, 8)
        k = rng.randint(0, len(graph.nodes))
        results.append(holds(VertexCoverRegular(graph, k=k), node_subsets(graph)))
    assert 5 < results.count(0) < 55


def test_a_negative_weight_gives_a_board_without_codes():
    graph = Graph.of(nx.complete_graph(5))
    reduction = VertexCoverRegular(graph, k=0)
    assert reduction.equations.weight < 0
    assert holds(reduction, node_subsets(graph)) == 0


def test_petersen_has_five_covers_of_six_nodes():
    graph = Graph.of(nx.petersen_graph())
    assert holds(VertexCoverRegular(graph, k=6), node_subsets(graph)) == 5
