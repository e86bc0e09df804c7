"""Boards in bulk as arrays of whole numbers: how many codes get all scores of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mmsat._core import ListBatch, TableBatch
from mmsat.arrays import Array
from mmsat.board import Board
from mmsat.enumeration.count import count
from mmsat.errors import Fault, InputError
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row
from mmsat.game.unread import agrees_all
from mmsat.strategy.answers import compute_answers, kernel_form, pad_length, tabulate_answers
from mmsat.strategy.code_list import all_codes

TABLE = 8192
"""Codes of games with a table of all answers, a byte for each pair: up to 64 MiB."""
LISTED = 1 << 18
"""Codes of games, with pegs and colors alike, with lists of codes by what a row can be."""
NEVER, PADDING = 255, 254
"""In place of an answer that no code gives, and behind the codes of a table."""


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

    `guesses`, `scores` and `starts` are those of `count_arrays`, which takes about twice as long.
    """
    return _count(Game.of(game), guesses, scores, starts, any_will_do=True) > 0


def _count(game: Game, guesses: Array, scores: Array, starts: Array, *, any_will_do: bool) -> Array:
    import numpy as np  # noqa: PLC0415  (loads when needed)

    guesses, scores, starts = (np.asarray(each) for each in (guesses, scores, starts))
    _check(game, guesses, scores, starts)
    starts = np.ascontiguousarray(starts, dtype=np.int64)
    found = np.zeros(len(starts) - 1, dtype=np.int64)
    batch = find_batch(game)
    slow = np.ones(len(guesses), dtype=bool)
    if batch is not None:
        asked, answers, slow = batch.translate(guesses, scores)
        found[:] = batch.count(asked, answers, starts, any_will_do=any_will_do)
    odd = starts[1:] == starts[:-1]
    if slow.any():
        rows = np.concatenate(([0], np.cumsum(slow)))
        odd |= rows[starts[1:]] > rows[starts[:-1]]
    for board in np.flatnonzero(odd).tolist():
        part = slice(starts[board], starts[board + 1])
        found[board] = count_one(read_board(game, guesses[part], scores[part]))
    return found


def count_one(board: Board) -> int:
    """Count the codes of a board: by the codes that each row allows, where these can be listed."""
    import numpy as np  # noqa: PLC0415

    if board.game.size > LISTED or not board.rows:
        return count(board).count
    masks = [_mask(board.game, row) for row in board.rows]
    return int(np.logical_and.reduce(masks).sum())


@lru_cache(maxsize=512)
def _mask(game: Game, row: Row) -> Array:
    """Which codes of a game agree with a row."""
    return agrees_all(game, all_codes(game), row)


def read_board(game: Game, guesses: Array, scores: Array) -> Board:
    """The board of some rows of arrays."""
    rows = zip(guesses.tolist(), scores.tolist(), strict=True)
    return Board(
        game,
        tuple(Row(tuple(g), tuple(None if part < 0 else part for part in s)) for g, s in rows),
    )


def _check(game: Game, guesses: Array, scores: Array, starts: Array) -> None:
    """Raise InputError with all that is wrong with the arrays."""
    faults = []
    shapes = {
        "guesses": (guesses, (len(guesses), game.pegs)),
        "scores": (scores, (len(guesses), len(game.parts))),
    }
    for name, (array, shape) in shapes.items():
        if array.shape != shape or array.dtype.kind not in "iu":
            rule = f"{name} are whole numbers of shape {shape}"
            faults.append(Fault(rule, f"{array.dtype} of shape {array.shape}", "such an array"))
    if not faults and len(guesses) and not UNREAD <= guesses.min() <= guesses.max() < game.colors:
        rule = f"colors are from 0 to {game.colors - 1}, -1 where unread"
        faults.append(Fault(rule, f"{guesses.min()} to {guesses.max()}", "such colors"))
    is_list = starts.ndim == 1 and starts.dtype.kind in "iu" and len(starts) > 0
    is_list = is_list and bool((starts[1:] >= starts[:-1]).all())
    if (
        not is_list
        or starts[0] != 0
        or starts[-1] != len(guesses)
        or (starts[1:] < starts[:-1]).any()
    ):
        rule = f"starts ascend from 0 to the number of rows, {len(guesses)}"
        faults.append(Fault(rule, f"shape {starts.shape}", "boards + 1 such numbers"))
    if faults:
        raise InputError(faults, "the arrays")


