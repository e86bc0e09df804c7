"""Random graphs, on nodes from 1."""

import random
from collections.abc import Iterable
from itertools import pairwise

from mmsat.encoding.ortools import cp_model, cp_solver
from mmsat.english import quantity
from mmsat.errors import SizeError
from mmsat.reductions.samples.sample import Answer, Sample
from mmsat.reductions.sources.graph import Graph

Edge = tuple[int, int]

MAX_COVER_SECONDS = 300.0
"""Limit of the search for a minimum cover, in deterministic time of CP-SAT (about seconds)."""


def make_graph(nodes: int, edges: Iterable[Edge]) -> Graph:
    """Return the graph on the nodes 1 to n with these edges, which are pairs of indices from 0."""
    return Graph(tuple(range(1, nodes + 1)), tuple(edges))


def draw_cubic_edges(nodes: int, rng: random.Random) -> list[Edge]:
    """Draw the edges of a random simple cubic graph; `nodes` is even, and 4 or more.

    Ends are paired at random until no edge is a loop or parallel to another. So all such graphs are
    equally likely. The expected number of attempts is about e^2.
    """
    while True:
        ends = [node for node in range(nodes) for _ in range(3)]
        rng.shuffle(ends)
        edges = {
            (min(a, b), max(a, b)) for a, b in zip(ends[::2], ends[1::2], strict=True) if a != b
        }
        if 2 * len(edges) == len(ends):
            return sorted(edges)


def draw_edges(nodes: int, count: int, rng: random.Random) -> list[Edge]:
    """Draw distinct edges uniformly at random, `count` or all if there are fewer."""
    return draw_colored_edges([*range(nodes)], count, rng)


def draw_colored_edges(colors: list[int], count: int, rng: random.Random) -> list[Edge]:
    """Draw distinct edges between nodes of different colors, `count` or all if there are fewer.

    All choices are equally likely.
    """
    nodes = range(len(colors))
    all_edges = [(a, b) for b in nodes for a in range(b) if colors[a] != colors[b]]
    return sorted(rng.sample(all_edges, min(count, len(all_edges))))


def find_minimum_cover(nodes: int, edges: Iterable[Edge]) -> tuple[int, ...]:
    """Return a vertex cover of proven minimum size, as indices from 0."""
    ortools = cp_model()
    model = ortools.CpModel()
    chosen = [model.new_bool_var("") for _ in range(nodes)]
    for a, b in edges:
        model.add_bool_or(chosen[a], chosen[b])
    model.minimize(sum(chosen))
    solver = cp_solver()
    solver.parameters.linearization_level = 2  # with all cuts; search alone fails on some graphs
    solver.parameters.max_deterministic_time = MAX_COVER_SECONDS
    if solver.solve(model) != ortools.OPTIMAL:
        raise SizeError(f"no minimum vertex cover of {nodes} nodes was found; use a smaller graph")
    return tuple(node for node, variable in enumerate(chosen) if solver.boolean_value(variable))


def make_cover_sample(source: Graph, answer: Answer) -> Sample:
    """Return a sample with k the size of a minimum cover, minus 1 if it must be inconsistent.

    These values of k are nearest to the threshold. Certificates are nodes.
    """
    cover = find_minimum_cover(len(source.nodes), source.edges)
    size = f"{quantity(len(source.nodes), 'node')} and {quantity(len(source.edges), 'edge')}"
    least = f"its minimum vertex cover, found by CP-SAT, has {quantity(len(cover), 'node')}"
    if answer is Answer.INCONSISTENT:
        recipe = f"A random graph of {size}; {least}, one more than k."
        return Sample.of(answer, source, None, recipe, k=len(cover) - 1)
    certificate = tuple(source.nodes[index] for index in cover)
    recipe = f"A random graph of {size}; {least}, as many as k."
    return Sample.of(answer, source, certificate, recipe, k=len(cover))


def draw_vertex_cover(nodes: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a graph with three edges per node, and k the size of its minimum cover or one less."""
    return make_cover_sample(make_graph(nodes, draw_edges(nodes, 3 * nodes, rng)), answer)


def draw_cubic_vertex_cover(pairs: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a cubic graph of 2 * `pairs` nodes, and k the size of its minimum cover or one less."""
    return make_cover_sample(make_graph(2 * pairs, draw_cubic_edges(2 * pairs, rng)), answer)


def draw_coloring(nodes: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a graph for coloring with three colors, at the hardest average degree, 4.69."""
    num_edges = 469 * nodes // 200
    certificate = None
    if answer is Answer.INCONSISTENT:
        source = draw_mycielski_graph(nodes, rng)
        recipe = (
            "The generalized Mycielski graph of an odd cycle, its nodes shuffled, which needs four "
            "colors (Stiebitz 1985); the remaining nodes have three random neighbors."
        )
    elif answer is Answer.CONSISTENT:
        colors = [node % 3 for node in range(nodes)]
        rng.shuffle(colors)
        certificate = tuple(colors)
        source = make_graph(nodes, draw_colored_edges(colors, num_edges, rng))
        edges = quantity(len(source.edges), "random edge")
        recipe = f"{edges} between {quantity(nodes, 'node')} of three planted colors."
    else:
        source = make_graph(nodes, draw_edges(nodes, num_edges, rng))
        recipe = f"{quantity(len(source.edges), 'random edge')} between {quantity(nodes, 'node')}."
    return Sample.of(answer, source, certificate, recipe, k=3)


def draw_mycielski_graph(nodes: int, rng: random.Random) -> Graph:
    """Return a graph of 4 or more nodes that needs four colors, although large parts need three.

    It has an odd cycle, levels with copies of its nodes, and one node joined to the last level.
    Each copy is joined to the two neighbors of its original one level down.
    """
    length = 3
    while (length + 2) ** 2 <= nodes:
        length += 2
    levels = (nodes - 1) // length
    around = [(place, (place + 1) % length) for place in range(length)]
    edges = list(around)
    for low, high in pairwise(range(0, levels * length, length)):
        for a, b in around:
            edges += [(low + a, high + b), (low + b, high + a)]
    top = levels * length
    edges += [(top - 1 - place, top) for place in range(length)]
    for node in range(top + 1, nodes):
        edges += [(other, node) for other in rng.sample(range(node), 3)]
    names = list(range(nodes))
    rng.shuffle(names)
    return make_graph(nodes, [(names[a], names[b]) for a, b in edges])
