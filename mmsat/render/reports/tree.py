"""A strategy tree: its guesses as an outline."""

from collections.abc import Iterator

from mmsat.render.board import Style
from mmsat.render.spans import Line, Span
from mmsat.render.tree import outline
from mmsat.render.tree import svg as draw
from mmsat.strategy.tree import StrategyTree


def lines(tree: StrategyTree, style: Style, *, in_full: bool) -> Iterator[Line]:  # noqa: ARG001
    """A line for each guess, indented by its number, after the score that leads to it."""
    return ([Span(line)] for line in outline(tree))


ROWS = 40
"""Rows of a picture at most; deeper guesses are left out."""


def svg(tree: StrategyTree) -> str:
    """The first guesses of a tree."""
    return "\n".join(draw(tree, ROWS)) + "\n"
