"""Bulk evaluation of boards of one game: number of codes, impossible guesses, and reasons.

A guess is impossible if it could not be the code, given the rows before it. The reason why a board
has no code is a conflict and a correction.

The boards are encoded as arrays (`EncodedRows`) and judged by the kernel (`Batch`). Boards that the
kernel does not support are judged one by one (judge.py). The kernel represents a score by two
numbers. Its *answer* is its index in the list of possible scores (`Batch.scores`). Its *score
number* has the parts of the score as digits; scores that no code gives have one, too.

If all codes of the game can be listed, `find_reasons` finds a conflict and a correction of a board
without a solver. For each code, the rows that it violates form a set. The smallest of these sets
are the rows that the cheapest corrections change. A set of rows is a conflict if it intersects the
sets of all codes. A smallest conflict is found by trying sets of rows in the order of their size.

`count_arrays` and `check_arrays` accept boards as integer arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from mmsat import _core
from mmsat._util import Array, np
from mmsat.counting.count import count
from mmsat.diagnosis import Conflict, Correction, select_correction
from mmsat.diagnosis.check import check
from mmsat.diagnosis.corrections import (
    cases_by_repair,
    repeats_slip,
    slip,
    sorted_corrections,
)
from mmsat.errors import Description, Fault, InputError, InternalError
from mmsat.game import UNREAD, Row, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.unread import agrees_all
from mmsat.strategy.answers import (
    all_codes,
    compute_answers,
    decode_answer,
    kernel_form,
    pad_length,
    tabulate_answers,
)

MAX_LISTED_CODES = 1 << 18
"""Maximum `Game.size` for which codes are listed and scored one by one."""
MAX_INT64 = (1 << 63) - 1
"""The largest number that an array of scores can have."""
MAX_FAULTS = 10
"""Maximum number of rows with a value out of range that an error lists, for each array."""
MAX_ROWS = 12
"""Maximum number of rows for which all 2 ** 12 sets of rows may be tried. `check` explains boards
with more rows."""


def find_reasons(board: Board) -> tuple[Conflict | None, Correction | None]:
    """Return a smallest conflict and the correction that `check` selects."""
    game, num_rows = board.game, len(board.rows)
    if game.size > MAX_LISTED_CODES or num_rows > MAX_ROWS:
        verdict = check(board)
        return verdict.conflict, verdict.correction
    codes = all_codes(game)
    violated_rows = np.zeros(len(codes), dtype=np.int64)  # a bit mask for each code
    for row_index, row in enumerate(board.rows):
        violated_rows |= (~agrees_all(game, codes, row)).astype(np.int64) << row_index
    violated_sets = np.unique(violated_rows)
    sizes = np.array([mask.bit_count() for mask in violated_sets.tolist()])
    smallest_sets = violated_sets[sizes == sizes.min()]
    nearest = codes[np.isin(violated_rows, smallest_sets)]
    repairs = cases_by_repair(board, map(tuple, nearest.tolist()))
    correction = select_correction(sorted_corrections(board, repairs))
    return _smallest_hitting_set(violated_sets, num_rows), correction


def _smallest_hitting_set(sets: Array, num_rows: int) -> Conflict | None:
    """Return the first smallest set of rows that intersects all `sets`, which are bit masks."""
    for size in range(1, num_rows + 1):
        for rows in combinations(range(num_rows), size):
            mask = sum(1 << row for row in rows)
            if (sets & mask).all():
                return Conflict(rows)
    return None


MAX_TABLE_CODES = 8192
"""Maximum `Game.size` for which all answers are tabulated, one byte each: at most 64 MiB."""
IMPOSSIBLE_ANSWER, PADDING = 255, 254
"""Special values of answers: for a score that no code gives, and for the padding after the last
code in a row of the table."""
MIN_ROWS_FOR_TABLE, CODES_PER_FURTHER_ROW = 64, 4
"""A table pays off if all boards together have `MIN_ROWS_FOR_TABLE` rows, plus one row for every
`CODES_PER_FURTHER_ROW` codes of the game."""
NUM_ANSWER_VALUES = 256
"""Number of values of an answer, which is stored in one byte."""
MAX_NUMBERED_SCORES = 1 << 16
"""Maximum number of score numbers of a game."""
MAX_PACKED_PEGS, MAX_PACKED_COLORS = 7, 8
"""Maximum numbers of pegs and colors of games without a table. The kernel packs their guesses and
numbers of pegs by color into 4-bit digits of 32-bit integers (batch.hpp)."""


class EncodedRows(NamedTuple):
    """Encoded rows, as arrays with one entry per row."""

    guesses: Array
    """Each guess in the numbering of the kernel."""
    answers: Array
    """The index of each score in `Batch.scores`, or IMPOSSIBLE_ANSWER."""
    scores: Array
    """Each score as a number, with its parts as digits."""
    is_unsupported: Array
    """Whether the kernel cannot judge the row: the guess is not a code, or has an unread peg, or
    the score has an unread part."""

    def select(self, rows: Array) -> EncodedRows:
        """Return the rows with the given indices."""
        return EncodedRows(*(array[rows] for array in self))

    @classmethod
    def join(cls, parts: Iterable[EncodedRows]) -> EncodedRows:
        """Concatenate encoded rows."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


