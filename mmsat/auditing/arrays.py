"""Count the codes of many boards given as integer arrays, or decide the boards."""

from __future__ import annotations

from mmsat._util.arrays import Array, np
from mmsat.auditing.batch import count_one, find_batch, have_any
from mmsat.errors import Description, Fault, InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row

MAX_INT64 = (1 << 63) - 1
MAX_FAULTS = 10
"""The maximum number of rows with a value out of range that an error lists, in each array."""


def count_arrays(game: Game | str, guesses: Array, scores: Array, starts: Array) -> Array:
    """Count the consistent codes of many boards of one game, given as arrays.

    Parameters
    ----------
    game : Game or str
        The game of all boards, or its size or name.
    guesses : array of int, shape (rows, pegs)
        The guesses of all boards, concatenated: colors from 0, -1 for an unread peg.
    scores : array of int, shape (rows, parts)
        Their scores: numbers, or indices of marks; -1 for an unread part.
    starts : array of int, shape (boards + 1,)
        Board b has the rows from `starts[b]` up to, but not including, `starts[b + 1]`. The entries
        do not decrease; the first is 0, and the last is the number of rows.

    Returns
    -------
    array of int, shape (boards,)
        The number of consistent codes of each board.

    Raises
    ------
    InputError
        If the shape or type of an array is wrong, or if a value is out of range.
    SizeError
        If a board has too many codes to count them.

    Notes
    -----
    Compiled code counts the boards of games of up to 8,192 codes, and of games of up to 7 pegs, 8
    colors and 262,144 codes that are scored by black, white or color. Boards of other games, and
    boards with unread pegs or parts, are counted one by one by `count`.

    Examples
    --------
    >>> guesses = [[0, 0, 1, 1], [2, 2, 3, 4]]
    >>> mmsat.count_arrays("4x6", guesses, [[1, 1], [0, 2]], [0, 1, 2]).tolist()
    [208, 222]
    """
    return _count(Game.of(game), guesses, scores, starts, any_will_do=False)


def check_arrays(game: Game | str, guesses: Array, scores: Array, starts: Array) -> Array:
    """Decide many boards of one game, given as arrays.

    Parameters
    ----------
    game : Game or str
        The game of all boards, or its size or name.
    guesses : array of int, shape (rows, pegs)
        The guesses of all boards, as for `count_arrays`.
    scores : array of int, shape (rows, parts)
        Their scores.
    starts : array of int, shape (boards + 1,)
        The index of the first row of each board, and finally the number of rows.

    Returns
    -------
    array of bool, shape (boards,)
        Whether each board has a consistent code.

    Raises
    ------
    InputError
        If the shape or type of an array is wrong, or if a value is out of range.
    SizeError
        If a board has too many codes to count them.

    Notes
    -----
    It needs between half of the time of `count_arrays` and all of it.

    Examples
    --------
    >>> guesses = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> mmsat.check_arrays("4x6", guesses, [[1, 1], [1, 1], [0, 2]], [0, 1, 3]).tolist()
    [True, False]
    """
    return _count(Game.of(game), guesses, scores, starts, any_will_do=True) > 0


def _count(game: Game, guesses: Array, scores: Array, starts: Array, *, any_will_do: bool) -> Array:
    try:
        guesses, scores, starts = (np.asarray(array) for array in (guesses, scores, starts))
    except ValueError as error:  # rows of different lengths
        found = Description("rows of different lengths")
        raise InputError.of("the arrays", "arrays of numbers", found, str(error)) from None
    _check_shapes(game, guesses, scores, starts)
    _check_values(game, guesses, scores, starts)
    starts = np.ascontiguousarray(starts, dtype=np.int64)

    highest = game.scoring.highest  # higher numbers are impossible, too

    def make_board(index: int) -> Board:
        row_slice = slice(starts[index], starts[index + 1])
        rows = zip(guesses[row_slice].tolist(), scores[row_slice].tolist(), strict=True)
        board_rows = (
            Row(tuple(guess), tuple(None if part < 0 else min(part, highest) for part in score))
            for guess, score in rows
        )
        return Board(game, tuple(board_rows))

    batch = find_batch(game)
    if batch is not None:
        encoded = batch.translate(guesses, scores)
        counts = batch.count(encoded, starts, any_will_do=any_will_do)
        individual_boards = np.flatnonzero(have_any(encoded.is_unsupported, starts))
    else:
        counts = np.zeros(len(starts) - 1, dtype=np.int64)
        individual_boards = np.arange(len(counts))
    for index in individual_boards.tolist():
        counts[index] = count_one(make_board(index))
    return counts


def _check_shapes(game: Game, guesses: Array, scores: Array, starts: Array) -> None:
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
    bounds = (0, rows)
    if not is_list or (starts[0], starts[-1]) != bounds or (starts[1:] < starts[:-1]).any():
        expected = f"ascending whole numbers from 0 to {rows} (one per board, and one more)"
        faults.append(Fault("", starts, expected, part="starts"))
    InputError.refuse(faults, "the arrays")


def _check_values(game: Game, guesses: Array, scores: Array, starts: Array) -> None:
    """Raise InputError with the first rows that have a value out of range, and their boards."""
    colors = f"colors from 0 to {game.colors - 1}, or -1 for unread pegs"
    marks = len(game.scoring.marks)
    highest = marks - 1 if marks else MAX_INT64  # an impossible number is valid: no code has it
    numbers = f"numbers from 0{f' to {highest}' if marks else ''}, or -1 for unread parts"
    faults = []
    for name, array, last, expected in (
        ("guesses", guesses, game.colors - 1, colors),
        ("scores", scores, highest, numbers),
    ):
        if array.size and not UNREAD <= array.min() <= array.max() <= last:
            rows = np.flatnonzero(((array < UNREAD) | (array > last)).any(axis=1))[:MAX_FAULTS]
            boards = np.searchsorted(starts, rows, side="right") - 1
            for row, board in zip(rows.tolist(), boards.tolist(), strict=True):
                part = f"{name}[{row}] of board {board}"
                faults.append(Fault("", tuple(array[row].tolist()), expected, part=part))
    InputError.refuse(faults, "the arrays")
