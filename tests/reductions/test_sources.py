"""Sources are read from their formats, faults have positions, and printed sources are read back."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from pysat.formula import CNF

import mmsat
from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.reductions import REDUCTIONS_BY_PROBLEM, Equation, System01
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS
from mmsat.reductions.sources import (
    SOURCES,
    SUFFIXES,
    Cover,
    Formula,
    Graph,
    Matrix,
    Triples,
    read_source,
    source_sizes,
)
from tests.support.tiny_sources import RANDOM, TINY

SOURCES_OF_TEXTS = [
    ("formula", "c hello\np cnf 4 2\n1 -2 3 0 2\n3 -4 0\n", Formula(4, ((1, -2, 3), (2, 3, -4)))),
    ("formula", "p cnf 1 1\n1 0\n%\n0\n\n", Formula(1, ((1,),))),
    ("formula", "\ufeffp  cnf 2 1\r\n0\r\n", Formula(2, ((),))),
    ("formula", "p cnf 0 0\n", Formula(0)),
    ("formula", "p cnf 0 1\n0\n", Formula(0, ((),))),
    ("graph", "p edge 3 2\ne 1 2\ne 3 2\n", Graph((1, 2, 3), ((0, 1), (1, 2)))),
    ("graph", "p col 2 2\nn 1 5\ne 1 2\ne 2 1\n", Graph((1, 2), ((0, 1),))),
    ("cover", "p cover 3 2\n1 2\nc three\n3\n", Cover(3, ((1, 2), (3,)))),
    ("triples", "p 3dm 2 1\n1 2 1\n", Triples(2, ((1, 2, 1),))),
    ("matrix", "01\n1 1 # all\n", Matrix(((0, 1), (1, 1)))),
    ("system", "2x1 - x3 + 3*x3 = -1", System01(3, (Equation((2, 0, 2), -1),))),
    ("system", "p system 3 1\n- x2 = - 1 # none\n", System01(3, (Equation((0, -1, 0), -1),))),
]
FAULT_POSITIONS = [
    ("formula", "p cnf 2 3\n1 -3 x 0\n2\n", [(1, 9), (2, 3), (2, 6), (3, 1)]),
    ("formula", "1 2 0\n", [(1, 1)]),
    ("formula", "c none\np cnf -1 0\n", [(2, 7)]),
    ("formula", "p cnf 0 1\n1 0\n", [(2, 1)]),
    ("formula", "p cnf 2 1\n1 -0 0\n", [(2, 3)]),
    ("graph", "p edge 3 1\ne 1 1\ne 2 9\nf\n", [(2, 5), (3, 5), (4, 1)]),
    ("graph", "", [(1, 1)]),
    ("graph", "p edge 3 5\ne 1 2\n", [(1, 10)]),
    ("cover", "p cover 4 3\n1 1\n2 q\n5\n", [(2, 3), (3, 3), (4, 1)]),
    ("cover", "p 3dm 4 3\n", [(1, 3)]),
    ("triples", "p 3dm 2 x\n1 1 1 2\n2 3 2\n", [(1, 9), (2, 1), (3, 3)]),
    ("matrix", "110\n0 1\n1 2 1\n", [(2, 3), (3, 3)]),
    ("matrix", "# nothing\n", [(1, 1)]),
    ("system", "2 x1 - - x3 = 1\nx1 + 3 y = 2\nx1 + x2\nx1 = z\n= 3\nx1 + = 2\n", None),
    ("system", "x1 = 1 2\n- - x1 = 1\n+ - x1 = 0\n", [(1, 6), (2, 3), (3, 3)]),
    ("system", "2 * * x1 = 2\n* x1 = 2\nx1 = 1 -\nx1 = 1.5\n", [(1, 5), (2, 1), (3, 6), (4, 6)]),
    ("system", "x0 = 1\n1 1 x2 = 0\nx1 x2 = 0\nx1 = 1 = 1\nx1 =\n", None),
]


@pytest.mark.parametrize(("kind", "text", "source"), SOURCES_OF_TEXTS)
def test_read_source_reads_the_format_of_each_kind(kind, text, source):
    assert read_source(kind, text) == source


@pytest.mark.parametrize(("kind", "text", "positions"), FAULT_POSITIONS)
def test_every_fault_has_its_line_and_column(kind, text, positions):
    with pytest.raises(InputError) as raised:
        read_source(kind, text)
    results = [(fault.line, fault.column) for fault in raised.value.faults]
    if positions is None:  # at least one fault in every line
        assert {line for line, _ in results} == set(range(1, text.count("\n") + 1))
    else:
        assert results == positions


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("formula", "p cnf 2 2\n1 0\n2 0\n0\n", "3, or remove clauses, found '2'"),
        ("formula", "p cnf 2 4\n1 0\n2 0\n0\n", "3, or add clauses, found '4'"),
        ("graph", "p edge 3 1\ne 1 2\ne 2 3\n", "2, or remove edges, found '1'"),
        ("graph", "p edge 3 9\ne 1 2\ne 2 3\n", "2, or add edges, found '9'"),
        ("graph", "p edge 3 3\ne 1 2\ne 2 3\n", "2, or add edges, found '3'"),
        ("cover", "p cover 2 1\n1\n2\n", "2, or remove sets, found '1'"),
        ("triples", "p 3dm 1 2\n1 1 1\n", "1, or add triples, found '2'"),
        ("system", "p system 2 1\nx1 = 1\nx2 = 1\n", "2, or remove equations, found '1'"),
    ],
)
def test_a_wrong_count_in_the_header_is_a_fault(kind, text, message):
    with pytest.raises(InputError) as raised:
        read_source(kind, text)
    (fault,) = raised.value.faults
    assert str(fault).startswith(f"expected {message} (the first line states the number of ")


@pytest.mark.parametrize("kind", TINY)
def test_a_printed_source_reads_back_as_an_equal_source(kind):
    rng = random.Random(3)
    sources = [*TINY[kind](), *(RANDOM[kind](rng) for _ in range(50))]
    for source in sources:
        read_back = read_source(kind, str(source))
        assert source_sizes(read_back) == source_sizes(source)
        if kind == "graph":  # in a text, nodes are numbers
            assert read_back.edges == source.edges
        else:
            assert read_back == source


@pytest.mark.parametrize("kind", TINY)
def test_damaged_texts_raise_input_errors_only(kind):
    rng = random.Random(5)
    for _ in range(300):
        text = list(str(RANDOM[kind](rng)))
        for _ in range(rng.randint(1, 4)):
            text[rng.randrange(len(text))] = rng.choice(["", "x", " ", "\n", "9", "-", "=", "0"])
        try:
            read_source(kind, "".join(text))
        except InputError as error:
            assert kind == "board" or all(fault.line for fault in error.faults)  # noqa: PT017


def test_graphs_from_networkx_have_the_same_nodes():
    graph = Graph.of(nx.Graph([("a", "b"), ("b", "c"), ("c", "b")]))
    assert graph == Graph(("a", "b", "c"), ((0, 1), (1, 2)))
    assert nx.utils.graphs_equal(graph.networkx(), nx.path_graph(["a", "b", "c"]))
    assert read_source("graph", nx.path_graph(3)).edges == graph.edges
    with pytest.raises(InputError, match="two different nodes"):
        Graph.of(nx.Graph([(1, 1)]))


SEQUENCES: dict[str, list[tuple[Any, Any]]] = {
    "formula": [
        ([[1, -2], {2, 3}, ()], Formula(3, ((1, -2), (2, 3), ()))),
        (np.array([[1, -2], [2, 3]]), Formula(3, ((1, -2), (2, 3)))),
        (CNF(from_clauses=[[1, -2], [2, 3]]), Formula(3, ((1, -2), (2, 3)))),
        ([], Formula(0)),
    ],
    "graph": [
        ([("b", "a"), ("a", (0, 1))], Graph(("b", "a", (0, 1)), ((0, 1), (1, 2)))),
        (np.array([[3, 1], [1, 2]]), Graph((3, 1, 2), ((0, 1), (1, 2)))),
        (nx.MultiDiGraph([("x y", "é"), ("é", "x y")]), Graph(("x y", "é"), ((0, 1),))),
        (nx.empty_graph([None.__class__, "-1"]), Graph((None.__class__, "-1"))),
    ],
    "cover": [([{2, 1}, [3]], Cover(3, ((1, 2), (3,))))],
    "triples": [
        ([(1, 2, 1), [2, 1, 2]], Triples(2, ((1, 2, 1), (2, 1, 2)))),
        (np.array([[1, 1, 1]]), Triples(1, ((1, 1, 1),))),
    ],
    "matrix": [
        ([[1, 0], (1, 1)], Matrix(((1, 0), (1, 1)))),
        (np.eye(2, dtype=int), Matrix(((1, 0), (0, 1)))),
    ],
    "system": [
        ([([2, 0, -1], 1)], System01(3, (Equation((2, 0, -1), 1),))),
        ([(np.array([1, 1]), np.int64(1))], System01(2, (Equation((1, 1), 1),))),
    ],
}
"""Sequences, arrays and objects of libraries by kind of source, with the sources they mean."""
WRONG_SOURCES = (
    *(None, 3, 0.5, b"p cnf 1 0", object(), {}, {"a": 1}, {1}, [3], [None], [[None]], [[0.5]]),
    *(
        [[1, 2], 3],
        [["a", "b", "c"]],
        [[10**12, 1, 1]],
        [[-(10**6)]],
        [[], []],
        [([1], 1), ([1, 2], 1)],
    ),
    *(np.array(3), np.array([0.5]), np.zeros((2, 2, 2), int), [([1, 2], "x")], [([], 1)]),
    *([(1, 1)], [([1], [2])], [(1, 2, 3, 4)], Path("f.cnf"), [{}], [{1, "a"}], iter([(1, 2)])),
)
"""Objects that are sources of no kind, or only of one kind."""


@pytest.mark.parametrize("kind", SEQUENCES)
def test_sequences_and_objects_of_libraries_are_sources(kind):
    for given, expected in SEQUENCES[kind]:
        assert read_source(kind, given) == expected


@pytest.mark.parametrize("kind", SOURCES)
def test_wrong_sources_are_refused(kind):
    others = [source for name in SEQUENCES if name != kind for _, source in SEQUENCES[name]]
    num_read = 0
    for wrong in (*WRONG_SOURCES, *others):
        with suppress(InputError):
            source = read_source(kind, wrong)
            num_read += 1
            assert read_source(kind, str(source)).sizes() == source.sizes()
    assert num_read < len(WRONG_SOURCES) // 3


def test_names_of_a_chain_are_joined_as_on_the_command_line():
    names = ["three-sat", "one-in-three", "one-in-three-3sat"]
    board = mmsat.chain(names, [[1, -2]]).board
    for joined in ("+".join(names), " + ".join(names), tuple(names)):
        assert mmsat.chain(joined, [[1, -2]]).board == board
    for wrong in ("", "+", "sat+", None, 3, [3]):
        with pytest.raises(InputError):
            mmsat.chain(wrong, [[1, -2]])


def test_sources_of_another_kind_are_refused():
    with pytest.raises(InputError, match="the source is a graph"):
        read_source("graph", Formula(1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Formula(2, ((1, 3),)),
        lambda: Formula(-1),
        lambda: Graph((1, 2), ((0, 2),)),
        lambda: Graph(()),
        lambda: Cover(2, ((),)),
        lambda: Cover(2, ((1, 1),)),
        lambda: Triples(2, ((1, 2, 3),)),
        lambda: Matrix(((1, 0),)),
        lambda: Matrix(()),
        lambda: System01(2, (Equation((1,), 1),)),
        lambda: System01(0),
        lambda: System01(0, (Equation((), 1),)),
    ],
)
def test_invalid_sources_are_refused(make):
    with pytest.raises(InputError):
        make()


def test_every_kind_has_a_suffix():
    assert SUFFIXES[".cnf"] == "formula"
    assert SUFFIXES[".board"] == "board"
    assert list(SUFFIXES.values()) == list(SOURCES)
    assert source_sizes(Board.parse("4x6/1122=1.1")) == {"pegs": 4, "colors": 6, "rows": 1}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("hello\n1 -2 0\n", (1, 1)),
        ("p cnf 2 1\n1 -2 0 c two words\n", (2, 8)),
        ("c first\nno header here\n1 0\n", (2, 1)),
    ],
)
def test_text_in_a_formula_is_one_fault(text, place):
    """Neither the words of a missing header nor those of a comment are read as literals."""
    with pytest.raises(InputError) as caught:
        Formula.parse(text)
    (fault,) = caught.value.faults
    assert (fault.line, fault.column) == place


@pytest.mark.parametrize(
    ("name", "source", "message"),
    [
        (
            "sat",
            "folder/f.cnf",
            (
                "the source: expected the text of a formula, found 'folder/f.cnf' "
                "(give the content of the file, not its name)"
            ),
        ),
        (
            "linear-system",
            "x.eq",
            (
                "the source: expected the text of a system, found 'x.eq' "
                "(give the content of the file, not its name)"
            ),
        ),
        (
            "vertex-cover",
            [1],
            "the source, edge 1: expected a pair of two different nodes, such as (1, 2), found 1",
        ),
        ("subset-sum", "", "No such reduction 'subset-sum'. Did you mean 'linear-system'?"),
        (
            "three-sat+sat",
            "",
            ("No such reduction 'three-sat+sat'. Use mmsat.chain('three-sat+sat', ...)."),
        ),
        (
            "one-in-three",
            "",
            ("No such reduction 'one-in-three'. Use mmsat.chain('one-in-three', ...)."),
        ),
    ],
)
def test_the_error_of_a_wrong_call_states_the_right_one(name, source, message):
    parameters = {"k": 1} if name == "vertex-cover" else {}
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.reduce(name, source, **parameters)
    assert str(caught.value) == message


def test_the_reductions_of_problems_with_other_names_exist():
    assert {*REDUCTIONS_BY_PROBLEM.values()} <= {*REDUCTIONS, *GAME_REDUCTIONS}
    assert REDUCTIONS_BY_PROBLEM.keys().isdisjoint({*REDUCTIONS, *GAME_REDUCTIONS})


TEXTS = {
    "formula": "p cnf 2 1\n1 -2 0\n",
    "graph": "p edge 3 2\ne 1 2\ne 2 3\n",
    "board": "4x6\n1122 1 1\n",
}


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("other_kind", TEXTS)
def test_a_source_of_another_kind_is_named(kind, other_kind):
    if kind == other_kind:
        read_source(kind, TEXTS[kind])
        return
    with pytest.raises(InputError) as caught:
        read_source(kind, TEXTS[other_kind])
    assert f"the source: expected a {kind}, found a {other_kind}" in str(caught.value)


@pytest.mark.parametrize("kind", SOURCES)
def test_a_text_without_a_kind_has_the_faults_of_the_reader(kind):
    """Rows without a game are not taken for a board."""
    with pytest.raises(InputError) as caught:
        read_source(kind, "1 1 2 2 9 9 = ?\n")
    assert "the source: expected" not in str(caught.value)
