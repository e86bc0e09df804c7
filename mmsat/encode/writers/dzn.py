"""MiniZinc data: the numbers of a board alone, for the catalogue's model or one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.encode.cnf import DEFAULT
from mmsat.encode.writers.base import Writer
from mmsat.encode.writers.told import Told, may_repeat, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.game.board import Board


class Dzn(Writer):
    """The parameters of mastermind.mzn."""

    name = "dzn"
    suffix = ".dzn"
    summary = "MiniZinc data for the model in encodings/models/minizinc"

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:  # noqa: ARG002
        """One parameter a line; colors count from 1, and -1 stands for what was not read."""
        return data(board)


def data(board: Board) -> Iterator[str]:
    """The parameters of mastermind.mzn for a board."""
    game = board.game
    yield f"% mmsat {board}\n"
    yield f"pegs = {game.pegs};\n"
    yield f"colors = {game.colors};\n"
    yield f"rows = {len(board.rows)};\n"
    yield f"may_repeat = {str(may_repeat(game)).lower()};\n"
    guesses = _list(color + 1 for row in board.rows for color in row.guess)
    yield f"guess = array2d(1..{len(board.rows)}, 1..{game.pegs}, {guesses});\n"
    scores = told(board)
    for part in Told._fields:
        numbers = (getattr(score, part) for score in scores)
        yield f"{part} = {_list(-1 if number is None else number for number in numbers)};\n"


def _list(numbers: Iterable[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"
