"""Graph coloring -> k + 1 colors and black only: README.md has the construction and its proof."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from mmsat.game import Code, Row
from mmsat.reductions.reduction import NamedRow, RowReduction, SizeFormulas, Sizes, require_whole
from mmsat.reductions.samples import Samples, draw_coloring
from mmsat.reductions.sources import Graph

FREE, TAKEN = range(2)
"""The values of a switch, for an edge and a color: no end has this color, or one end has it."""


class GraphColoring(RowReduction[Graph, tuple[int, ...]]):
    """Node pegs have the colors of the nodes; a certificate has one color per node, from 0."""

    name = "graph-coloring"
    title = "proper coloring with k colors -> k + 1 colors, black only"
    theorem = "black-peg Mastermind satisfiability is NP-complete (Goodrich 2009)"
    source_kind = "graph"
    parameters = ("k",)
    formula = SizeFormulas("n + k m", "k + 1", "k - 1 + k m")
    family = "3-coloring, 4.69 random edges per node, or Mycielski graphs"
    samples = Samples(draw_coloring, unit="nodes", size=30, min_size=4)
    scoring = "black"
    has_black_twin = True

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        self.k = require_whole("k", k, 1)
        self.num_node_colors = max(2, k)
        """The number of colors of the board without the neutral color, at least 2.

        If k is 1, no node has the second color.
        """

    def rows(self) -> Iterator[NamedRow]:
        k, pegs = self.num_node_colors, self.sizes().pegs
        neutral, nodes = k, len(self.source.nodes)
        yield NamedRow(Row((neutral,) * pegs, (0,)), "neutral", f"no peg has color {k + 1}")
        for color in range(2, k):
            guess = (neutral,) * nodes + (color,) * (pegs - nodes)
            yield NamedRow(Row(guess, (0,)), "switches", f"no switch has color {color + 1}")
        if self.k < k:
            guess = (1,) * nodes + (neutral,) * (pegs - nodes)
            yield NamedRow(Row(guess, (0,)), "nodes", "no node has color 2")
        edges = zip(self.source.edges, self.source.edge_names(), strict=True)
        for switch, (((a, b), edge), color) in enumerate(product(edges, range(k)), nodes):
            row = [neutral] * pegs
            row[a] = row[b] = color
            row[switch] = FREE
            meaning = f"one of: an end has color {color + 1}, neither has"
            yield NamedRow(Row(tuple(row), (1,)), f"edge {edge}", meaning)

    def pegs(self) -> Iterable[tuple[str, str]]:
        pairs = product(self.source.edge_names(), range(1, self.num_node_colors + 1))
        return [
            *((f"node {v}", f"the color of {v}") for v in self.source.nodes),
            *((f"edge {e}", f"1 where neither end has color {c}, else 2") for e, c in pairs),
        ]

    def sizes(self) -> Sizes:
        k = self.num_node_colors
        switches = k * len(self.source.edges)
        rows = k - 1 + switches + (self.k < k)
        return Sizes(len(self.source.nodes) + switches, k + 1, rows)

    def encode(self, certificate: tuple[int, ...]) -> Code:
        switches = (
            TAKEN if color in {certificate[a], certificate[b]} else FREE
            for (a, b), color in product(self.source.edges, range(self.num_node_colors))
        )
        return (*certificate, *switches)

    def decode_colors(self, code: Sequence[int]) -> tuple[int, ...]:
        return tuple(code[: len(self.source.nodes)])

    def is_certificate(self, certificate: tuple[int, ...]) -> bool:
        return (
            len(certificate) == len(self.source.nodes)
            and all(0 <= color < self.k for color in certificate)
            and all(certificate[a] != certificate[b] for a, b in self.source.edges)
        )
