"""The graph of a reduction's pegs and rows: its contents and its drawing."""

from __future__ import annotations

import subprocess
import sys
from xml.dom.minidom import parseString

import networkx as nx
import pytest

from mmsat.errors import InputError
from mmsat.reductions.reduce import REDUCTIONS, reduce
from mmsat.render import plain
from mmsat.render.board import Style
from mmsat.render.reports import lines as lines_of
from mmsat.render.reports import reductions as gadgets
from tests.support.cli_runner import environment
from tests.support.reduction_examples import shown

PATH = "p edge 3 2\ne 1 2\ne 2 3\n"
each_reduction = pytest.mark.parametrize("name", REDUCTIONS)


def edges_of(board):
    """Return one edge for each row and each peg whose color differs from the first guess."""
    first = board.rows[0].guess
    return {
        (f"row {number}", f"peg {peg + 1}")
        for number, (guess, _) in enumerate(board.rows, 1)
        for peg in range(board.game.pegs)
        if guess[peg] != first[peg]
    }


def svg_of(reduction, folder, name="graph.svg"):
    """Return the bytes of a drawing."""
    file = folder / name
    gadgets.draw(reduction, file)
    return file.read_bytes()


@each_reduction
def test_graphml_reads_back_as_the_graph(name, tmp_path):
    """The graph is bipartite, and has the expected nodes and edges."""
    reduction = shown(name)
    file = tmp_path / "graph.graphml"
    gadgets.draw(reduction, file)
    graph = nx.read_graphml(file)
    names, board = reduction.gadgets(), reduction.board
    sides = [("peg", names.pegs), ("row", names.rows)]
    assert nx.is_bipartite(graph)
    assert dict(graph.nodes(data=True)) == {
        f"{kind} {number}": {"kind": kind, "gadget": gadget, "meaning": meaning}
        for kind, named in sides
        for number, (gadget, meaning) in enumerate(named, 1)
    }
    assert len(graph) == board.game.pegs + len(board.rows)
    assert {frozenset(edge) for edge in graph.edges} == set(map(frozenset, edges_of(board)))
    assert all(graph.nodes[a]["kind"] != graph.nodes[b]["kind"] for a, b in graph.edges)
    assert not graph.degree("row 1")
    assert graph.number_of_edges() > 0 or name == "lies"
    assert list(tmp_path.iterdir()) == [file]


@each_reduction
def test_a_picture_names_every_kind_of_gadget(name, tmp_path):
    """The SVG is well-formed. matplotlib writes each text as a comment next to its shapes."""
    reduction = shown(name)
    text = svg_of(reduction, tmp_path).decode()
    assert parseString(text).documentElement.tagName == "svg"  # noqa: S318  (our own)
    names = reduction.gadgets()
    for noun, named in (("pegs", names.pegs), ("rows", names.rows)):
        for gadget, _ in named:
            assert f"<!-- {gadget.split()[0]}: {noun} -->" in text
    title, _, _ = reduction.title.partition(" -> ")
    assert title in text
    assert all(f"<!-- {peg} -->" in text for peg in range(1, reduction.sizes().pegs + 1))
    assert list(tmp_path.iterdir()) == [tmp_path / "graph.svg"]


@pytest.mark.parametrize("suffix", ["svg", "png", "graphml"])
def test_equal_reductions_give_equal_bytes(suffix, tmp_path):
    """The bytes depend neither on the name of the file nor on earlier drawings."""
    files = [tmp_path / f"{name}.{suffix}" for name in ("first", "second")]
    for file in files:
        gadgets.draw(shown("sat"), file)
        gadgets.draw(shown("permanent"), tmp_path / f"other.{suffix}")
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert first != (tmp_path / f"other.{suffix}").read_bytes()


