"""Strategy trees as an outline, as DOT for Graphviz, and as an SVG of their own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from mmsat.errors import Fault, InputError
from mmsat.notation.speller import speller
from mmsat.render.palette import paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.game.game import Game
    from mmsat.game.row import Code, Score
    from mmsat.strategy.tree import Node, StrategyTree

SUFFIXES = (".dot", ".svg")
ROW, PEG, GAP = 16, 12, 70
"""Pixels: the height of a line, the width of a peg, the room for a score between two guesses."""


def check_drawing(path: str) -> str:
    """The path; raises InputError where its ending is of no drawing."""
    if not path.endswith(SUFFIXES):
        fault = Fault("trees are drawn as .dot or .svg", os.path.basename(path), "tree.svg")
        raise InputError([fault], "the drawing")
    return path


def steps(tree: StrategyTree) -> Iterator[tuple[int, Score | None, Node]]:
    """Each node with the number of its guess and the score before it, as one reads down a tree."""
    stack: list[tuple[int, Score | None, Node]] = [(1, None, tree.root)]
    while stack:
        turn, score, node = stack.pop()
        yield turn, score, node
        stack += [(turn + 1, each, node.branches[each]) for each in sorted(node.branches)[::-1]]


def outline(tree: StrategyTree) -> Iterator[str]:
    """A line for each guess, indented by its number, after the score that leads to it."""
    spell = speller(tree.game)
    for turn, score, node in steps(tree):
        after = "" if score is None else f"{spell.print_score(score)}  "
        yield f"{'  ' * (turn - 1)}{after}{spell.print_code(node.guess)}"


def dot(tree: StrategyTree) -> Iterator[str]:
    """The lines of a DOT file; guesses that cannot be the code are dashed."""
    spell = speller(tree.game)
    yield "digraph strategy {"
    yield '  rankdir=LR; node [shape=box, fontname="monospace"];'
    numbers: list[int] = []  # of the nodes from the root to this one
    for number, (turn, score, node) in enumerate(steps(tree)):
        style = "" if node.wins else ", style=dashed"
        yield f'  n{number} [label="{quote(spell.print_code(node.guess))}"{style}];'
        numbers[turn - 1 :] = [number]
        if score is not None:
            label = quote(spell.print_score(score))
            yield f'  n{numbers[-2]} -> n{number} [label="{label}"];'
    yield "}"


def quote(text: str) -> str:
    """Text between quotation marks in DOT."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def svg(tree: StrategyTree) -> Iterator[str]:
    """The lines of an SVG file: a guess stands beside the first of those that follow it."""
    game = tree.game
    column = game.pegs * PEG + GAP
    drawn = [*places(tree)]
    width = (max(tree.distribution)) * column
    height = (max(row for *_, row in drawn) + 1) * ROW + 4
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="monospace" font-size="10">'
    )
    yield f"<title>{escape(tree.strategy)} on {escape(str(game))}</title>"
    yield '<rect width="100%" height="100%" fill="#ffffff"/>'
    rows: list[int] = []
    for turn, score, node, row in drawn:
        left, top = (turn - 1) * column, row * ROW
        rows[turn - 1 :] = [row]
        if score is not None:
            corner, middle = left - GAP + 6, top + ROW // 2 + 2
            start = rows[-2] * ROW + ROW // 2 + 2
            yield f'<path d="M{corner} {start}V{middle}H{left}" fill="none" stroke="#999999"/>'
            text = escape(speller(game).print_score(score))
            yield f'<text x="{corner + 4}" y="{middle - 2}" fill="#333333">{text}</text>'
        yield from pegs(game, node.guess, left, top)
    yield "</svg>"


def places(tree: StrategyTree) -> Iterator[tuple[int, Score | None, Node, int]]:
    """The steps with their rows: a first branch is in its parent's row, the others below."""
    row, before = 0, 0
    for turn, score, node in steps(tree):
        row += turn <= before
        before = turn
        yield turn, score, node, row


def pegs(game: Game, guess: Code, left: int, top: int) -> Iterator[str]:
    """A guess, a square a peg."""
    names = game.spelled.names
    for peg, color in enumerate(guess):
        background, foreground = paint(color)
        x = left + peg * PEG
        yield (
            f'<rect x="{x}" y="{top + 3}" width="{PEG}" height="{ROW - 3}" fill="#{background}"/>'
        )
        name = escape(names[color] if names else str(color + 1))
        yield (
            f'<text x="{x + PEG // 2}" y="{top + ROW - 4}" text-anchor="middle" '
            f'fill="#{foreground}">{name}</text>'
        )


def drawing(tree: StrategyTree, path: str) -> Iterator[str]:
    """The lines of a drawing in the language of a file's ending."""
    yield from (f"{line}\n" for line in (dot if path.endswith(".dot") else svg)(tree))
