"""Reports of reductions, in words and as the graph of pegs and rows, and their descriptions.

In the graph, a row is connected to the pegs that it constrains. These are the pegs at which its
guess differs from the first guess: at all other pegs, guesses repeat the color of the first guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NotRequired, TypedDict

from mmsat._util import LateModule
from mmsat._util.results import NonEmpty, Schema
from mmsat._util.text import join_words
from mmsat.errors import InputError
from mmsat.game.notation.board_reader import speller
from mmsat.reductions.reduction import GameReduction, Reduction, ReductionName
from mmsat.render import Line, Span, fold, paint, pyplot, save_figure, table
from mmsat.render.board import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

nx = LateModule("networkx")
SUFFIXES = (".graphml", ".png", ".svg")
"""The suffixes of the files of graphs."""
MAX_PRINTED_PEGS = 40
"""Maximum number of pegs for which guesses and known codes are printed."""
MAX_NUMBERED_NODES = 120
"""Maximum number of pegs and rows of a picture with numbers. Larger pictures have a legend only."""
LAYOUT_SEED = 1
"""Seed of the layout, so that equal boards give equal pictures."""

ReductionClass = type[Reduction[Any, Any]] | type[GameReduction[Any, Any]]
"""The class of a reduction to a board or to a game."""


class FormulasJson(TypedDict):
    """The exact sizes of the target, as formulas in terms of the source."""

    pegs: NonEmpty
    colors: NonEmpty
    rows: NotRequired[NonEmpty]
    """Number of rows of a board."""
    codes: NotRequired[NonEmpty]
    """Number of codes of a game."""


class ReductionKindJson(TypedDict):
    """A reduction."""

    name: ReductionName
    title: NonEmpty
    """The source and the target, in one line."""
    theorem: NonEmpty
    """The theorem that the reduction proves, with its authors and year."""
    source: Annotated[
        str, Schema(enum=("formula", "graph", "cover", "triples", "matrix", "system", "board"))
    ]
    """The kind of source."""
    parameters: list[Annotated[str, Schema(enum=("k", "lies"))]]
    """The required numbers, by the names of the options."""
    sizes: Annotated[FormulasJson, Schema(minProperties=3, maxProperties=3)]
    target: Annotated[str, Schema(enum=("board", "game"))]
    """The kind of target."""
    black_only: bool
    """Whether the board has the same codes if it is scored with black only."""
    readme: NotRequired[NonEmpty]
    """The page in the catalogue, in Markdown; only if a single reduction is described."""


def describe_reduction(kind: ReductionClass) -> ReductionKindJson:
    """Return the description of a reduction for JSON."""
    sizes: FormulasJson = {"pegs": kind.formula.pegs, "colors": kind.formula.colors}
    if issubclass(kind, Reduction):
        sizes["rows"] = kind.formula.rows
    else:
        sizes["codes"] = kind.formula.codes
    return {
        "name": kind.name,
        "title": kind.title,
        "theorem": kind.theorem,
        "source": kind.source_kind,
        "parameters": list(kind.parameters),
        "sizes": sizes,
        "target": kind.target_kind,
        "black_only": issubclass(kind, Reduction) and kind.black_suffices,
    }


def reduction_lines(
    reduction: Reduction[Any, Any], style: Style, *, in_full: bool = False
) -> Iterator[Line]:
    """Yield the meanings of all pegs and rows of the board, grouped by gadget."""
    width = style.wrap
    board, names = reduction.board, reduction.gadgets()
    for text in fold(reduction.title, width, 0):
        yield [Span(text, "name")]
    for name, measures in reduction.stages():
        counts = (
            f"{count:,} {noun[:-1] if count == 1 else noun}" for noun, count in measures.items()
        )
        yield [Span(f"  {name}: {', '.join(counts)}")]
    notation, has_few_pegs = speller(board.game), board.game.pegs <= MAX_PRINTED_PEGS
    if board.known:
        codes = map(notation.print_code, board.known) if has_few_pegs else [str(len(board.known))]
        yield [Span(f"  excluded known codes: {', '.join(codes)}")]
    for text in fold(reduction.question, width, 2) if reduction.question else ():
        yield [Span(f"  {text}")]
    yield []
    groups: dict[str, list[str]] = {}
    for number, (gadget, meaning) in enumerate(names.pegs, 1):
        groups.setdefault(gadget, []).append(f"{number}: {meaning}")
    cells = [[gadget, "; ".join(meanings)] for gadget, meanings in groups.items()]
    yield from table(["gadget", "its pegs"], cells, width)
    yield []
    row_cells = [
        [str(number), gadget, meaning, notation.print_row(row) if has_few_pegs else ""]
        for number, ((gadget, meaning), row) in enumerate(
            zip(names.rows, board.rows, strict=True), 1
        )
    ]
    yield from table(
        ["row", "gadget", "says", "guess and score"], row_cells, width, right_aligned=[0]
    )


def constrained_pegs(reduction: Reduction[Any, Any]) -> list[tuple[int, ...]]:
    """Return, for each row, the pegs (from 0) at which its guess differs from the first guess."""
    guesses = [row.guess for row in reduction.board.rows]
    return [
        tuple(peg for peg, color in enumerate(guess) if color != guesses[0][peg])
        for guess in guesses
    ]


def graph(reduction: Reduction[Any, Any]) -> Any:
    """Return the bipartite networkx graph of pegs and rows, with gadgets and meanings."""
    names = reduction.gadgets()
    result = nx.Graph(name=reduction.title)
    for number, (gadget, meaning) in enumerate(names.pegs, 1):
        result.add_node(f"peg {number}", kind="peg", gadget=gadget, meaning=meaning)
    for number, (gadget, meaning) in enumerate(names.rows, 1):
        result.add_node(f"row {number}", kind="row", gadget=gadget, meaning=meaning)
    for number, pegs in enumerate(constrained_pegs(reduction), 1):
        result.add_edges_from((f"row {number}", f"peg {peg + 1}") for peg in pegs)
    return result


def draw(reduction: Reduction[Any, Any], path: Path) -> None:
    """Write the graph as GraphML, or draw it as SVG or PNG with round pegs and square rows."""
    if path.suffix not in SUFFIXES:
        expected = f"a file name that ends with {join_words(SUFFIXES, 'or')}"
        raise InputError.of("the graph", expected, path.name)
    reduction_graph = graph(reduction)
    partial_path = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        if path.suffix == ".graphml":
            nx.write_graphml(reduction_graph, partial_path)
        else:
            picture(reduction_graph, partial_path)
        partial_path.replace(path)
    finally:
        partial_path.unlink(missing_ok=True)


def picture(reduction_graph: Any, path: Path) -> None:
    """Draw the graph with matplotlib: one color per kind of gadget, numbers as in the board."""
    plt = pyplot()

    kinds = list(
        dict.fromkeys(kind_of(gadget) for _, gadget in reduction_graph.nodes(data="gadget"))
    )
    paints = {kind: paint(number) for number, kind in enumerate(kinds)}
    positions = layout(reduction_graph)
    has_few_nodes = len(reduction_graph) <= MAX_NUMBERED_NODES
    width = 9 if has_few_nodes else 13
    figure, axes = plt.subplots(figsize=(width, width * 0.8), layout="constrained")
    nx.draw_networkx_edges(reduction_graph, positions, ax=axes, edge_color="#999999", width=0.6)
    for shape, node_kind in (("o", "peg"), ("s", "row")):
        for kind in kinds:
            nodes = [
                node
                for node, data in reduction_graph.nodes(data=True)
                if data["kind"] == node_kind and kind_of(data["gadget"]) == kind
            ]
            if not nodes:
                continue
            nx.draw_networkx_nodes(
                reduction_graph,
                positions,
                nodes,
                ax=axes,
                node_shape=shape,
                node_size=200 if has_few_nodes else 25,
                node_color=f"#{paints[kind].background}",
                edgecolors="black",
                linewidths=0.4,
                label=f"{kind}: {node_kind}s",
            )
            labels = {node: node.split()[1] for node in nodes} if has_few_nodes else {}
            ink = f"#{paints[kind].foreground}"
            nx.draw_networkx_labels(
                reduction_graph, positions, labels, ax=axes, font_size=7, font_color=ink
            )
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=9, frameon=False, labelspacing=1)
    axes.set_title(reduction_graph.graph["name"], fontsize=11)
    axes.set_axis_off()
    save_figure(figure, path, reduction_graph.graph["name"])


def layout(reduction_graph: Any) -> dict[str, tuple[float, float]]:
    """Return the positions of nodes: a spring layout, with isolated nodes in a line below it."""
    isolated = [node for node in reduction_graph if not reduction_graph.degree(node)]
    connected = reduction_graph.subgraph(
        node for node in reduction_graph if reduction_graph.degree(node)
    )
    positions = {
        node: (float(x), float(y))
        for node, (x, y) in nx.spring_layout(connected, seed=LAYOUT_SEED, iterations=500).items()
    }
    for number, node in enumerate(isolated):
        positions[node] = ((2 * number + 1) / max(len(isolated), 1) - 1, -1.2)
    return positions


def kind_of(gadget: str) -> str:
    """Return the kind of a gadget: the first word of its name."""
    return gadget.partition(" ")[0]


LINES: dict[str, Callable[..., Iterator[Line]]] = {
    "Reduction": reduction_lines,
}
"""The functions of reports, by the names of the classes of results."""
