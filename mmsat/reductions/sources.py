"""The kinds of source problem, and their text formats.

`formula`: a formula in conjunctive normal form, in the DIMACS format of SAT solvers. `graph`: a
graph in the DIMACS format of the coloring challenge, or from networkx.

    c a comment                             c a path of three nodes
    p cnf 4 2                               p edge 3 2
    1 -2 3 0                                e 1 2
    2 3 -4 0                                e 2 3

`cover` and `triples`: sets, or triples, from which to choose so that each element is in exactly one
chosen set (exact cover) or chosen triple (matching).

    c three sets over four elements         c two of each kind, three triples
    p cover 4 3                             p 3dm 2 3
    1 2                                     1 1 1
    2 3                                     2 2 2
    3 4                                     1 2 2

`matrix`: a square matrix of 0 and 1; the entries may be separated by blanks or commas. It is a
bipartite graph, whose perfect matchings the permanent counts. `system`: linear equations over
variables that are 0 or 1. A single equation is a subset sum problem. An optional first line
`p system VARIABLES EQUATIONS` allows variables that are in no equation.

    # three rows, three columns             # two equations
    1 1 0                                   2 x1 - x3 + x4 = 1
    0 1 1                                   x1 + x2 + x3 = 2
    1 0 1

`board`: a board, for reductions of boards.

A new kind is a subclass of `Source` in this module, and an entry of `SOURCES`.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Self

from mmsat._util.arguments import attempt, is_path, items_of, whole_number
from mmsat._util.text import quantity
from mmsat.errors import Fault, InputError, found_argument
from mmsat.game.board import Board
from mmsat.reductions import (
    MAX_NUMBER,
    TRUTH_VALUE,
    Reader,
    Source,
    System01,
    Word,
    explain_source,
    print_rows,
    read_items,
    read_rows,
    wrong_source,
)

Clause = tuple[int, ...]
"""The literals of a clause: 3 is variable 3, and -3 its negation."""
Assignment = tuple[bool, ...]
"""The truth value of each variable."""


@dataclass(frozen=True, slots=True)
class Formula(Source):
    """A formula: variables from 1, and clauses of literals (3 is variable 3, -3 its negation)."""

    name = "formula"
    suffix = ".cnf"
    sequence_form = "a list of clauses such as [[1, -2], [2, 3]], a pysat.formula.CNF"

    variables: int
    clauses: tuple[Clause, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "clauses", tuple(map(tuple, self.clauses)))
        faults = []
        if self.variables < 0:
            faults.append(Fault("", self.variables, "0 or more variables"))
        faults += [
            Fault("", literal, expected, part=f"clause {number}")
            for number, clause in enumerate(self.clauses, 1)
            for literal in clause
            if not 1 <= abs(literal) <= self.variables
            for expected in [f"1 to {self.variables}, or -1 to -{self.variables}"]
        ]
        InputError.refuse(faults, "the formula")

    @classmethod
    def of(cls, items: Any) -> Self:
        clauses = read_rows(cls, getattr(items, "clauses", items))
        variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
        # `nv` is the number of variables of a pysat.formula.CNF.
        return cls(max(variables, attempt(whole_number, getattr(items, "nv", 0)) or 0), (*clauses,))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read DIMACS CNF. A clause ends with 0, and may span lines or share a line.

        A line `%`, which ends the files of a well-known collection (SATLIB), ends the text.
        """
        reader = Reader(text, "c")
        variables, stated = reader.header(("cnf",), ("VARIABLES", "CLAUSES"), 0)
        lines = takewhile(lambda words: words[0].text != "%", reader.lines)
        clauses: list[Clause] = []
        clause: list[int] = []
        clause_start: Word | None = None
        for word in (word for words in lines for word in _without_comment(words, reader)):
            if not word.text.strip("0"):  # 0 ends the clause
                clauses.append(tuple(clause))
                clause, clause_start = [], None
                continue
            clause_start = clause_start or word
            literal = reader.number(
                word, "a literal", -MAX_NUMBER if variables is None else -variables, variables
            )
            if literal == 0:
                reader.faults.append(word.fault("a literal is a variable or its negation", "0"))
            clause.append(literal or 1)  # 1 replaces a faulty literal, so that parsing continues
        if clause_start:
            reader.faults.append(
                clause_start.fault("a clause ends with 0", "0 after its last literal")
            )
            clauses.append(tuple(clause))
        reader.check_count(stated, [len(clauses)], "clauses")
        reader.finish("the formula")
        return cls(variables or 0, tuple(clauses))

    def __str__(self) -> str:
        clauses = ((*clause, 0) for clause in self.clauses)
        return print_rows(("p", "cnf", self.variables, len(self.clauses)), *clauses)

    def sizes(self) -> dict[str, int]:
        return {
            "variables": self.variables,
            "clauses": len(self.clauses),
            "literals": sum(map(len, self.clauses)),
        }

    def simplified_clauses(self) -> tuple[tuple[int, Clause], ...]:
        """Return the clauses, with their numbers from 1, without repeated literals.

        Clauses with a literal and its negation, which are always true, are omitted.
        """
        return tuple(
            (number, tuple(dict.fromkeys(clause)))
            for number, clause in enumerate(self.clauses, 1)
            for literals in [set(clause)]
            if not any(-literal in literals for literal in clause)
        )

    def count_true_literals(self, assignment: Sequence[bool]) -> tuple[int, ...]:
        """Return the number of true literals in each clause, counting repeats."""
        return tuple(
            sum(assignment[abs(literal) - 1] == (literal > 0) for literal in clause)
            for clause in self.clauses
        )

    def is_model(self, assignment: Sequence[bool]) -> bool:
        """Return whether an assignment, a truth value for each variable, satisfies every clause."""
        return len(assignment) == self.variables and all(self.count_true_literals(assignment))

    def read_assignment(self, values: object) -> Assignment:
        """Return an assignment. Raises InputError for objects of another form."""
        form = f"a truth value for each of {quantity(self.variables, 'variable')}"
        return read_items(values, TRUTH_VALUE, form, self.variables)

    def has_one_true(self, assignment: Sequence[bool]) -> bool:
        """Return whether an assignment makes exactly one literal of every clause true."""
        return len(assignment) == self.variables and set(self.count_true_literals(assignment)) <= {
            1
        }


