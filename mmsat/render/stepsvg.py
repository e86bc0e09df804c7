"""A step of an explanation as an SVG drawing of the pegboard, the same bytes for the same step."""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from mmsat.game.scoring import Pairs
from mmsat.render.heat import name
from mmsat.render.palette import paint
from mmsat.render.pegboard import NAMES, marks, print_bounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.board import Board
    from mmsat.diagnosis.steps.knowledge import Frame

CELL = 30
"""The side of a peg's square, in pixels."""
EDGE = 16
GAP = 48
"""Between the board and what is known."""
TEXT = 8
"""Pixels of a letter, about."""
LINE = 20
WIDEST = 56
"""Letters of a line of the sentence, at least."""
LIT, PLAIN, INK, NEW = "#fff3c4", "#ffffff", "#222222", "#c1121f"


def svg(board: Board, frame: Frame) -> str:
    """The drawing."""
    game = board.game
    guesses = game.pegs * CELL
    scores = max([TEXT * len(print_row(board, row)) for row in range(len(board.rows))], default=0)
    left = EDGE + 2 * TEXT * len(str(len(board.rows)))
    table = left + guesses + scores + GAP + 2 * EDGE
    width = table + (game.colors + 1) * CELL + EDGE
    sentence = wrap(frame.text, max(WIDEST, (width - 2 * EDGE) // TEXT))
    top = EDGE + LINE * (len(sentence) + 1)
    height = top + CELL * max(len(board.rows), game.pegs + 2) + EDGE + LINE
    width = max(width, 2 * EDGE + TEXT * max(map(len, sentence)))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        f' width="{width}" height="{height}" font-family="sans-serif" font-size="14" role="img">',
        f"<title>{escape(frame.text)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PLAIN}"/>',
        *(
            text(EDGE, EDGE + LINE * number + 12, line, "start")
            for number, line in enumerate(sentence)
        ),
        *drawn_rows(board, frame, left, top, left + guesses + scores + EDGE),
        *drawn_table(board, frame, table, top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def print_row(board: Board, row: int) -> str:
    """The score of a row."""
    return board.game.scoring.describe(board.rows[row].score)


def drawn_rows(board: Board, frame: Frame, left: int, top: int, right: int) -> Iterator[str]:
    """The guesses and their scores; rows that the step uses are lit."""
    lit = frozenset(frame.step.rows)
    for number, (guess, _) in enumerate(board.rows):
        y = top + number * CELL
        faint = 1 if number in lit or not lit else 0.35
        if number in lit:
            yield (
                f'<rect x="{EDGE // 2}" y="{y}" width="{right - EDGE // 2}" height="{CELL}" '
                f'rx="6" fill="{LIT}" stroke="#e0a800"/>'
            )
        yield f'<g opacity="{faint}">'
        yield text(left - TEXT, y + 20, str(number + 1), "end")
        yield from drawn_pegs(board, guess, left, y)
        yield text(left + len(guess) * CELL + TEXT, y + 20, print_row(board, number), "start")
        yield "</g>"


def drawn_pegs(board: Board, guess: Sequence[int], left: int, y: int) -> Iterator[str]:
    """Pegs side by side."""
    for peg, color in enumerate(guess):
        yield drawn_peg(board, color, left + peg * CELL + CELL // 2, y + CELL // 2)


def drawn_peg(board: Board, color: int, x: int, y: int) -> str:
    """A peg with its symbol; pairs are painted by their first attribute."""
    scoring = board.game.scoring
    shown = color // scoring.shapes if isinstance(scoring, Pairs) else color
    back, front = paint(shown)
    symbol = text(x, y + 5, name(board.game, color), "middle", f"#{front}")
    return f'<circle cx="{x}" cy="{y}" r="13" fill="#{back}" stroke="{INK}"/>{symbol}'


def drawn_table(board: Board, frame: Frame, left: int, top: int) -> Iterator[str]:
    """Pegs by colors, what is new in red, and how many pegs of each color."""
    game = board.game
    for color in range(game.colors):
        x = left + color * CELL + CELL // 2
        yield drawn_peg(board, color, x, top + CELL // 2)
        is_new = frame.before.counts[color] != frame.after.counts[color]
        count = print_bounds(frame.after.counts[color])
        y = top + (game.pegs + 1) * CELL + 20
        yield text(x, y, count, "middle", NEW if is_new else INK)
    yield text(left - TEXT, top + (game.pegs + 1) * CELL + 20, "pegs", "end")
    for peg, row in enumerate(marks(frame)):
        y = top + (peg + 1) * CELL
        yield text(left - TEXT, y + 20, str(peg + 1), "end")
        for color, sign in enumerate(row):
            yield drawn_sign(sign, left + color * CELL, y)


def drawn_sign(sign: str, x: int, y: int) -> str:
    """A field of the table: a disk for what is, a cross for what is not; else it is empty."""
    ink = NEW if sign in "xO" else INK
    box = f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="none" stroke="#bbbbbb"/>'
    middle_x, middle_y = x + CELL // 2, y + CELL // 2
    named = f"<title>{NAMES[sign]}</title>"
    if sign in "oO":
        return f'{box}<circle cx="{middle_x}" cy="{middle_y}" r="8" fill="{ink}">{named}</circle>'
    if sign in "x-":
        line = f"M{x + 9} {y + 9}l12 12m0 -12l-12 12"
        return f'{box}<path d="{line}" stroke="{ink}" stroke-width="2" fill="none">{named}</path>'
    return box


def text(x: int, y: int, said: str, anchor: str, fill: str = INK) -> str:
    """A line of text."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}">{escape(said)}</text>'
