"""Vertex Cover in a regular graph -> two colors, one peg per node and per edge: see README.md."""

from mmsat.errors import InputError
from mmsat.reductions.equations import EquationCompiler
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import PLANTED_OR_INCONSISTENT, Samples, draw_cubic_vertex_cover
from mmsat.reductions.sources import Graph
from mmsat.reductions.vertex_cover import VertexCover


class VertexCoverRegular(VertexCover):
    """A peg per node, which is 1 outside the cover, and per edge; the weight fixes the size."""

    name = "vertex-cover-regular"
    title = "vertex cover of size k in a regular graph -> two colors"
    formula = SizeFormulas("n + m", "2", "1 + m")
    family = "vertex cover in cubic graphs, k the size of a minimum cover or one less"
    samples = Samples(
        draw_cubic_vertex_cover, PLANTED_OR_INCONSISTENT, unit="pairs of nodes", size=12, min_size=2
    )

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        degrees = sorted(set(source.degrees()))
        if len(degrees) != 1 or degrees == [1]:
            rule = "every node must have the same number of edges, and not 1"
            found = f"{', '.join(map(str, degrees))} edges at a node"
            raise InputError.of("the graph", "a regular graph, or use vertex-cover", found, rule)
        (self.degree,) = degrees

    def write(self, system: EquationCompiler) -> None:
        for gadget, edge_peg in self.add_pegs(system):
            self.add_edge(system, gadget, edge_peg)
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        system.weight = edges - (self.degree - 1) * (nodes - self.k)

    def sizes(self) -> Sizes:
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        return Sizes(nodes + edges, 2, 1 + edges)
