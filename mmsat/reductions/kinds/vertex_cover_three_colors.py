"""Vertex Cover -> three colors, of which one is neutral.

Problem: in a graph of n nodes and m edges, is there a choice of k nodes with an end of every edge?

Construction: the colors are 1 = out, 2 = in, 3 = neutral. The pegs are x for each node, 2 where it
is in the cover; z for each edge, 2 where exactly one of its ends is in the cover; and n pads. A row
guesses 2 on the pegs that it names and 3 elsewhere.

    nothing                -> 0 black, 0 white       no peg is 3
    the pads               -> n black, 0 white       every pad is 2
    all x                  -> k black, n - k white   the cover has k nodes
    x(u), x(v), z(uv)      -> 2 black, 1 white       for each edge

Proof. The first row leaves the colors 1 and 2, so black counts the pegs named that are 2. The row
of an edge says x(u) + x(v) + z = 2 in ones for 2: no solution has both ends out, with one end in z
is 1, with both it is 0. So each cover of k nodes has one code, and each code is one such cover.
White is constant: the pads alone have as many pegs of color 2 as the longest row of nodes names,
and with the two that the row of an edge finds there are never fewer than its three (at an edge, n
is at least 2); so black and white make all pegs named.

Sizes: 2n + m pegs, 3 colors, 3 + m rows. Parsimonious, and the same with black only.

Source: Mastermind satisfiability is NP-complete by Stuckman and Zhang, Mastermind is NP-Complete
(2005), from Vertex Cover. The construction is this project's own; it is the one nearest in spirit.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.reductions.base import Gadgets, Sizes
from mmsat.reductions.vertex_covers import FromVertexCover, Nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mmsat.game.row import Code

OUT, IN, NEUTRAL = range(3)


class VertexCoverThreeColors(FromVertexCover):
    """Pegs for the nodes in the cover, for the edges with one end in it, and pads."""

    name = "vertex-cover-three-colors"
    title = "vertex cover of size k -> three colors, one of them neutral"
    theorem = "Mastermind satisfiability is NP-complete (Stuckman and Zhang 2005)"
    formula = {"pegs": "2n + m", "colors": "3", "rows": "3 + m"}  # noqa: RUF012
    has_black_twin = True

    @cached_property
    def board(self) -> Board:
        """The neutral row, the pads, the size, the edges."""
        size = self.sizes()
        return Board(Game(size.pegs, size.colors), tuple(self._rows()))

    def _rows(self) -> Iterator[Row]:
        nodes, edges = len(self.source.nodes), self.source.edges
        pads = range(nodes + len(edges), 2 * nodes + len(edges))
        yield self._row((), 0)
        yield self._row(pads, nodes)
        yield self._row(range(nodes), self.k)
        for number, edge in enumerate(edges):
            yield self._row((*edge, nodes + number), 2)

    def _row(self, named: Iterable[int], black: int) -> Row:
        """The row that finds so many of these pegs in."""
        named = set(named)
        guess = (IN if peg in named else NEUTRAL for peg in range(self.sizes().pegs))
        return Row(tuple(guess), (black, len(named) - black))

    def sizes(self) -> Sizes:
        """A peg and a pad a node, a peg and a row an edge, and three further rows."""
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        return Sizes(2 * nodes + edges, 3, 3 + edges)

    def encode(self, certificate: Nodes) -> Code:
        """The nodes, the edges with one end in the cover, and the pads."""
        marks = self.marks(certificate)
        cut = (marks[a] != marks[b] for a, b in self.source.edges)
        return (*map(int, marks), *map(int, cut), *[IN] * len(marks))

    def decode(self, code: Sequence[int]) -> Nodes:
        """The nodes whose pegs are in."""
        return self.marked([color == IN for color in code[: len(self.source.nodes)]])

    def gadgets(self) -> Gadgets:
        """Nodes, edges and pads."""
        names = self.edge_names()
        pegs = [(f"node {v}", f"{v} is in the cover") for v in self.source.nodes]
        pegs += [(f"edge {name}", "one end is in the cover") for name in names]
        pegs += [("pads", "always color 2")] * len(self.source.nodes)
        rows = [
            ("neutral", "no peg has color 3"),
            ("pads", "all pads have color 2"),
            ("size", f"{self.k} nodes are in the cover"),
        ]
        rows += [(f"edge {name}", "two of: each end, exactly one of them") for name in names]
        return Gadgets(tuple(pegs), tuple(rows))
