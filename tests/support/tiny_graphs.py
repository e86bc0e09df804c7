"""Small graphs, for which tests try all certificates: all graphs up to a size, and random ones."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import networkx as nx

from mmsat.reductions.sources import Graph

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator


def all_graphs(max_nodes: int) -> Iterator[Graph]:
    """Yield every graph of 1 to `max_nodes` nodes."""
    for num_nodes in range(1, max_nodes + 1):
        edges = list(combinations(range(num_nodes), 2))
        for chosen in product((False, True), repeat=len(edges)):
            kept = (edge for edge, is_in in zip(edges, chosen, strict=True) if is_in)
            yield Graph(tuple(range(1, num_nodes + 1)), tuple(kept))


def random_graph(rng: random.Random, nodes: int, edges: int) -> Graph:
    """Return a graph with 2 to `nodes` nodes, named by letters, and at most `edges` edges."""
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


def node_subsets(graph: Graph) -> Iterator[tuple[object, ...]]:
    """Yield every subset of the nodes, the smallest first."""
    for size in range(len(graph.nodes) + 1):
        yield from combinations(graph.nodes, size)
