"""Vertex Cover -> three colors, one of them neutral: see README.md."""

from collections.abc import Iterable, Iterator, Sequence

from mmsat.game import Code, Row
from mmsat.reductions.equations import Nodes, VertexCoverReduction
from mmsat.reductions.reduction import NamedRow, RowReduction, SizeFormulas, Sizes
from mmsat.reductions.samples import PLANTED_OR_INCONSISTENT, Samples, draw_vertex_cover
from mmsat.reductions.sources import Graph

OUT, IN, NEUTRAL = range(3)


class VertexCoverThreeColors(VertexCoverReduction, RowReduction[Graph, Nodes]):
    """A peg per node, IN if it is in the cover; per edge, IN if exactly one end is; and pads."""

    name = "vertex-cover-three-colors"
    title = "vertex cover of size k -> three colors, one of them neutral"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004; Stuckman and Zhang 2005)"
    formula = SizeFormulas("2n + m", "3", "3 + m")
    family = "vertex cover, three random edges per node, k the size of a minimum cover or one less"
    samples = Samples(draw_vertex_cover, PLANTED_OR_INCONSISTENT, unit="nodes", size=20, min_size=2)
    has_black_twin = True

    def rows(self) -> Iterator[NamedRow]:
        nodes, edges = len(self.source.nodes), self.source.edges
        pads = range(nodes + len(edges), 2 * nodes + len(edges))
        yield NamedRow(self._row((), 0), "neutral", "no peg has color 3")
        yield NamedRow(self._row(pads, nodes), "pads", "all pads have color 2")
        meaning = f"nodes that are in the cover: {self.k}"
        yield NamedRow(self._row(range(nodes), self.k), "size", meaning)
        meaning = "two of: each end, exactly one of them"
        for peg, (edge, name) in enumerate(
            zip(edges, self.source.edge_names(), strict=True), nodes
        ):
            yield NamedRow(self._row((*edge, peg), 2), f"edge {name}", meaning)

    def pegs(self) -> Iterable[tuple[str, str]]:
        return [
            *((f"node {v}", f"{v} is in the cover") for v in self.source.nodes),
            *((f"edge {name}", "one end is in the cover") for name in self.source.edge_names()),
            *[("pads", "always color 2")] * len(self.source.nodes),
        ]

    def _row(self, guessed_pegs: Iterable[int], black: int) -> Row:
        """Return the row that guesses IN at some pegs, and requires that `black` of them are IN."""
        guessed_pegs = set(guessed_pegs)
        guess = (IN if peg in guessed_pegs else NEUTRAL for peg in range(self.sizes().pegs))
        return Row(tuple(guess), (black, len(guessed_pegs) - black))

    def sizes(self) -> Sizes:
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        return Sizes(2 * nodes + edges, 3, 3 + edges)

    def encode(self, certificate: Nodes) -> Code:
        marks = self.mark(certificate)
        has_one_end_in = (marks[a] != marks[b] for a, b in self.source.edges)
        return (*map(int, marks), *map(int, has_one_end_in), *[IN] * len(marks))

    def decode_colors(self, code: Sequence[int]) -> Nodes:
        return self.select(color == IN for color in code[: len(self.source.nodes)])
