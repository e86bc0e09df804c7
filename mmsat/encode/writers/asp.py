"""Answer set programming, read by clingo: the board as facts and the catalogue's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.encode.cnf import DEFAULT
from mmsat.encode.writers.base import Writer
from mmsat.encode.writers.told import may_repeat, model, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.game.board import Board


class Asp(Writer):
    """Facts and rules."""

    name = "asp"
    suffix = ".asp"
    summary = "answer set program, for clingo"

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:  # noqa: ARG002
        """The rules as they lie in the catalogue, then the facts; all numbers count from 1."""
        return iter((model("asp", "mastermind.lp"), "\n", *_facts(board)))


def _facts(board: Board) -> Iterator[str]:
    game = board.game
    yield f"% mmsat {board}\n"
    yield f"peg(1..{game.pegs}).\n"
    yield f"color(1..{game.colors}).\n"
    if not may_repeat(game):
        yield "no_repeats.\n"
    for number, (row, score) in enumerate(zip(board.rows, told(board), strict=True), 1):
        guess = (f"guess({number},{peg},{color + 1})." for peg, color in enumerate(row.guess, 1))
        parts = (
            f"told({number},{part},{value})."
            for part, value in score._asdict().items()
            if value is not None
        )
        yield " ".join([f"row({number}).", *guess, *parts]) + "\n"