class Batch:
    """The boards of one game, ready to be counted by the kernel."""

    def __init__(self, game: Game) -> None:
        """Tabulate the answers of all pairs, or list the codes by what one row can be."""
        import numpy as np  # noqa: PLC0415

        self.game = game
        self.codes = all_codes(game)
        self.values = _in_base(self.codes, game.colors)
        self.base = (len(game.scoring.marks) or game.pegs + 1) + 1  # a number more: out of range
        self.is_table = game.size <= TABLE
        self.numbers = np.full(self.base ** len(game.parts), NEVER, dtype=np.uint8)
        self.kernel: Any
        if self.is_table:
            self._tabulate()
            return
        side = game.pegs + 1
        of = {"black-white": (side, 1), "black": (1, 0), "color": (0, 1)}[game.scoring.name]
        self.kernel = ListBatch(self.codes, game.colors, *of)
        for black in range(side):
            for white in range(side - black):
                score = {"black-white": (black, white), "black": (black,), "color": (white,)}
                place = _place(score[game.scoring.name], self.base)
                common = black + white if game.scoring.name == "black-white" else white
                self.numbers[place] = of[0] * black + of[1] * common

    def _tabulate(self) -> None:
        import numpy as np  # noqa: PLC0415

        game, codes = self.game, self.codes
        many = len(codes)
        table = np.full((many, pad_length(many)), PADDING, dtype=np.uint8)
        if kernel_form(game) is None:
            by_code, scores = tabulate_answers(game, codes)
            table[:, :many] = by_code[:, :many].T
        else:
            scores = {}
            for guess, code in enumerate(map(tuple, codes.tolist())):
                answers = compute_answers(game, codes, [code])[0]
                for answer in np.unique(answers).tolist():
                    if answer not in scores.values():
                        first = tuple(codes[np.flatnonzero(answers == answer)[0]].tolist())
                        scores[game.score(first, code)] = answer
                table[guess, :many] = answers
        for score, number in scores.items():
            self.numbers[_place(score, self.base)] = number
        self.kernel = TableBatch(table, many)

    def translate(self, guesses: Array, scores: Array) -> tuple[Array, Array, Array]:
        """Guesses and scores as the kernel has them, and which rows it does not know."""
        import numpy as np  # noqa: PLC0415

        slow: Array = np.zeros(len(guesses), dtype=bool)
        if len(guesses) and min(guesses.min(), scores.min()) < 0:
            slow[:] = (guesses < 0).any(axis=1) | (scores < 0).any(axis=1)
            guesses, scores = np.maximum(guesses, 0), np.maximum(scores, 0)
        if len(scores) and scores.max() >= self.base:
            scores = np.minimum(scores, self.base - 1)
        answers = self.numbers[_in_base(scores, self.base)]
        if not self.is_table:
            return np.ascontiguousarray(guesses, dtype=np.uint8), answers, slow
        values = asked = _in_base(guesses, self.game.colors)
        if len(self.values) < self.game.colors**self.game.pegs:
            asked = np.minimum(np.searchsorted(self.values, values), len(self.values) - 1)
            slow |= self.values[asked] != values  # a guess that is no code
        return asked.astype(np.uint32), answers, slow

    def count(self, asked: Array, answers: Array, starts: Array, *, any_will_do: bool) -> Array:
        """The codes of each board, or 1 where there is any and 0 where there is none."""
        import numpy as np  # noqa: PLC0415

        out = np.zeros(len(starts) - 1, dtype=np.uint32)
        self.kernel.count(asked, answers, starts, any_will_do, out)
        return out


def _in_base(digits: Array, base: int) -> Array:
    """Rows of digits as numbers, the first digit the highest."""
    found = digits[:, 0].astype("int64")
    for place in range(1, digits.shape[1]):
        found *= base
        found += digits[:, place]
    return found


def _place(score: Sequence[int | None], base: int) -> int:
    """The same of one row."""
    found = 0
    for part in score:
        found = found * base + (part or 0)
    return found


@lru_cache(maxsize=4)
def find_batch(game: Game) -> Batch | None:
    """What counts boards of a game in bulk, made once; None where they are counted one by one."""
    name, space = game.scoring.name, game.space.name
    is_alike = name in ("black-white", "black", "color") and space in ("repeats", "distinct")
    answers = (len(game.scoring.marks) or game.pegs + 1) ** len(game.parts)
    form = kernel_form(game)
    if game.size <= TABLE and (answers < PADDING or (form is not None and form.win < PADDING)):
        return Batch(game)
    if is_alike and game.pegs <= 7 and game.colors <= 8 and game.size <= LISTED:
        return Batch(game)
    return None
