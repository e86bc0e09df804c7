"""Counts of consistent codes for boards given as integer arrays."""

from __future__ import annotations

from mmsat.arrays import Array, np
from mmsat.auditing.batch import colors_fault, count_one, find_batch, have_any
from mmsat.board import Board
from mmsat.errors import Description, Fault, InputError
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row


def count_arrays(game: Game | str, guesses: Array, scores: Array, starts: Array) -> Array:
    """Count the consistent codes of many boards of one game.

    Return an integer array with one count per board. The rows of all boards are concatenated:
    board b has the rows from `starts[b]` up to, but not including, `starts[b + 1]`.

    - `game`: the game of all boards.
    - `guesses`: shape (rows, pegs), colors from 0, -1 for an unread peg.
    - `scores`: shape (rows, parts), numbers or marks, -1 for an unread part.
    - `starts`: shape (boards + 1,), non-decreasing from 0 to the number of rows.

    Compiled code counts the boards of games of up to 8,192 codes, and of games of up to 7 pegs, 8
    colors and 262,144 codes that are scored by black, white or color. Boards of other games, and
    boards with unread pegs or parts, are counted one by one. Raises InputError for arrays of other
    shapes or with values out of range.
    """
    return _count(Game.of(game), guesses, scores, starts, any_will_do=False)


def check_arrays(game: Game | str, guesses: Array, scores: Array, starts: Array) -> Array:
    """Return a boolean array: whether each of many boards of one game has a consistent code.

    `game`, `guesses`, `scores` and `starts` are the same as for `count_arrays`, which takes up to
    twice as long. Raises InputError in the same cases.
    """
    return _count(Game.of(game), guesses, scores, starts, any_will_do=True) > 0


def _count(game: Game, guesses: Array, scores: Array, starts: Array, *, any_will_do: bool) -> Array:
    try:
        guesses, scores, starts = (np.asarray(array) for array in (guesses, scores, starts))
    except ValueError as error:  # rows of different lengths
        bad = Description("rows of different lengths")
        raise InputError.of("the arrays", "arrays of numbers", bad, str(error)) from None
    _check(game, guesses, scores, starts)
    starts = np.ascontiguousarray(starts, dtype=np.int64)

    def board(index: int) -> Board:
        row_slice = slice(starts[index], starts[index + 1])
        rows = zip(guesses[row_slice].tolist(), scores[row_slice].tolist(), strict=True)
        board_rows = (
            Row(tuple(guess), tuple(None if part < 0 else part for part in score))
            for guess, score in rows
        )
        return Board(game, tuple(board_rows))

    batch = find_batch(game)
    if batch is not None:
        encoded = batch.translate(guesses, scores)
        counts = batch.count(encoded, starts, any_will_do=any_will_do)
        individual_boards = np.flatnonzero(have_any(encoded.unknown, starts))
    else:
        if len(guesses) and not UNREAD <= guesses.min() <= guesses.max() < game.colors:
            raise colors_fault(game, guesses)
        counts = np.zeros(len(starts) - 1, dtype=np.int64)
        individual_boards = np.arange(len(counts))
    for index in individual_boards.tolist():
        counts[index] = count_one(board(index))
    return counts


def _check(game: Game, guesses: Array, scores: Array, starts: Array) -> None:
    """Raise InputError with every fault in the shapes and types of the arrays."""
    faults = []
    rows = len(guesses) if guesses.ndim else 0
    shapes = {"guesses": (guesses, (rows, game.pegs)), "scores": (scores, (rows, len(game.parts)))}
    for name, (array, shape) in shapes.items():
        if array.shape != shape or array.dtype.kind not in "iu":
            expected = f"whole numbers of shape {shape}"
            found = Description(f"{array.dtype} of shape {array.shape}")
            faults.append(Fault("", found, expected, part=name))
    is_list = starts.ndim == 1 and starts.dtype.kind in "iu" and len(starts) > 0
    ends = (0, rows)
    if not is_list or (starts[0], starts[-1]) != ends or (starts[1:] < starts[:-1]).any():
        expected = f"ascending whole numbers from 0 to {rows} (one per board, and one more)"
        faults.append(Fault("", starts, expected, part="starts"))
    InputError.refuse(faults, "the arrays")
