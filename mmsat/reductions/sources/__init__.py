"""The kinds of source, by name, and how any of them is read. A new kind is a module and a line."""

from collections.abc import Mapping
from typing import Any

from mmsat.board import Board
from mmsat.errors import InputError
from mmsat.reductions.sources.cover import Cover, Triples
from mmsat.reductions.sources.formula import Formula
from mmsat.reductions.sources.graph import Graph
from mmsat.reductions.sources.matrix import Matrix
from mmsat.reductions.sources.source import Source
from mmsat.reductions.sources.system import System01

SOURCES: Mapping[str, type[Source | Board]] = {
    "formula": Formula,
    "graph": Graph,
    "cover": Cover,
    "triples": Triples,
    "matrix": Matrix,
    "system": System01,
    "board": Board,
}
SUFFIXES = {
    ".board" if kind is Board else kind.suffix: name  # type: ignore[union-attr]
    for name, kind in SOURCES.items()
}
"""How the names of files end: suffix -> kind of source."""


def read_source(kind: str, source: Any) -> Any:
    """A source of this kind from its text, from a networkx graph, or as it is.

    Raises InputError with every fault of a text.
    """
    wanted = SOURCES[kind]
    if isinstance(source, str):
        return wanted.parse(source)
    if isinstance(source, wanted):
        return source
    if wanted is Graph and hasattr(source, "nodes") and hasattr(source, "edges"):
        return Graph.of(source)
    raise InputError.of(
        "the source", f"{wanted.__name__} or text", type(source).__name__, f"the source is a {kind}"
    )


def measures(source: Source | Board) -> dict[str, int]:
    """The sizes of any source by their names."""
    if isinstance(source, Board):
        game = source.game
        return {"pegs": game.pegs, "colors": game.colors, "rows": len(source.rows)}
    return source.sizes()


__all__ = ["SOURCES", "SUFFIXES", "Source", "measures", "read_source"]
