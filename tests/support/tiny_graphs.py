"""Graphs small enough to try everything on: all of up to three nodes, and random ones."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import networkx as nx

from mmsat.reductions.sources import Graph

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator


def all_graphs(most: int) -> Iterator[Graph]:
    """Every graph of 1 to `most` nodes."""
    for index in range(1, most + 1):
        edges = list(combinations(range(index), 2))
        for chosen in product((False, True), repeat=len(edges)):
            kept = (edge for edge, is_in in zip(edges, chosen, strict=True) if is_in)
            yield Graph(tuple(range(1, index + 1)), tuple(kept))


def random_graph(rng: random.Random, nodes: int, edges: int) -> Graph:
    """Return a graph with at most `nodes` nodes, named by letters, and `edges` edges."""
    count = rng.randint(2, nodes)
    pairs = list(combinations(range(count), 2))
    chosen = rng.sample(pairs, min(len(pairs), rng.randint(0, edges)))
    return Graph(tuple("abcdefgh"[:count]), tuple(chosen))


def regular_graph(rng: random.Random, nodes: int) -> Graph:
    """Return a regular graph with at most `nodes` nodes of degree 0, 2, 3 or 4."""
    while True:
        degree, count = rng.choice([0, 2, 2, 3, 3, 4]), rng.randint(1, nodes)
        if degree < count and degree * count % 2 == 0:
            return Graph.of(nx.random_regular_graph(degree, count, seed=rng.randrange(10**9)))


def choices(graph: Graph) -> Iterator[tuple[object, ...]]:
    """Every choice of nodes, in the order of the graph."""
    for size in range(len(graph.nodes) + 1):
        yield from combinations(graph.nodes, size)
