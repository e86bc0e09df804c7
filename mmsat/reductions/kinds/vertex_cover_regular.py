"""Vertex Cover in a regular graph -> two colors, with one peg a node and one an edge.

Problem: in a graph of n nodes and m edges where d edges meet at every node, is there a choice of k
nodes with an end of every edge? NP-complete for d = 3 already (Garey, Johnson and Stockmeyer 1976).

Construction, over pegs that are 0 or 1: y for each node, 1 where it is NOT in the cover; s for each
edge, 1 where both its ends are in the cover.

    y(u) + y(v) + s(uv) = 1       for each edge

and nothing else, for the weight does the rest. With Y the sum of all y, the equations sum up to d Y
+ S = m, so every solution weighs Y + S = m - (d - 1) Y. At the weight m - (d - 1) (n - k) it has Y
= n - k, since d is not 1: the cover has k nodes. Each cover of k nodes is one solution, and each
solution is one such cover. Where the weight is below 0 there is no cover of k nodes (the n - k
nodes outside of one have d (n - k) edges, all different), and the board says so.

Sizes: n + m pegs, 2 colors, 1 + m rows; the smallest boards of the three from Vertex Cover.
Parsimonious, and the same with black only.

Source: Stuckman and Zhang, Mastermind is NP-Complete (2005), for the theorem; the construction is
this project's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.reductions.base import Sizes
from mmsat.reductions.equations import ByEquations, Equations
from mmsat.reductions.sources.graph import Graph
from mmsat.reductions.vertex_covers import FromVertexCover, Nodes, neither

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code


class VertexCoverRegular(FromVertexCover, ByEquations[Graph, Nodes]):
    """Pegs for the nodes outside of the cover and for the edges; the weight counts the cover."""

    name = "vertex-cover-regular"
    title = "vertex cover of size k in a regular graph -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (Stuckman and Zhang 2005)"
    formula = {"pegs": "n + m", "colors": "2", "rows": "1 + m"}  # noqa: RUF012

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        degrees = sorted(set(source.degrees()))
        if len(degrees) != 1 or degrees == [1]:
            rule = "as many edges meet at every node, and not 1"
            got = f"{', '.join(map(str, degrees))} edges at a node"
            fault = Fault(rule, got, "a regular graph, or use vertex-cover")
            raise InputError([fault], "the graph")
        (self.degree,) = degrees

    def write(self) -> Equations:
        """Nodes, then edges."""
        graph, names = self.source, self.edge_names()
        system = Equations()
        for v in graph.nodes:
            system.peg(f"node {v}", f"{v} is not in the cover")
        both = [
            system.peg(f"edge {name}", "both ends are in the cover", neither(*edge))
            for name, edge in zip(names, graph.edges, strict=True)
        ]
        for edge, name, s in zip(graph.edges, names, both, strict=True):
            says = "one of: an end is not in the cover, or both are"
            system.exactly(1, (*edge, s), f"edge {name}", says)
        system.weight = len(both) - (self.degree - 1) * (len(graph.nodes) - self.k)
        return system

    def sizes(self) -> Sizes:
        """A peg a node, a peg and a row an edge, and the row of the weight."""
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        return Sizes(nodes + edges, 2, 1 + edges)

    def encode(self, certificate: Nodes) -> Code:
        """The nodes outside of the cover, and what follows for the edges."""
        return self.equations.code(not mark for mark in self.marks(certificate))

    def decode(self, code: Sequence[int]) -> Nodes:
        """The nodes whose pegs are 0."""
        return self.marked([color == 0 for color in code[: len(self.source.nodes)]])
