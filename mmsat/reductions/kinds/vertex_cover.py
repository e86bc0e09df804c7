"""Vertex Cover -> two colors.

Problem: in a graph of n nodes and m edges, is there a choice of k nodes with an end of every edge?

Construction, over pegs that are 0 or 1: y for each node, 1 where it is NOT in the cover; s for each
edge, 1 where both its ends are in the cover; s', its complement.

    y(u) + y(v) + s(uv) = 1       for each edge
    s(uv) + s'(uv) = 1            for each edge
    the sum of all y = n - k

These say that at least one end of each edge is in the cover (two of y would make 2), what s is, and
that the cover has k nodes. The pegs are the y, which weigh n - k, and the pairs s and s', which
weigh 1 each: every solution weighs n - k + m, so the equations are a board
(mmsat.reductions.equations). Each cover of k nodes is one solution, and each solution is one such
cover.

Sizes: n + 2m pegs, 2 colors, 2 + 2m rows. Parsimonious, and the same with black only.

Source: Mastermind satisfiability is NP-complete by Stuckman and Zhang, Mastermind is NP-Complete
(2005), from Vertex Cover. The construction is this project's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.reductions.base import Sizes
from mmsat.reductions.equations import ByEquations, Equations
from mmsat.reductions.sources.graph import Graph
from mmsat.reductions.vertex_covers import FromVertexCover, Nodes, neither

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code


class VertexCover(FromVertexCover, ByEquations[Graph, Nodes]):
    """Pegs for the nodes outside of the cover, and a pair of pegs for each edge."""

    name = "vertex-cover"
    title = "vertex cover of size k -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (Stuckman and Zhang 2005)"
    formula = {"pegs": "n + 2m", "colors": "2", "rows": "2 + 2m"}  # noqa: RUF012

    def write(self) -> Equations:
        """Nodes, then edges, then their complements."""
        graph, names = self.source, self.edge_names()
        system = Equations()
        nodes = [system.peg(f"node {v}", f"{v} is not in the cover") for v in graph.nodes]
        both = [
            system.peg(f"edge {name}", "both ends are in the cover", neither(*edge))
            for name, edge in zip(names, graph.edges, strict=True)
        ]
        for edge, name, s in zip(graph.edges, names, both, strict=True):
            gadget = f"edge {name}"
            one = system.complement(s, gadget, "not both ends are in the cover")
            says = "one of: an end is not in the cover, or both are"
            system.exactly(1, (*edge, s), gadget, says)
            system.exactly(1, (s, one), gadget, "one of: both ends, not both ends")
        rest = len(graph.nodes) - self.k
        system.exactly(rest, nodes, "size", f"{rest} nodes are not in the cover")
        system.weight = rest + len(graph.edges)
        return system

    def sizes(self) -> Sizes:
        """A peg a node, two pegs and two rows an edge, two further rows."""
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        return Sizes(nodes + 2 * edges, 2, 2 + 2 * edges)

    def encode(self, certificate: Nodes) -> Code:
        """The nodes outside of the cover, and what follows for the edges."""
        return self.equations.code(not mark for mark in self.marks(certificate))

    def decode(self, code: Sequence[int]) -> Nodes:
        """The nodes whose pegs are 0."""
        return self.marked([color == 0 for color in code[: len(self.source.nodes)]])
