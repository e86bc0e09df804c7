"""What a row tells, whatever the scoring: the languages that state the rules afresh ask this."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat.catalogue import folder

if TYPE_CHECKING:
    from mmsat.game.board import Board
    from mmsat.game.game import Game


class Told(NamedTuple):
    """The numbers of a score, None where it was not read or is no part of the scoring."""

    black: int | None = None
    """Pegs right in place."""
    white: int | None = None
    """Pegs of the right color elsewhere."""
    color: int | None = None
    """Pegs of the right color in any place."""


def told(board: Board) -> list[Told]:
    """What each row tells."""
    parts = board.game.scoring.parts
    return [Told(**dict(zip(parts, row.score, strict=True))) for row in board.rows]


def may_repeat(game: Game) -> bool:
    """Whether a color may stand at several pegs of a code."""
    return {"repeats": True, "distinct": False}[game.space.name]


def model(language: str, name: str) -> str:
    """The text of a model that lies in the catalogue."""
    return (folder("encodings") / "models" / language / name).read_text(encoding="utf-8")
