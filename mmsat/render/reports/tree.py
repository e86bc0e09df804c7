"""Strategy trees as an outline, as DOT for Graphviz, and as SVG."""

import sys
from collections.abc import Iterator

from mmsat.english import quantity
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.game.scoring import Pairs
from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line, Span
from mmsat.render.svg import Drawing
from mmsat.strategy.tree import Node, StrategyTree

MAX_ROWS = 40
"""Maximum number of rows of a picture; deeper guesses are omitted."""
ROW, PEG, GAP, EDGE = 18, 17, 70, 12
"""Pixels: height of a line, width of a peg, gap for a score between two guesses, margin."""


def lines(tree: StrategyTree, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield a line per guess, indented by its number, after the score that leads to it."""
    return ([Span(line)] for line in outline(tree))


def svg(tree: StrategyTree) -> str:
    """Return the first guesses of a tree as SVG."""
    return "\n".join(svg_lines(tree, MAX_ROWS)) + "\n"


def outline(tree: StrategyTree) -> Iterator[str]:
    """Yield a line per guess, indented by its number, after the score that leads to it."""
    spell = speller(tree.game)
    for turn, score, node in tree.steps():
        after = "" if score is None else f"{spell.print_score(score)}  "
        yield f"{'  ' * (turn - 1)}{after}{spell.print_code(node.guess)}"


def dot(tree: StrategyTree) -> Iterator[str]:
    """Yield the lines of a DOT file; guesses that cannot be the code are dashed."""
    spell = speller(tree.game)
    yield "digraph strategy {"
    yield '  rankdir=LR; node [shape=box, fontname="monospace"];'
    numbers: list[int] = []  # nodes from the root to this one
    for number, (turn, score, node) in enumerate(tree.steps()):
        style = "" if node.wins else ", style=dashed"
        yield f'  n{number} [label="{quote(spell.print_code(node.guess))}"{style}];'
        numbers[turn - 1 :] = [number]
        if score is not None:
            label = quote(spell.print_score(score))
            yield f'  n{numbers[-2]} -> n{number} [label="{label}"];'
    yield "}"


def quote(text: str) -> str:
    """Return text escaped for quotation marks in DOT."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def svg_lines(tree: StrategyTree, rows: int = sys.maxsize) -> Iterator[str]:
    """Yield the lines of an SVG file: a guess is in the same row as the first guess after it.

    If the tree has more than `rows` rows, it is cut after the last turn at which it fits, but not
    before the first. Guesses with omitted branches show the number of remaining codes.
    """
    game = tree.game
    column = game.pegs * PEG + GAP
    depth = deepest(tree, rows)
    drawn = [*places(tree, depth)]
    drawing = Drawing(
        f"{tree.strategy or 'Strategy'} on {game}",
        f"{quantity(tree.codes, 'code')} in {quantity(tree.total, 'guess')}, at most {tree.max}",
    )
    rows_of_path: list[int] = []
    for turn, score, node, row in drawn:
        left, top = EDGE + (turn - 1) * column, EDGE + row * ROW
        middle = top + ROW // 2
        rows_of_path[turn - 1 :] = [row]
        if score is not None:
            corner, start = left - GAP + 6, EDGE + rows_of_path[-2] * ROW + ROW // 2
            drawing.path(f"M{corner} {start}V{middle}H{left}")
            text = speller(game).print_score(score)
            drawing.text(corner + 4, middle - 3, text, "dim", size=10)
        pegs(drawing, game, node.guess, left, top)
        if turn == depth and node.branches:
            more = quantity(codes_below(node), "code")
            drawing.text(left + game.pegs * PEG + 6, middle + 4, f"... {more}", "dim", size=11)
    width = 2 * EDGE + depth * column + GAP * (depth < tree.max)
    return drawing.lines(width, (max(row for *_, row in drawn) + 1) * ROW + 2 * EDGE)


def deepest(tree: StrategyTree, rows: int) -> int:
    """Return the last turn down to which a tree fits into `rows` rows, at least 1."""
    for depth in range(tree.max, 1, -1):
        if max(row for *_, row in places(tree, depth)) < rows:
            return depth
    return 1


def codes_below(node: Node) -> int:
    """Return the number of codes for which the game continues after a guess."""
    pending = [*node.branches.values()]
    num_codes = 0
    while pending:
        branch = pending.pop()
        num_codes += branch.wins
        pending += branch.branches.values()
    return num_codes


def places(tree: StrategyTree, depth: int) -> Iterator[tuple[int, Score | None, Node, int]]:
    """Yield the steps down to a turn, with their rows.

    A first branch is in its parent's row; the others are below it.
    """
    row, previous_turn = 0, 0
    for turn, score, node in tree.steps():
        if turn > depth:
            continue
        row += turn <= previous_turn
        previous_turn = turn
        yield turn, score, node, row


def pegs(drawing: Drawing, game: Game, guess: Code, left: int, top: int) -> None:
    """Draw a guess, peg by peg."""
    scoring, names = game.scoring, game.spelled.names
    shapes = scoring.shapes if isinstance(scoring, Pairs) else 1
    for peg, color in enumerate(guess):
        name = names[color] if names else str(color + 1)
        drawing.peg((left + peg * PEG, top + 1, PEG - 1, ROW - 2), color // shapes, name)


def drawing(tree: StrategyTree, path: str) -> Iterator[str]:
    """Yield the lines of a drawing as DOT or SVG, depending on the suffix of the path."""
    yield from (f"{line}\n" for line in (dot if path.endswith(".dot") else svg_lines)(tree))
