"""Reductions of graph problems: vertex cover and coloring to boards, dominating set to a word game.

A vertex cover of a graph is a set of nodes that contains an end of every edge. A cover of at most k
nodes exists if and only if a cover of exactly k nodes does, because further nodes can be added. If
k exceeds n, it is replaced by n. The README.md of each reduction has its construction and proof.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product

from mmsat._util.arguments import Rule
from mmsat._util.text import quantity
from mmsat.errors import FOUND_REPR, InputError
from mmsat.game import Code, Row
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import LETTERS, Symbols
from mmsat.game.words import Words
from mmsat.reductions import (
    GameFormulas,
    GameSizes,
    SizeFormulas,
    Sizes,
    index_below,
    read_items,
    require_whole,
)
from mmsat.reductions.equations import EquationCompiler, EquationsReduction, PegRule
from mmsat.reductions.reduction import GameReduction, Line, NamedRow, Reduction, RowReduction
from mmsat.reductions.samples import (
    PLANTED_OR_INCONSISTENT,
    Samples,
    draw_coloring,
    draw_cubic_vertex_cover,
    draw_vertex_cover,
)
from mmsat.reductions.sources import Graph

Nodes = tuple["Hashable", ...]


class VertexCoverReduction(Reduction[Graph, Nodes]):
    """A reduction of vertex cover. Certificates are covers of exactly k nodes, in graph order."""

    source_kind = "graph"
    parameters = ("k",)

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        num_nodes = len(source.nodes)
        self.k = min(require_whole("k", k, 0), num_nodes)

    @property
    def note(self) -> str:
        if self.settings["k"] == self.k:
            return ""
        return f"The graph has only {quantity(self.k, 'node')}, so k is {self.k}."

    @property
    def expected_certificate(self) -> str:
        return f"a vertex cover of {quantity(self.k, 'node')}, in the order of the graph"

    def read_certificate(self, certificate: object) -> Nodes:
        return read_nodes(self.source, certificate)

    def is_solution(self, certificate: Nodes) -> bool:
        marks = self.mark(certificate)
        return (
            len(certificate) == self.k
            and tuple(certificate) == self.select(marks)
            and all(marks[a] or marks[b] for a, b in self.source.edges)
        )

    def spell_solution(self, certificate: Nodes) -> str:
        return " ".join(map(str, certificate))

    def mark(self, certificate: Nodes) -> tuple[bool, ...]:
        """Return for each node whether it is in the cover."""
        chosen = set(certificate)
        return tuple(node in chosen for node in self.source.nodes)

    def select(self, marks: Iterable[bool]) -> Nodes:
        """Return the marked nodes, in the order of the graph."""
        return tuple(node for node, mark in zip(self.source.nodes, marks, strict=True) if mark)


def read_nodes(graph: Graph, certificate: object) -> Nodes:
    """Return nodes of a graph. Raises InputError for other objects.

    The nodes of a set are sorted in the order of the graph.
    """
    index_of = {node: index for index, node in enumerate(graph.nodes)}
    form = f"a sequence of nodes, which are {FOUND_REPR.repr(graph.nodes)}"
    node_index = Rule("a node of the graph", lambda node: index_of[node])
    return tuple(graph.nodes[index] for index in read_items(certificate, node_index, form))


class VertexCover(VertexCoverReduction, EquationsReduction[Graph, Nodes]):
    """A peg for each node, which is 1 outside the cover, and two pegs for each edge."""

    name = "vertex-cover"
    title = "vertex cover of size k -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004; Stuckman and Zhang 2005)"
    # n: nodes, m: edges
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


def _nor(a: int, b: int) -> PegRule:
    """Return the function that is 1 if two pegs are 0, and 0 if one of them is 1."""
    return lambda values: 1 - values[a] - values[b]


class VertexCoverRegular(VertexCover):
    """A peg for each node, which is 1 outside the cover, and a peg for each edge.

    In a regular graph, the number of ones in the code determines the size of the cover, so that no
    row for the size is needed.
    """

    name = "vertex-cover-regular"
    title = "vertex cover of size k in a regular graph -> two colors"
    # n: nodes, m: edges
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
            degrees_text = f"{', '.join(map(str, degrees))} edges at a node"
            raise InputError.of(
                "the graph", "a regular graph, or use vertex-cover", degrees_text, rule
            )
        (self.degree,) = degrees

    def write(self, system: EquationCompiler) -> None:
        for gadget, edge_peg in self.add_pegs(system):
            self.add_edge(system, gadget, edge_peg)
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        system.weight = edges - (self.degree - 1) * (nodes - self.k)

    def sizes(self) -> Sizes:
        nodes, edges = len(self.source.nodes), len(self.source.edges)
        return Sizes(nodes + edges, 2, 1 + edges)


OUT, IN, NEUTRAL = range(3)
"""The colors of a vertex cover: not in the cover, in the cover, and the color that no code has."""


class VertexCoverThreeColors(VertexCoverReduction, RowReduction[Graph, Nodes]):
    """The pegs of nodes and edges, and pads, which are pegs with a known color.

    A peg has the color IN if its node is in the cover, if exactly one end of its edge is in the
    cover, or if it is a pad.
    """

    name = "vertex-cover-three-colors"
    title = "vertex cover of size k -> three colors, one of them neutral"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004; Stuckman and Zhang 2005)"
    # n: nodes, m: edges
    formula = SizeFormulas("2n + m", "3", "3 + m")
    family = "vertex cover, three random edges per node, k the size of a minimum cover or one less"
    samples = Samples(draw_vertex_cover, PLANTED_OR_INCONSISTENT, unit="nodes", size=20, min_size=2)
    black_suffices = True  # the same codes if scored with black only

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

    def encode_solution(self, certificate: Nodes) -> Code:
        marks = self.mark(certificate)
        has_one_end_in = (marks[a] != marks[b] for a, b in self.source.edges)
        return (*map(int, marks), *map(int, has_one_end_in), *[IN] * len(marks))

    def decode_colors(self, code: Sequence[int]) -> Nodes:
        return self.select(color == IN for color in code[: len(self.source.nodes)])


FREE, TAKEN = range(2)
"""The colors of a switch, a peg for an edge and a color: no end of the edge has this color, or one
end has it."""


class GraphColoring(RowReduction[Graph, tuple[int, ...]]):
    """A peg for the color of each node, and a switch for each edge and color.

    A certificate has one color per node, from 0.
    """

    name = "graph-coloring"
    title = "proper coloring with k colors -> k + 1 colors, black only"
    theorem = "black-peg Mastermind satisfiability is NP-complete (Goodrich 2009)"
    source_kind = "graph"
    parameters = ("k",)
    # n: nodes, m: edges, for k of 2 or more
    formula = SizeFormulas("n + k m", "k + 1", "k - 1 + k m")
    family = "3-coloring of random graphs of average degree 4.69, or Mycielski graphs"
    samples = Samples(draw_coloring, unit="nodes", size=30, min_size=4)
    scoring = "black"
    black_suffices = True  # the board is scored with black only

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
            *((f"edge {e}", f"1 if neither end has color {c}, else 2") for e, c in pairs),
        ]

    def sizes(self) -> Sizes:
        k = self.num_node_colors
        switches = k * len(self.source.edges)
        rows = k - 1 + switches + (self.k < k)
        return Sizes(len(self.source.nodes) + switches, k + 1, rows)

    def encode_solution(self, certificate: tuple[int, ...]) -> Code:
        switches = (
            TAKEN if color in {certificate[a], certificate[b]} else FREE
            for (a, b), color in product(self.source.edges, range(self.num_node_colors))
        )
        return (*certificate, *switches)

    def decode_colors(self, code: Sequence[int]) -> tuple[int, ...]:
        return tuple(code[: len(self.source.nodes)])

    expected_certificate = "a coloring with different colors at the ends of every edge"

    def read_certificate(self, certificate: object) -> tuple[int, ...]:
        num_nodes = len(self.source.nodes)
        form = f"the color, from 0, of each of {quantity(num_nodes, 'node')}"
        return read_items(certificate, index_below(self.k), form, num_nodes)

    def is_solution(self, certificate: tuple[int, ...]) -> bool:
        return all(certificate[a] != certificate[b] for a, b in self.source.edges)


FIRST_LETTERS = LETTERS + "0123456789"
"""The first letters of a game. Most games need no other letters."""
FIRST_FURTHER_LETTER = 0x4E00
"""Code point of the next letter, in a range of characters without upper case."""


class WordGame(GameReduction[Graph, Nodes]):
    """Two words for each node, which share a letter with the words of each neighbor."""

    name = "word-game"
    title = "dominating set -> a list of words, each found within k + 1 guesses"
    theorem = (
        "to win the daily word game is NP-complete (Lokshtanov and Subercaseaux 2022; Rosenbaum "
        "2022)"
    )
    source_kind = "graph"
    parameters = ("k",)
    # c: places of links (see `places`), n: nodes, m: edges, i: isolated nodes
    formula = GameFormulas("2c", "n + m + i", "2n")

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        self.k = min(require_whole("k", k, 0), len(source.nodes))

    @cached_property
    def links(self) -> tuple[tuple[int, int], ...]:
        """The edges, and a loop at each isolated node."""
        endpoints = {node for edge in self.source.edges for node in edge}
        isolated = (node for node in range(len(self.source.nodes)) if node not in endpoints)
        return (*self.source.edges, *((node, node) for node in isolated))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each link: the smallest number that no earlier link at its nodes has.

        A place has two pegs, one for each word of a node. The letter of a link is at peg 2 * place
        of the first word of each of its nodes, and at peg 2 * place + 1 of the second word.
        """
        places_at: list[set[int]] = [set() for _ in self.source.nodes]
        places = []
        for first, second in self.links:
            taken = places_at[first] | places_at[second]
            place = next(place for place in range(len(taken) + 1) if place not in taken)
            places_at[first].add(place)
            places_at[second].add(place)
            places.append(place)
        return tuple(places)

    @property
    def guesses(self) -> int:
        return self.k + 1

    @property
    def letters(self) -> int:
        return len(self.source.nodes) + len(self.links)

    def sizes(self) -> GameSizes:
        return GameSizes(2 * (1 + max(self.places)), self.letters, 2 * len(self.source.nodes))

    @cached_property
    def words(self) -> tuple[Code, ...]:
        """The words, two per node, in the order of the nodes."""
        num_nodes = len(self.source.nodes)
        words = [[node] * self.sizes().pegs for node in range(num_nodes) for _ in range(2)]
        for letter, (link, place) in enumerate(
            zip(self.links, self.places, strict=True), num_nodes
        ):
            for node in link:
                words[2 * node][2 * place] = words[2 * node + 1][2 * place + 1] = letter
        return tuple(map(tuple, words))

    @cached_property
    def target(self) -> Game:
        sizes = self.sizes()
        further_letters = (
            chr(FIRST_FURTHER_LETTER + number)
            for number in range(sizes.colors - len(FIRST_LETTERS))
        )
        symbols = Symbols((*FIRST_LETTERS[: sizes.colors], *further_letters), "letter")
        space = Words(self.words)
        name = f"game:{self.name}.toml"
        return Game(sizes.pegs, sizes.colors, space, SCORINGS["places"], symbols, name)

    def meanings(self) -> Iterator[tuple[Code, str]]:
        for index, word in enumerate(self.words):
            yield word, f"node {self.source.nodes[index // 2]}"

    def encode_solution(self, certificate: Nodes) -> Line:
        chosen = set(certificate)
        nodes = enumerate(self.source.nodes)
        return tuple(self.words[2 * number] for number, node in nodes if node in chosen)

    def decode_line(self, line: Line) -> Nodes:
        chosen = {self.words.index(word) // 2 for word in line}
        return tuple(self.source.nodes[number] for number in sorted(chosen))

    @property
    def expected_certificate(self) -> str:
        return f"a dominating set of at most {quantity(self.k, 'node')}"

    def read_certificate(self, certificate: object) -> Nodes:
        return read_nodes(self.source, certificate)

    def is_solution(self, certificate: Nodes) -> bool:
        nodes = self.source.nodes
        chosen = {number for number, node in enumerate(nodes) if node in certificate}
        dominated = {node for edge in self.source.edges if chosen & {*edge} for node in edge}
        is_set = len(chosen) == len(certificate) <= self.k
        return is_set and chosen | dominated == set(range(len(nodes)))

    def spell_solution(self, certificate: Nodes) -> str:
        return " ".join(map(str, certificate))