class Reason(NamedTuple):
    """Why a board has no code, as computed by the kernel."""

    conflict: int
    """Bit mask of the rows of a smallest conflict, the first one in lexicographic order."""
    changed: int
    """Number of scores changed by the correction that `check` selects."""
    row: int
    """First row that the correction changes, from 0."""
    answer: int
    """Index of the corrected score of `row` in `Batch.scores`."""
    is_by_repeats: int
    """1 if counting repeated colors twice explains the wrong score of `row`, else 0."""


class Batch:
    """Evaluation of boards of one game by the kernel."""

    def __init__(self, game: Game) -> None:
        """Prepare the kernel.

        For small games, all answers are tabulated. For others, the kernel lists the codes by answer
        and by the numbers of pegs per color of the guess.
        """
        self.game = game
        codes = all_codes(game)
        self.base = _score_base(game)
        self.scores: list[Score]
        """The possible scores in ascending order, indexed by answer."""
        is_table = game.size <= MAX_TABLE_CODES
        if is_table:
            table, self.scores = _tabulate(game, codes)
            self.kernel = _core.Batch.of_table(table, codes.astype(np.uint16))
            score_of = dict(enumerate(self.scores))
        else:
            # The kernel's answer is a weighted sum of black pegs and common colors.
            num_values, name = game.pegs + 1, game.scoring.name  # each part is 0 to pegs
            weights_by_scoring = {"black-white": (num_values, 1), "black": (1, 0), "color": (0, 1)}
            answer_weights = weights_by_scoring[name]
            self.kernel = _core.Batch.of_lists(codes, game.colors, *answer_weights)
            score_of = {}
            # `other` is the number of white pegs; for the scoring "color", that of common colors.
            for black in range(num_values):
                for other in range(num_values - black):
                    scores = {"black-white": (black, other), "black": (black,), "color": (other,)}
                    common = black + other if name == "black-white" else other
                    score_of[answer_weights[0] * black + answer_weights[1] * common] = scores[name]
            # An answer that no score has gets an empty tuple.
            self.scores = [score_of.get(answer, ()) for answer in range(max(score_of) + 1)]
        digits = np.indices((self.base,) * len(game.parts)).reshape(len(game.parts), -1).T
        self.score_of_number: list[Score] = [*map(tuple, digits.tolist())]
        self.is_out_of_range = (digits == self.base - 1).any(axis=1)
        """For each score number, whether a part of the score is out of range: the highest digit."""
        answer_of = {score: answer for answer, score in score_of.items()}
        answers = [answer_of.get(score, IMPOSSIBLE_ANSWER) for score in self.score_of_number]
        # With a table, the kernel's number of a guess is its index among the codes. The translator
        # needs the list to find it, unless every sequence of colors is a code.
        needs_no_list = not is_table or len(codes) == game.colors**game.pegs
        self.translator = _core.Translator(
            game.pegs,
            game.colors,
            len(game.parts),
            self.base,
            np.array(answers, dtype=np.uint8),
            not is_table,
            np.zeros(0, dtype=np.uint64) if needs_no_list else _to_numbers(codes, game.colors),
        )
        self.weights = np.zeros((len(self.score_of_number), NUM_ANSWER_VALUES), dtype=np.uint32)
        """The weight of the slip that turns an answer into a recorded score, indexed by the number
        of the recorded score and the answer. `reasons` computes the rows that it needs."""
        self.is_weighted = np.zeros(len(self.score_of_number), dtype=bool)
        """Whether the row of `weights` is computed, for each score number."""

    def translate(self, guesses: Array, scores: Array) -> EncodedRows:
        """Encode rows with valid colors for the kernel."""
        if guesses.dtype != np.uint8 or scores.dtype != np.uint8:
            guesses, scores = (
                np.ascontiguousarray(array, dtype=np.int64) for array in (guesses, scores)
            )
        kinds = (np.uint32, np.uint8, np.uint32, bool)
        encoded = EncodedRows(*(np.empty(len(guesses), dtype=kind) for kind in kinds))
        if not self.translator.translate(guesses, scores, *encoded):
            raise InternalError("a guess has a color out of range")
        return encoded

    def count(self, rows: EncodedRows, starts: Array, *, only_exists: bool = False) -> Array:
        """Count the codes of each board; with `only_exists`, return 1 for any positive number."""
        counts = np.zeros(len(starts) - 1, dtype=np.uint32)
        self.kernel.count(rows.guesses, rows.answers, starts, only_exists, counts)
        return counts.astype(np.int64)

    def impossible(self, rows: EncodedRows, starts: Array) -> list[int]:
        """Return a bit mask for each board: the rows whose guess contradicts earlier rows.

        Boards have at most 64 rows.
        """
        mask_array = np.zeros(len(starts) - 1, dtype=np.uint64)
        self.kernel.inconsistent_guesses(rows.guesses, rows.answers, starts, mask_array)
        masks: list[int] = mask_array.tolist()
        return masks

    def reasons(self, rows: EncodedRows, starts: Array) -> list[Reason]:
        """Return why each of these boards, of up to MAX_ROWS rows, has no code."""
        for number in np.unique(rows.scores[~self.is_weighted[rows.scores]]).tolist():
            recorded = self.score_of_number[number]
            for answer, score in enumerate(self.scores):
                if score and score != recorded:
                    self.weights[number, answer] = slip(recorded, score, self.game).weight
            self.is_weighted[number] = True
        fields = np.zeros((len(starts) - 1, len(Reason._fields)), dtype=np.uint32)
        self.kernel.reasons(
            rows.guesses,
            rows.answers,
            starts,
            rows.scores,
            self.weights,
            self.game.scoring.name,
            repeats_slip(self.game).weight,
            self.base,
            fields,
        )
        return [Reason(*values) for values in fields.tolist()]


