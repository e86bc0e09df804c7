"""Graphs, in the DIMACS format of the coloring challenge, or from networkx.

```
c a path of three nodes
p edge 3 2
e 1 2
e 2 3
```
"""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Self

from mmsat.errors import Fault, InputError, MissingError
from mmsat.reductions.sources.source import Reader, Source, print_rows

IGNORED_LINES = ("n", "d", "v", "x")
"""Other types of lines of the format, such as values of nodes; they are ignored."""


@dataclass(frozen=True, slots=True)
class Graph(Source):
    """An undirected graph: nodes in order, and ascending edges as pairs of node indices from 0.

    The smaller index comes first in an edge. There are no loops; parallel edges are merged.
    """

    name = "graph"
    suffix = ".col"

    nodes: tuple[Hashable, ...]
    edges: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(self.nodes))
        num_nodes = len(self.nodes)
        faults = [] if num_nodes else [Fault("", num_nodes, "1 or more nodes")]
        faults += [
            Fault("an edge joins two different nodes", (a, b), "indices of nodes, from 0")
            for a, b in self.edges
            if a == b or not (0 <= a < num_nodes and 0 <= b < num_nodes)
        ]
        InputError.refuse(faults, "the graph")
        edges = {(min(edge), max(edge)) for edge in self.edges}
        object.__setattr__(self, "edges", tuple(sorted(edges)))

    @classmethod
    def of(cls, graph: Any) -> Self:
        """Convert a networkx graph with nodes of any type; directions are dropped."""
        nodes = tuple(graph.nodes)
        index = {node: number for number, node in enumerate(nodes)}
        return cls(nodes, tuple((index[edge[0]], index[edge[1]]) for edge in graph.edges))

    def networkx(self) -> Any:
        """Return the graph as a networkx graph."""
        try:
            import networkx as nx  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise MissingError("networkx is not installed; pip install networkx") from None
        graph = nx.Graph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from((self.nodes[a], self.nodes[b]) for a, b in self.edges)
        return graph

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read DIMACS edges; the nodes are 1 to n.

        Many files list every edge in both directions, and count it once or twice. Both are valid.
        """
        reader = Reader(text, "c")
        nodes, stated = reader.header(("edge", "col", "edges"), ("NODES", "EDGES"))
        edges: list[tuple[int, int]] = []
        num_listed = 0
        for words in reader.lines:
            if words[0].text in IGNORED_LINES:
                continue
            num_listed += 1
            if words[0].text != "e" or len(words) != 3:
                reader.faults.append(words[0].fault("an edge is `e NODE NODE`", "e 1 2"))
                continue
            ends = [reader.number(word, "a node", 1, nodes) for word in words[1:]]
            if ends[0] is not None and ends[1] is not None:
                if ends[0] == ends[1]:
                    reader.faults.append(words[2].fault("", "another node than the first"))
                edges.append((min(ends[0], ends[1]) - 1, max(ends[0], ends[1]) - 1))
        num_distinct = len(set(edges))
        reader.compare(stated, [num_listed, num_distinct, 2 * num_distinct], "edges")
        reader.finish("the graph")
        return cls(tuple(range(1, (nodes or 0) + 1)), tuple(edges))

    def __str__(self) -> str:
        edges = (("e", a + 1, b + 1) for a, b in self.edges)
        return print_rows(("p", "edge", len(self.nodes), len(self.edges)), *edges)

    def sizes(self) -> dict[str, int]:
        return {"nodes": len(self.nodes), "edges": len(self.edges)}

    def degrees(self) -> tuple[int, ...]:
        """Return the number of edges at each node."""
        ends = Counter(end for edge in self.edges for end in edge)
        return tuple(ends[node] for node in range(len(self.nodes)))

    def edge_names(self) -> list[str]:
        """Return the printed names of the edges, such as "1-2"."""
        return [f"{self.nodes[a]}-{self.nodes[b]}" for a, b in self.edges]
