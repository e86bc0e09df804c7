"""What a game looks like: symbols and paints of its colors, the parts of its scores."""

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Any

from mmsat.board import Board
from mmsat.diagnosis.steps.knowledge import Frame, frames
from mmsat.diagnosis.steps.steps import Steps
from mmsat.game.definition import to_definition
from mmsat.game.game import Game
from mmsat.game.names import is_file
from mmsat.notation.speller import speller
from mmsat.render.palette import NAMED, Paint, paint, paint_background

LARGEST_FRAME = 400
"""Pegs times colors up to which steps are drawn."""
MAX_LISTED_SCORES = 1024
"""Scores of a game, with unread parts, up to which the impossible ones are listed."""


def position(board: Board, named: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return a board as the page draws it: the line of its address, its game, its rows.

    `named` are the colors, from 0, that the board was written with by names.
    """
    scoring = board.game.scoring
    document = board.to_json()
    rows = [
        {"guess": told["guess"], "score": scoring.to_json(row.score)}
        for told, row in zip(document["rows"], board.rows, strict=True)
    ]
    return {
        "board": str(board),
        "game": appearance(board.game, named),
        "rows": rows,
        "document": document,
    }


def draw_steps(steps: Steps) -> list[dict[str, Any] | None]:
    """For each sentence of a deduction what is known after it, null where it is no step.

    Its rows count from 1. `has` tells by peg and color whether the peg has it, null where both may
    be; `new` has the pegs and colors, from 0, that this step decided.
    """
    if steps.board.game.pegs * steps.board.game.colors > LARGEST_FRAME:
        return []
    found = frames(steps)
    return [None if line.step is None else _draw(next(found)) for line in steps.lines()]


def _draw(frame: Frame) -> dict[str, Any]:
    before, after = frame.before.has, frame.after.has
    new = [
        [peg, color]
        for peg, colors in enumerate(after)
        for color, known in enumerate(colors)
        if known is not before[peg][color]
    ]
    return {"rows": [row + 1 for row in frame.step.rows], "has": after, "new": new}


def appearance(game: Game, named: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return a game as the page draws it; colors in order, from 1."""
    spelled = speller(game)
    shapes = prod(game.scoring.factors(game.colors)[1:])  # of a pair the color is painted
    paints = {color: paint_background(NAMED[name]) for name, color in (named or {}).items()}
    names = spelled.symbols or [str(color) for color in range(1, game.colors + 1)]
    return {
        "line": str(game),
        "pegs": game.pegs,
        "colors": game.colors,
        "codes": str(game.size),
        "noun": spelled.noun,
        "joined": not spelled.symbols,
        "symbols": [
            {"symbol": name, **_paint(paints.get(color) or paint(color // shapes))}
            for color, name in enumerate(names)
        ],
        "parts": list(game.parts),
        "highest": min(game.pegs, game.scoring.highest),
        "impossible_scores": impossible_scores(game),
        "marks": [
            {"symbol": mark.symbol, "name": mark.name, "also": mark.also}
            for mark in game.scoring.marks
        ],
        "words": game.space.table() is not None,
        "range": spelled.color_range,
        "definition": to_definition(game) if is_file(str(game)) else None,
        "repeats": game.space.summary,
        "rule": game.scoring.summary,
        "example": spelled.example,
    }


def impossible_scores(game: Game) -> dict[str, list[str]]:
    """Return the scores that no code and guess can have, by the reason.

    A score is its parts joined by dots, with `?` for an unread part. In games of many scores the
    result is empty.
    """
    scoring, pegs = game.scoring, game.pegs
    values = [None, *range(len(scoring.marks) or pegs + 1)]
    if len(values) ** len(game.parts) > MAX_LISTED_SCORES:
        return {}
    found: dict[str, list[str]] = {}
    for score in product(values, repeat=len(game.parts)):
        reason = scoring.flaw(pegs, score)
        if reason is not None:
            parts = ("?" if part is None else str(part) for part in scoring.to_json(score))
            found.setdefault(reason, []).append(".".join(parts))
    return found


def _paint(found: Paint) -> dict[str, str]:
    """Return the paint of a color, and of the symbol on it."""
    return {"background": f"#{found.background}", "ink": f"#{found.foreground}"}