def have_any(marked: Array, starts: Array) -> Array:
    """Return for each board whether `marked` is true for one of its rows."""
    if not marked.any():
        return np.zeros(len(starts) - 1, dtype=bool)
    num_marked = np.concatenate(([0], np.cumsum(marked)))  # before each row
    return num_marked[starts[1:]] > num_marked[starts[:-1]]


def count_one(board: Board) -> int:
    """Count the codes of a board, by testing every code against every row if the game is small."""
    if board.game.size > MAX_LISTED_CODES or not board.rows:
        return count(board).count
    masks = [_mask(board.game, row) for row in board.rows]
    return int(np.logical_and.reduce(masks).sum())


@lru_cache(maxsize=128)
def _mask(game: Game, row: Row) -> Array:
    """Return, for each code of the game, whether it agrees with a row."""
    return agrees_all(game, all_codes(game), row)


def _tabulate(game: Game, codes: Array) -> tuple[Array, list[Score]]:
    """Return the table of the answers, with a row for each guess, and the ascending scores."""
    num_codes = len(codes)
    form = kernel_form(game)
    # The scores are numbered in ascending order, without gaps. `tabulate_answers` and the kernel
    # (`kernel_form`) number them differently.
    if form is None:
        by_code, number_of_score = tabulate_answers(game, codes)
    else:
        number_of_score = {decode_answer(game, number): number for number in form.answers}
    sorted_scores = sorted(number_of_score)
    answer_of_number = np.zeros(max(number_of_score.values()) + 1, dtype=np.uint8)
    answer_of_number[[number_of_score[score] for score in sorted_scores]] = np.arange(
        len(sorted_scores)
    )
    table = np.full((num_codes, pad_length(num_codes)), PADDING, dtype=np.uint8)
    for guess, code in enumerate(map(tuple, codes.tolist())):
        numbers = by_code[:, guess] if form is None else compute_answers(game, codes, [code])[0]
        table[guess, :num_codes] = answer_of_number[numbers]
    return table, sorted_scores


def _to_numbers(digits: Array, base: int) -> Array:
    """Return rows of digits as numbers, the most significant digit first."""
    numbers = digits[:, 0].astype("uint64")
    for column in range(1, digits.shape[1]):
        numbers = numbers * base + digits[:, column]
    return numbers


def _score_base(game: Game) -> int:
    """Return the base of score numbers.

    Each valid value of a part is a digit. The highest digit represents all other values.
    """
    return (len(game.scoring.marks) or game.pegs + 1) + 1