def test_another_process_draws_the_same_bytes(tmp_path):
    """Also if its hashes of strings differ."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "import mmsat\n"
        "from mmsat.render.reports.reductions import draw\n"
        f"draw(mmsat.reduce('vertex-cover', {PATH!r}, k=1), Path(sys.argv[1]))\n"
    )
    expected = svg_of(reduce("vertex-cover", PATH, k=1), tmp_path)
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.svg"
        subprocess.run(
            [sys.executable, "-c", code, str(file)],
            env=environment(PYTHONHASHSEED=seed),
            check=True,
            timeout=120,
        )
        assert file.read_bytes() == expected


def test_a_png_file_has_the_signature_of_png(tmp_path):
    assert svg_of(shown("permanent"), tmp_path, "graph.png")[:8] == b"\x89PNG\r\n\x1a\n"


def test_large_boards_are_drawn_without_numbers(tmp_path):
    """Only the legend names the gadgets, because numbers would overlap."""
    ring = "".join(f"e {node} {node % 30 + 1}\n" for node in range(1, 31))
    reduction = reduce("vertex-cover", f"p edge 30 30\n{ring}", k=15)
    assert sum(reduction.sizes()) - 2 > gadgets.MAX_NUMBERED_NODES
    text = svg_of(reduction, tmp_path).decode()
    assert "<!-- node: pegs -->" in text
    assert "<!-- 17 -->" not in text


@pytest.mark.parametrize("source", ["2x2\n11=1.0\n", "2x2\n"])
def test_a_graph_without_edges_is_drawn(source, tmp_path):
    """All nodes are isolated and drawn in a line."""
    reduction = reduce("lies", source, lies=0)
    created = gadgets.graph(reduction)
    positions = gadgets.layout(created)
    assert set(positions) == set(created)
    assert len(set(positions.values())) == len(created)
    assert b"<svg" in svg_of(reduction, tmp_path)


@pytest.mark.parametrize("name", ["graph.pdf", "graph", "graph.svg.gz", ".svg"])
def test_other_suffixes_are_refused(name, tmp_path):
    with pytest.raises(InputError, match=r"\.graphml"):
        gadgets.draw(shown("permanent"), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_failed_drawing_keeps_the_existing_file(tmp_path, monkeypatch):
    """A file is replaced only when the new file is complete."""

    def fail(_, path):
        path.write_text("half of")
        raise MemoryError

    file = tmp_path / "graph.svg"
    file.write_text("the old one")
    with monkeypatch.context() as patch:
        patch.setattr(gadgets, "picture", fail)
        with pytest.raises(MemoryError):
            gadgets.draw(shown("permanent"), file)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the old one"]
    gadgets.draw(shown("permanent"), file)
    assert [path.name for path in tmp_path.iterdir()] == ["graph.svg"]
    assert "<svg" in file.read_text()


def test_gadgets_have_the_names_of_networkx_nodes():
    """All nodes have the same kind of gadget, whatever their names are."""
    graph = nx.Graph([("Ann", "Bob"), ("Bob", "Cleo")])
    reduction = reduce("vertex-cover", graph, k=1)
    created = gadgets.graph(reduction)
    assert created.nodes["peg 2"]["gadget"] == "node Bob"
    kinds = {gadgets.kind_of(gadget) for _, gadget in created.nodes(data="gadget")}
    assert kinds == {"node", "edge", "weight", "size"}


@each_reduction
def test_an_explanation_fits_a_terminal_and_keeps_every_word(name):
    """The words are the same with one line per entry and in wrapped columns."""
    reduction = shown(name)
    wide, narrow = (
        [plain(line) for line in lines_of(reduction, Style(wrap=w))] for w in (None, 100)
    )
    words, others = (sorted(" ".join(lines).replace(";", "").split()) for lines in (wide, narrow))
    assert words == others
    assert max(map(len, narrow[narrow.index("") :])) <= 100
    _, *rows = wide[wide.index("", wide.index("") + 1) + 1 :]
    assert len(rows) == len(reduction.board.rows)
