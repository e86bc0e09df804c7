"""Proper colorings as boards with black only."""

from __future__ import annotations

import random
from itertools import product

import networkx as nx
import pytest

from mmsat.counting.count import count
from mmsat.errors import InputError
from mmsat.reductions.boards import BlackWhiteLift
from mmsat.reductions.graphs import GraphColoring
from mmsat.reductions.sources import Graph
from tests.support.reduction_laws import holds
from tests.support.tiny_graphs import all_graphs, random_graph


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_boards_of_all_graphs_of_up_to_three_nodes_are_right(k):
    for graph in all_graphs(3):
        colorings = product(range(k), repeat=len(graph.nodes))
        holds(GraphColoring(graph, k=k), colorings)


def test_the_boards_of_random_graphs_are_right():
    rng = random.Random(121)
    results = []
    for _ in range(40):
        graph = random_graph(rng, 5, 7)
        k = rng.choice([2, 2, 3])
        colorings = product(range(k), repeat=len(graph.nodes))
        results.append(holds(GraphColoring(graph, k=k), colorings))
    assert 3 < results.count(0) < 37


def test_the_lift_to_black_and_white_has_as_many_codes():
    for graph in all_graphs(3):
        reduction = GraphColoring(graph, k=2)
        lift = BlackWhiteLift(reduction.board)
        assert not lift.has_new_color
        colorings = product(range(2), repeat=len(graph.nodes))
        codes = [
            reduction.encode(coloring)
            for coloring in colorings
            if reduction.is_certificate(coloring)
        ]
        assert holds(lift, codes) == len(codes)


def test_petersen_has_120_colorings_with_three_colors():
    reduction = GraphColoring(Graph.of(nx.petersen_graph()), k=3)
    assert count(reduction.board).count == 120


@pytest.mark.parametrize("k", [0, -3, 2.0])
def test_k_is_a_whole_number_of_at_least_1(k):
    with pytest.raises(
        InputError, match="the parameters, k: expected a whole number from 1, found"
    ):
        GraphColoring(Graph((1,)), k=k)


def test_a_certificate_has_a_color_for_each_node():
    reduction = GraphColoring(Graph((1, 2, 3), ((0, 1),)), k=2)
    assert reduction.is_certificate((0, 1, 1))
    for wrong in [(0, 0, 1), (0, 1), (0, 1, 2), (0, 1, -1), (0, 1, 0, 0)]:
        assert not reduction.is_certificate(wrong)
