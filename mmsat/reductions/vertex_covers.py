"""What all reductions from Vertex Cover share: their source, their parameter, their certificates.

A vertex cover of a graph is a choice of nodes that has an end of every edge. A cover of at most k
nodes exists just when one of exactly k does (k is at most n, and further nodes do no harm), so the
certificates are the covers of exactly k nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.reductions.base import Reduction
from mmsat.reductions.sources.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

Nodes = tuple["Hashable", ...]


class FromVertexCover(Reduction[Graph, Nodes]):
    """Certificates are covers of exactly k nodes, in the order of the graph."""

    source_kind = "graph"
    parameters = ("k",)

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        many = len(source.nodes)
        if type(k) is not int or not 0 <= k <= many:
            fault = Fault(f"k is a whole number from 0 to {many}, the nodes", k, f"0 to {many}")
            raise InputError([fault], "the parameters")
        self.k = k

    def is_certificate(self, certificate: Nodes) -> bool:
        """Whether it has k nodes, in order, and an end of every edge."""
        chosen = set(certificate)
        nodes = self.source.nodes
        return (
            len(certificate) == self.k
            and tuple(certificate) == tuple(node for node in nodes if node in chosen)
            and all(nodes[a] in chosen or nodes[b] in chosen for a, b in self.source.edges)
        )

    def spell(self, certificate: Nodes) -> str:
        """The nodes by name."""
        return " ".join(map(str, certificate))

    def marks(self, certificate: Nodes) -> tuple[bool, ...]:
        """For each node whether it is in the cover."""
        chosen = set(certificate)
        return tuple(node in chosen for node in self.source.nodes)

    def marked(self, marks: Sequence[bool]) -> Nodes:
        """The nodes in the cover, from what `marks` says."""
        return tuple(node for node, mark in zip(self.source.nodes, marks, strict=True) if mark)

    def edge_names(self) -> list[str]:
        """The edges for people: "1-2"."""
        nodes = self.source.nodes
        return [f"{nodes[a]}-{nodes[b]}" for a, b in self.source.edges]


def neither(a: int, b: int) -> Callable[[Sequence[int]], int]:
    """1 where two pegs, of which at most one is 1, are both 0: a helper peg of an edge."""
    return lambda values: 1 - values[a] - values[b]
