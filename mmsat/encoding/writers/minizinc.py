"""MiniZinc for constraint and integer solvers: the model of the catalogue, and a board's data.

The data alone, the numbers of a board, can be used with this model or with a custom one.
"""

from collections.abc import Iterable, Iterator

from mmsat.board import Board
from mmsat.encoding.writers.score_parts import (
    COUNTS,
    MARKS,
    has_one_key,
    may_repeat,
    model,
    score_parts,
    shapes,
    words,
)


def write_minizinc(board: Board) -> Iterator[str]:
    """Return the model from the catalogue, followed by the data."""
    return iter((model("minizinc", "mastermind.mzn"), "\n", *write_dzn(board)))


def write_dzn(board: Board) -> Iterator[str]:
    """Yield the parameters of mastermind.mzn, one per line.

    Colors count from 1. A value of -1 means that a number was not read.
    """
    game = board.game
    yield f"% mmsat {board}\n"
    yield f"pegs = {game.pegs};\n"
    yield f"colors = {game.colors};\n"
    yield f"rows = {len(board.rows)};\n"
    yield f"may_repeat = {_truth(may_repeat(game))};\n"
    yield f"words = {_table(_from_one(words(game)), game.pegs)};\n"
    yield f"shapes = {shapes(game) or 1};\n"
    yield f"one_key = {_truth(has_one_key(game))};\n"
    yield f"guess = {_table(_from_one(row.guess for row in board.rows), game.pegs)};\n"
    scores = score_parts(board)
    for part in COUNTS:
        yield f"{part} = {_list(_number(getattr(score, part)) for score in scores)};\n"
    for part in MARKS:
        marks = [marks for score in scores if (marks := getattr(score, part))]
        yield f"{part} = {_table((map(_number, row) for row in marks), game.pegs)};\n"


def _number(read: int | None) -> int:
    return -1 if read is None else read


def _truth(value: bool) -> str:
    return str(value).lower()


def _from_one(codes: Iterable[Iterable[int]]) -> Iterator[list[int]]:
    return ([color + 1 for color in code] for code in codes)


def _list(numbers: Iterable[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def _table(rows: Iterable[Iterable[int]], width: int) -> str:
    """Return a two-dimensional array of numbers, which may have no rows."""
    lists = [list(row) for row in rows]
    numbers = _list(number for row in lists for number in row)
    return f"array2d(1..{len(lists)}, 1..{width}, {numbers})"