def _without_comment(words: tuple[Word, ...], reader: Reader) -> tuple[Word, ...]:
    """Return the words of a line before a word `c`, which begins a comment and is a fault."""
    texts = [word.text for word in words]
    if "c" not in texts:
        return words
    index = texts.index("c")
    reader.faults.append(words[index].fault("a comment is a separate line", "a literal"))
    return words[:index]


def spell_assignment(values: Iterable[bool]) -> str:
    """Return an assignment in the format of SAT solvers: `v 1 -2 0`."""
    signed = (number if value else -number for number, value in enumerate(values, 1))
    return " ".join(["v", *map(str, signed), "0"])


def spell_literal(literal: int) -> str:
    """Return the printed name of a literal: x3, or -x3 for its negation."""
    return f"-x{-literal}" if literal < 0 else f"x{literal}"


def spell_clause(clause: Sequence[int]) -> str:
    """Return the printed literals of a clause: x1, -x2, x3."""
    return ", ".join(map(spell_literal, clause)) or "nothing"


IGNORED_LINES = ("n", "d", "v", "x")
"""The first words of lines that are ignored, such as those with values of nodes."""


@dataclass(frozen=True, slots=True)
class Graph(Source):
    """An undirected graph: nodes in order, and edges as sorted pairs of node indices from 0.

    The smaller index comes first in an edge. There are no loops; parallel edges are merged.
    """

    name = "graph"
    suffix = ".col"
    sequence_form = "a networkx.Graph, a list of edges such as [(1, 2), (2, 3)]"

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
    def of(cls, items: Any) -> Self:
        """Convert a networkx graph, or a list of edges, whose nodes are objects of any type.

        The nodes of a list are in the order of their first edges. Directions are dropped.
        """
        is_graph = hasattr(items, "nodes") and hasattr(items, "edges")
        edges = attempt(list, items.edges) if is_graph else attempt(items_of, items)
        nodes = attempt(list, items.nodes) if is_graph else []
        if edges is None or nodes is None:
            raise wrong_source(cls, items)
        index_of: dict[Hashable, int] = {node: index for index, node in enumerate(nodes)}
        pairs = []
        faults = []
        for number, edge in enumerate(edges, 1):
            # the edges of a networkx.MultiGraph also have a key
            ends = (attempt(items_of, edge) or [])[: 2 if is_graph else None]
            distinct_ends = attempt(frozenset, ends)  # None if an end is not hashable
            if len(ends) != 2 or distinct_ends is None or len(distinct_ends) != 2:
                expected = "a pair of two different nodes, such as (1, 2)"
                faults.append(Fault("", found_argument(edge), expected, part=f"edge {number}"))
            else:
                a, b = (index_of.setdefault(end, len(index_of)) for end in ends)
                pairs.append((a, b))
        InputError.refuse(faults, "the source")
        return cls(tuple(index_of), tuple(pairs))

    def networkx(self) -> Any:
        """Return the graph as a networkx graph."""
        import networkx as nx  # type: ignore[import-untyped,unused-ignore]

        graph = nx.Graph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from((self.nodes[a], self.nodes[b]) for a, b in self.edges)
        return graph

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read DIMACS edges; the nodes are 1 to n.

        Many files list every edge in both directions. Their header may count each edge once or
        twice.
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
                    reader.faults.append(words[2].fault("", "a node other than the first"))
                edges.append((min(ends[0], ends[1]) - 1, max(ends[0], ends[1]) - 1))
        num_distinct = len(set(edges))
        reader.check_count(stated, [num_listed, num_distinct, 2 * num_distinct], "edges")
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


