"""Boards in bulk as arrays of whole numbers: how many codes get all scores of each."""

from __future__ import annotations

from mmsat.arrays import Array, np
from mmsat.auditing.batch import colors_fault, count_one, find_batch, have_any
from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row


def count_arrays(game: Game | str, guesses: Array, scores: Array, starts: Array) -> Array:
    """Count the consistent codes of many boards of a game: an array of whole numbers.

    The rows of all boards lie one after the other; board b has those from `starts[b]` up to, but
    not with, `starts[b + 1]`.

    - `game`: the game of all boards.
    - `guesses`: shape (rows, pegs), colors from 0, -1 where a peg was not read.
    - `scores`: shape (rows, parts), numbers or marks, -1 where a part was not read.
    - `starts`: shape (boards + 1,), from 0 to the number of rows.

    Compiled for games of up to 8,192 codes, and for those of up to 7 pegs and 8 colors scored by
    black, white or color; boards of other games, and with what was not read, are counted one by
    one. Raises InputError for arrays of other shapes or numbers.
    """
    return _count(Game.of(game), guesses, scores, starts, any_will_do=False)


def check_arrays(game: Game | str, guesses: Array, scores: Array, starts: Array) -> Array:
    """Whether each of many boards of a game has a consistent code: an array of booleans.

    `guesses`, `scores` and `starts` are those of `count_arrays`, which takes up to twice as long;
    raises InputError as that does.
    """
    return _count(Game.of(game), guesses, scores, starts, any_will_do=True) > 0


def _count(game: Game, guesses: Array, scores: Array, starts: Array, *, any_will_do: bool) -> Array:
    try:
        guesses, scores, starts = (np.asarray(each) for each in (guesses, scores, starts))
    except ValueError as error:  # rows of different lengths
        bad = "rows of different lengths"
        raise InputError.of("the arrays", "arrays of numbers", bad, str(error)) from None
    _check(game, guesses, scores, starts)
    starts = np.ascontiguousarray(starts, dtype=np.int64)

    def board(index: int) -> Board:
        part = slice(starts[index], starts[index + 1])
        rows = zip(guesses[part].tolist(), scores[part].tolist(), strict=True)
        read = (
            Row(tuple(guess), tuple(None if part < 0 else part for part in score))
            for guess, score in rows
        )
        return Board(game, tuple(read))

    batch = find_batch(game)
    if batch is not None:
        asked = batch.translate(guesses, scores)
        found = batch.count(asked, starts, any_will_do=any_will_do)
        one_by_one = np.flatnonzero(have_any(asked.unknown, starts))
    else:
        if len(guesses) and not UNREAD <= guesses.min() <= guesses.max() < game.colors:
            raise colors_fault(game, guesses)
        found = np.zeros(len(starts) - 1, dtype=np.int64)
        one_by_one = np.arange(len(found))
    for index in one_by_one.tolist():
        found[index] = count_one(board(index))
    return found


def _check(game: Game, guesses: Array, scores: Array, starts: Array) -> None:
    """Raise InputError with all that is wrong with the shapes of arrays."""
    faults = []
    rows = len(guesses) if guesses.ndim else 0
    shapes = {"guesses": (guesses, (rows, game.pegs)), "scores": (scores, (rows, len(game.parts)))}
    for name, (array, shape) in shapes.items():
        if array.shape != shape or array.dtype.kind not in "iu":
            rule = f"{name} are whole numbers of shape {shape}"
            faults.append(Fault(rule, f"{array.dtype} of shape {array.shape}", "such an array"))
    is_list = starts.ndim == 1 and starts.dtype.kind in "iu" and len(starts) > 0
    ends = (0, rows)
    if not is_list or (starts[0], starts[-1]) != ends or (starts[1:] < starts[:-1]).any():
        rule = f"starts ascend from 0 to the number of rows, {rows}"
        faults.append(Fault(rule, f"shape {starts.shape}", "boards + 1 such numbers"))
    InputError.refuse(faults, "the arrays")
