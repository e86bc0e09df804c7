"""The kinds of source by name, and how they are read. A new kind is a module and a line here."""

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
"""The kind of source of each file name suffix."""


def read_source(kind: str, source: Any) -> Any:
    """Return a source of this kind, given as text, as a networkx graph or as a source object.

    Raises InputError with every fault in a text.
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
    """Return the sizes of a source or a board by name."""
    if isinstance(source, Board):
        game = source.game
        return {"pegs": game.pegs, "colors": game.colors, "rows": len(source.rows)}
    return source.sizes()


__all__ = ["SOURCES", "SUFFIXES", "Source", "measures", "read_source"]