@dataclass(frozen=True, slots=True)
class Cover(Source):
    """Elements, numbered from 1, and nonempty sets of them. A set can appear more than once."""

    name = "cover"
    suffix = ".cover"
    sequence_form = "a list of sets of numbers from 1, such as [{1, 2}, {3}]"

    elements: int
    sets: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "sets", tuple(map(tuple, self.sets)))
        faults = []
        if self.elements < 1:
            faults.append(Fault("", self.elements, "1 or more elements"))
        expected = f"different elements from 1 to {self.elements}"
        faults += [
            Fault("", members, expected, part=f"set {number}")
            for number, members in enumerate(self.sets, 1)
            if not members
            or len(set(members)) != len(members)
            or not all(1 <= element <= self.elements for element in members)
        ]
        InputError.refuse(faults, "the cover")

    @classmethod
    def of(cls, items: Any) -> Self:
        sets = read_rows(cls, items)
        return cls(max((element for members in sets for element in members), default=0), (*sets,))

    @classmethod
    def parse(cls, text: str) -> Self:
        reader = Reader(text, "c")
        elements, stated = reader.header(("cover",), ("ELEMENTS", "SETS"))
        sets = []
        for words in reader.lines:
            numbers: list[int] = []
            for word in words:
                number = reader.number(word, "an element", 1, elements)
                if number in numbers:
                    reader.faults.append(word.fault("", "different elements of a set"))
                numbers.append(number or 0)
            sets.append(tuple(numbers))
        reader.check_count(stated, [len(sets)], "sets")
        reader.finish("the cover")
        return cls(elements or 0, tuple(sets))

    def __str__(self) -> str:
        return print_rows(("p", "cover", self.elements, len(self.sets)), *self.sets)

    def sizes(self) -> dict[str, int]:
        return {"elements": self.elements, "sets": len(self.sets)}

    def sets_by_element(self) -> tuple[tuple[int, ...], ...]:
        """Return the indices, from 0, of the sets that contain each element."""
        sets_of: list[list[int]] = [[] for _ in range(self.elements)]
        for index, members in enumerate(self.sets):
            for element in members:
                sets_of[element - 1].append(index)
        return tuple(map(tuple, sets_of))

    def is_exact(self, chosen: Sequence[int]) -> bool:
        """Return whether the chosen sets (ascending indices from 0) cover each element once."""
        if list(chosen) != sorted(set(chosen) & set(range(len(self.sets)))):
            return False
        covered = sorted(element for index in chosen for element in self.sets[index])
        return covered == list(range(1, self.elements + 1))