@lru_cache(maxsize=8)
def find_batch(game: Game) -> Batch | None:
    """Return the cached batch of a game, or None if its boards are judged one by one."""
    return Batch(game) if has_batch(game) else None


def is_batch_worthwhile(game: Game, rows: int) -> bool:
    """Return whether a batch pays off for boards that have `rows` rows in total.

    Tabulating a small game costs about as much as judging the minimum number of rows one by one.
    """
    return (
        game.size > MAX_TABLE_CODES
        or rows >= MIN_ROWS_FOR_TABLE + game.size // CODES_PER_FURTHER_ROW
    )


def has_batch(game: Game) -> bool:
    """Return whether the kernel judges boards of a game in bulk."""
    name, space = game.scoring.name, game.space.name
    # Whether all pegs and all colors are interchangeable
    is_symmetric = name in ("black-white", "black", "color") and space in ("repeats", "distinct")
    parts = len(game.parts)
    # Guesses are numbered in 64 bits.
    if _score_base(game) ** parts > MAX_NUMBERED_SCORES or game.colors**game.pegs >= 1 << 64:
        return False
    # An answer in the table is a byte below PADDING. The number of combinations of parts is an
    # upper bound of the number of answers. The numbers of scores in the kernel (`kernel_form`) are
    # another one; the winning score has the highest number.
    num_combinations = (_score_base(game) - 1) ** parts
    form = kernel_form(game)
    if game.size <= MAX_TABLE_CODES and (
        num_combinations < PADDING or (form is not None and form.win < PADDING)
    ):
        return True
    is_packed = game.pegs <= MAX_PACKED_PEGS and game.colors <= MAX_PACKED_COLORS
    return is_symmetric and is_packed and game.size <= MAX_LISTED_CODES


def find_unsupported(
    batch: Batch, rows: EncodedRows, starts: Array, *, with_reasons: bool
) -> Array:
    """Return which boards the kernel cannot judge or, if `with_reasons` is set, cannot explain."""
    is_unsupported = have_any(rows.is_unsupported, starts)
    if with_reasons:
        is_unsupported |= (np.diff(starts) > MAX_ROWS) | have_any(
            batch.is_out_of_range[rows.scores], starts
        )
    return is_unsupported


def select_boards(rows: EncodedRows, starts: Array, boards: Array) -> tuple[EncodedRows, Array]:
    """Return the rows of the boards with these indices, and the index of the first row of each."""
    if len(boards) == len(starts) - 1:
        return rows, starts
    lengths = np.diff(starts)[boards]
    begins = np.concatenate(([0], np.cumsum(lengths)))
    row_indices = np.arange(begins[-1]) + np.repeat(starts[boards] - begins[:-1], lengths)
    return rows.select(row_indices), begins


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
    return _count(Game.of(game), guesses, scores, starts, only_exists=False)


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
    This call takes between half the time of `count_arrays` and the same time.

    Examples
    --------
    >>> guesses = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> mmsat.check_arrays("4x6", guesses, [[1, 1], [1, 1], [0, 2]], [0, 1, 3]).tolist()
    [True, False]
    """
    return _count(Game.of(game), guesses, scores, starts, only_exists=True) > 0


def _count(game: Game, guesses: Array, scores: Array, starts: Array, *, only_exists: bool) -> Array:
    """Validate the arrays, and return the number of codes of each board.

    With `only_exists`, a positive number may be replaced by 1.
    """
    try:
        guesses, scores, starts = (np.asarray(array) for array in (guesses, scores, starts))
    except ValueError as error:  # rows of different lengths
        description = Description("rows of different lengths")
        raise InputError.of("the arrays", "arrays of numbers", description, str(error)) from None
    _check_shapes(game, guesses, scores, starts)
    _check_values(game, guesses, scores, starts)
    starts = np.ascontiguousarray(starts, dtype=np.int64)

    # A board refuses numbers above `highest`. They are replaced by it, which changes no count: no
    # code gets any of these numbers.
    highest = game.scoring.highest

    def make_board(index: int) -> Board:
        """Return a board of the arrays, in which no part of a score exceeds `highest`."""
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
        counts = batch.count(encoded, starts, only_exists=only_exists)
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
            description = Description(f"{array.dtype} of shape {array.shape}")
            faults.append(Fault("", description, expected, part=name))
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
                part = f"{name}[{row}] of the board with index {board}"
                faults.append(Fault("", tuple(array[row].tolist()), expected, part=part))
    InputError.refuse(faults, "the arrays")
