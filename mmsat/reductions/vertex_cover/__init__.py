"""Vertex Cover -> two colors: README.md has the construction and its proof."""

from collections.abc import Iterable, Sequence

from mmsat.reductions.equations import (
    EquationCompiler,
    EquationsReduction,
    Nodes,
    Value,
    VertexCoverReduction,
)
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import PLANTED_OR_INCONSISTENT, Samples, draw_vertex_cover
from mmsat.reductions.sources import Graph


class VertexCover(VertexCoverReduction, EquationsReduction[Graph, Nodes]):
    """A peg for each node, which is 1 outside the cover, and two pegs for each edge."""

    name = "vertex-cover"
    title = "vertex cover of size k -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004; Stuckman and Zhang 2005)"
    formula = SizeFormulas("n + 2m", "2", "2 + 2m")
    family = "vertex cover, three random edges per node, k the size of a minimum cover or one less"
    samples = Samples(draw_vertex_cover, PLANTED_OR_INCONSISTENT, unit="nodes", size=12, min_size=2)

    def write(self, system: EquationCompiler) -> None:
        nodes = range(len(self.source.nodes))
        for gadget, edge_peg in self.add_pegs(system):
            self.add_edge(system, gadget, edge_peg)
            opposite = system.complement(edge_peg, gadget, "not both ends are in the cover")
            system.exactly(1, (edge_peg, opposite), gadget, "one of: both ends, not both ends")
        num_outside = len(nodes) - self.k
        system.exactly(
            num_outside, nodes, "size", f"nodes that are not in the cover: {num_outside}"
        )
        system.weight = num_outside + len(self.source.edges)

    def add_pegs(self, system: EquationCompiler) -> list[tuple[str, int]]:
        """Add a peg per node and per edge; return the gadget and the peg of each edge."""
        for v in self.source.nodes:
            system.peg(f"node {v}", f"{v} is not in the cover")
        edges = zip(self.source.edge_names(), self.source.edges, strict=True)
        return [
            (f"edge {name}", system.peg(f"edge {name}", "both ends are in the cover", _nor(*edge)))
            for name, edge in edges
        ]

    def add_edge(self, system: EquationCompiler, gadget: str, edge_peg: int) -> None:
        """Add the row of the edge whose peg is `edge_peg`."""
        edge = self.source.edges[edge_peg - len(self.source.nodes)]
        meaning = "one of: an end is not in the cover, or both are"
        system.exactly(1, (*edge, edge_peg), gadget, meaning)

    def sizes(self) -> Sizes:
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        return Sizes(nodes + 2 * edges, 2, 2 + 2 * edges)

    def bits(self, certificate: Nodes) -> Iterable[int]:
        return (not mark for mark in self.mark(certificate))

    def decode_colors(self, code: Sequence[int]) -> Nodes:
        return self.select(color == 0 for color in code[: len(self.source.nodes)])


def _nor(a: int, b: int) -> Value:
    """Return the function that is 1 if two pegs are 0, and 0 if one of them is 1."""
    return lambda values: 1 - values[a] - values[b]