@dataclass(frozen=True, slots=True)
class Triples(Source):
    """Three kinds of `size` things each, numbered from 1, and triples with one thing per kind."""

    name = "triples"
    suffix = ".3dm"
    sequence_form = "a list of triples of numbers from 1, such as [(1, 2, 1), (2, 1, 2)]"

    size: int
    triples: tuple[tuple[int, int, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "triples", tuple(map(tuple, self.triples)))
        faults = []
        if self.size < 1:
            faults.append(Fault("", self.size, "a size of 1 or more"))
        faults += [
            Fault("", triple, f"three numbers from 1 to {self.size}", part=f"triple {number}")
            for number, triple in enumerate(self.triples, 1)
            if len(triple) != 3 or not all(1 <= thing <= self.size for thing in triple)
        ]
        InputError.refuse(faults, "the triples")

    @classmethod
    def of(cls, items: Any) -> Self:
        triples = read_rows(cls, items)
        size = max((thing for triple in triples for thing in triple), default=0)
        return cls(size, tuple(triples))  # type: ignore[arg-type]  # the constructor checks it

    @classmethod
    def parse(cls, text: str) -> Self:
        reader = Reader(text, "c")
        size, stated = reader.header(("3dm",), ("SIZE", "TRIPLES"))
        triples = []
        for words in reader.lines:
            things = [reader.number(word, "a thing", 1, size) or 0 for word in words]
            if len(things) != 3:
                reader.faults.append(words[0].fault("a triple is three numbers", "1 1 1"))
            else:
                triples.append((things[0], things[1], things[2]))
        reader.check_count(stated, [len(reader.lines)], "triples")
        reader.finish("the triples")
        return cls(size or 0, tuple(triples))

    def __str__(self) -> str:
        return print_rows(("p", "3dm", self.size, len(self.triples)), *self.triples)

    def sizes(self) -> dict[str, int]:
        return {"elements": self.size, "triples": len(self.triples)}

    def cover(self) -> Cover:
        """Return the triples as sets of an exact cover; things are numbered kind after kind."""
        sets = ((x, self.size + y, 2 * self.size + z) for x, y, z in self.triples)
        return Cover(3 * self.size, tuple(sets))

    def is_matching(self, chosen: Sequence[int]) -> bool:
        """Return whether the chosen triples (ascending indices from 0) contain each thing once."""
        return self.cover().is_exact(chosen)


@dataclass(frozen=True, slots=True)
class Matrix(Source):
    """A square matrix: rows of 0 and 1."""

    name = "matrix"
    suffix = ".matrix"
    sequence_form = "a list or an array of rows of 0 and 1, such as [[1, 0], [1, 1]]"

    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(tuple(map(int, row)) for row in self.rows))
        num_rows = len(self.rows)
        faults = [] if num_rows else [Fault("", num_rows, "1 or more rows")]
        faults += [
            Fault("the matrix is square", row, f"{num_rows} entries 0 or 1", part=f"row {number}")
            for number, row in enumerate(self.rows, 1)
            if len(row) != num_rows or not set(row) <= {0, 1}
        ]
        InputError.refuse(faults, "the matrix")

    @classmethod
    def of(cls, items: Any) -> Self:
        return cls(tuple(read_rows(cls, items)))

    @classmethod
    def parse(cls, text: str) -> Self:
        reader = Reader(text.replace(",", " "), "#")
        num_rows = len(reader.lines)
        if not num_rows:
            reader.faults.append(Fault("", "", "rows of 0 and 1", 1, 1))
        rows = []
        for words in reader.lines:
            # Each digit is an entry, whether or not blanks separate the digits.
            entries = [
                Word(digit, word.line, word.column + offset)
                for word in words
                for offset, digit in enumerate(word.text)
            ]
            reader.faults += [
                entry.fault("", "0 or 1") for entry in entries if entry.text not in ("0", "1")
            ]
            if len(entries) != num_rows:
                height, width = quantity(num_rows, "row"), quantity(len(entries), "number")
                rule = f"the matrix has {height}, but this row has {width}"
                reader.faults.append(entries[-1].fault(rule, "as many rows as columns"))
            rows.append(tuple(int(entry.text == "1") for entry in entries))
        reader.finish("the matrix")
        return cls(tuple(rows))

    def __str__(self) -> str:
        return print_rows(*self.rows)

    def sizes(self) -> dict[str, int]:
        return {"rows": len(self.rows), "ones": sum(map(sum, self.rows))}

    def ones(self) -> tuple[tuple[int, int], ...]:
        """Return the row and column, from 0, of every 1, row by row."""
        return tuple(
            (row, column)
            for row, entries in enumerate(self.rows)
            for column, entry in enumerate(entries)
            if entry
        )

    def is_matching(self, permutation: Sequence[int]) -> bool:
        """Return whether a permutation, the column of each row from 0, selects only ones."""
        return sorted(permutation) == list(range(len(self.rows))) and all(
            entries[column] for entries, column in zip(self.rows, permutation, strict=True)
        )


SOURCES: Mapping[str, type[Source | Board]] = {
    "formula": Formula,
    "graph": Graph,
    "cover": Cover,
    "triples": Triples,
    "matrix": Matrix,
    "system": System01,
    "board": Board,
}
"""The kinds of source by name."""
SUFFIXES = {
    ".board" if source_class is Board else source_class.suffix: name  # type: ignore[union-attr]
    for name, source_class in SOURCES.items()
}
"""The kind of source of each file name suffix."""


def read_source(kind: str, source: Any) -> Any:
    """Return a source of this kind: an object of its class, text, or what its `of` accepts.

    Raises InputError that lists every fault.
    """
    source_class = SOURCES[kind]
    if isinstance(source, str):
        try:
            return source_class.parse(source)
        except InputError as error:
            raise explain_source(error, source, kind, SOURCES) from None
    if isinstance(source, source_class):
        return source
    if is_path(source):
        rule = "give the content of the file, not its name"
        raise InputError.of("the source", f"the text of a {kind}", source, rule)
    return source_class.of(source)


def source_sizes(source: Source | Board) -> dict[str, int]:
    """Return the sizes of a source or a board by name."""
    if isinstance(source, Board):
        game = source.game
        return {"pegs": game.pegs, "colors": game.colors, "rows": len(source.rows)}
    return source.sizes()
