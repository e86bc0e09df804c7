"""The boards of one game in bulk, as arrays, by the kernel."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from mmsat import _core
from mmsat.arrays import Array, np
from mmsat.board import Board
from mmsat.diagnosis.slips import WEIGHTS, repeats_slip, slip
from mmsat.enumeration.count import count
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.row import Row, Score
from mmsat.game.unread import agrees_all
from mmsat.strategy.answers import (
    compute_answers,
    decode_answer,
    kernel_form,
    pad_length,
    tabulate_answers,
)
from mmsat.strategy.code_list import all_codes

TABLE = 8192
"""Codes of games with a table of all answers, a byte for each pair: up to 64 MiB."""
LISTED = 1 << 18
"""Codes of games, with pegs and colors alike, with lists of codes by what a row can be."""
NEVER, PADDING = 255, 254
"""In place of an answer that no code gives, and behind the codes of a table."""
FEW, SHARE = 64, 4
"""Rows, and codes of a game for each row, from which on a table is worth while."""
ANSWERS = 256
MOST_SCORES = 1 << 16
"""Scores, sensible or not, that have a number each."""


class Asked(NamedTuple):
    """Rows, one after the other, as the kernel has them."""

    guesses: Array
    answers: Array
    scores: Array
    """Each score as a number, with a digit for each part."""
    unknown: Array
    """Which of them the kernel does not know: something was not read, or the guess is no code."""

    def take(self, rows: Array) -> Asked:
        """Some of the rows, by their numbers."""
        return Asked(*(each[rows] for each in self))

    @classmethod
    def join(cls, some: Iterable[Asked]) -> Asked:
        """All rows of these."""
        return cls(*map(np.concatenate, zip(*some, strict=True)))


class Reason(NamedTuple):
    """Why a board has no code, as the kernel tells it."""

    conflict: int
    """A bit for each row of the first smallest conflict."""
    changed: int
    """The scores that the likeliest cheapest correction changes."""
    row: int
    """The first of its rows, from 0 ..."""
    answer: int
    """... and the number of the answer that it should have had."""
    is_by_repeats: int
    """1 if repeated colors were counted twice in this row, else 0."""


class Batch:
    """The boards of one game, ready to be judged by the kernel."""

    def __init__(self, game: Game) -> None:
        """Tabulate the answers of all pairs, or list the codes by what one row can be."""
        self.game = game
        codes = all_codes(game)
        self.base = _base(game)
        self.scores: list[Score]  # by answer, ascending
        is_table = game.size <= TABLE
        if is_table:
            table, self.scores = _tabulate(game, codes)
            self.kernel = _core.Batch.of_table(table, codes.astype(np.uint16))
            numbered = dict(enumerate(self.scores))
        else:
            side, name = game.pegs + 1, game.scoring.name
            of = {"black-white": (side, 1), "black": (1, 0), "color": (0, 1)}[name]
            self.kernel = _core.Batch.of_lists(codes, game.colors, *of)
            numbered = {}
            for black in range(side):
                for white in range(side - black):
                    score = {"black-white": (black, white), "black": (black,), "color": (white,)}
                    common = black + white if name == "black-white" else white
                    numbered[of[0] * black + of[1] * common] = score[name]
            self.scores = [numbered.get(answer, ()) for answer in range(max(numbered) + 1)]
        places = np.indices((self.base,) * len(game.parts)).reshape(len(game.parts), -1).T
        self.told: list[Score] = [*map(tuple, places.tolist())]  # every score by its number
        # those that stand for any with a part that is out of range
        self.is_beyond = (places == self.base - 1).any(axis=1)
        answer_of = {score: answer for answer, score in numbered.items()}
        answers = [answer_of.get(score, NEVER) for score in self.told]
        has_all = not is_table or len(codes) == game.colors**game.pegs
        self.translator = _core.Translator(
            game.pegs,
            game.colors,
            len(game.parts),
            self.base,
            np.array(answers, dtype=np.uint8),
            not is_table,
            np.zeros(0, dtype=np.uint64) if has_all else _in_base(codes, game.colors),
        )
        self.ranks = np.zeros((len(self.told), ANSWERS), dtype=np.uint16)
        self.is_ranked = np.zeros(len(self.told), dtype=bool)

    def translate(self, guesses: Array, scores: Array) -> Asked:
        """Rows as the kernel has them; raises InputError where a color is out of range."""
        if guesses.dtype != np.uint8 or scores.dtype != np.uint8:
            guesses, scores = (
                np.ascontiguousarray(each, dtype=np.int64) for each in (guesses, scores)
            )
        kinds = (np.uint32, np.uint8, np.uint32, bool)
        asked = Asked(*(np.empty(len(guesses), dtype=kind) for kind in kinds))
        if not self.translator.translate(guesses, scores, *asked):
            raise colors_fault(self.game, guesses)
        return asked

    def count(self, asked: Asked, starts: Array, *, any_will_do: bool = False) -> Array:
        """The codes of each board, or 1 where there is any and 0 where there is none."""
        out = np.zeros(len(starts) - 1, dtype=np.uint32)
        self.kernel.count(asked.guesses, asked.answers, starts, any_will_do, out)
        return out.astype(np.int64)

    def impossible(self, asked: Asked, starts: Array) -> list[int]:
        """Of boards of up to 64 rows, a bit for each row whose guess could not be the code."""
        out = np.zeros(len(starts) - 1, dtype=np.uint64)
        self.kernel.impossible(asked.guesses, asked.answers, starts, out)
        found: list[int] = out.tolist()
        return found

    def reasons(self, asked: Asked, starts: Array) -> list[Reason]:
        """Why boards without a code, of up to 12 rows, have none."""
        for told in np.unique(asked.scores[~self.is_ranked[asked.scores]]).tolist():
            for answer, score in enumerate(self.scores):
                if score:
                    self.ranks[told, answer] = slip(self.told[told], score, self.game).rank
            self.is_ranked[told] = True
        out = np.zeros((len(starts) - 1, len(Reason._fields)), dtype=np.uint32)
        self.kernel.reasons(
            asked.guesses,
            asked.answers,
            starts,
            asked.scores,
            self.ranks,
            np.array(WEIGHTS, dtype=np.uint32),
            self.game.scoring.name,
            repeats_slip(self.game).weight,
            self.base,
            out,
        )
        return [Reason(*each) for each in out.tolist()]


def have_any(marked: Array, starts: Array) -> Array:
    """Which boards have a row that is marked."""
    if not marked.any():
        return np.zeros(len(starts) - 1, dtype=bool)
    rows = np.concatenate(([0], np.cumsum(marked)))
    return rows[starts[1:]] > rows[starts[:-1]]


def count_one(board: Board) -> int:
    """Count the codes of a board: by the codes that each row allows, where these can be listed."""
    if board.game.size > LISTED or not board.rows:
        return count(board).count
    masks = [_mask(board.game, row) for row in board.rows]
    return int(np.logical_and.reduce(masks).sum())


@lru_cache(maxsize=128)
def _mask(game: Game, row: Row) -> Array:
    """Which codes of a game agree with a row."""
    return agrees_all(game, all_codes(game), row)


def colors_fault(game: Game, guesses: Array) -> InputError:
    """What is wrong with colors out of range."""
    rule = f"colors are from 0 to {game.colors - 1}, -1 where unread"
    found = f"{guesses.min()} to {guesses.max()}"
    return InputError.of("the arrays", "such colors", found, rule)


def _tabulate(game: Game, codes: Array) -> tuple[Array, list[Score]]:
    """The answers of all codes to each guess, and the score of each answer, ascending."""
    many = len(codes)
    form = kernel_form(game)
    if form is None:
        by_code, scores = tabulate_answers(game, codes)
    else:
        scores = {decode_answer(game, answer): answer for answer in form.answers}
    ordered = sorted(scores)
    number = np.zeros(max(scores.values()) + 1, dtype=np.uint8)
    number[[scores[score] for score in ordered]] = np.arange(len(ordered))
    table = np.full((many, pad_length(many)), PADDING, dtype=np.uint8)
    for guess, code in enumerate(map(tuple, codes.tolist())):
        answers = by_code[:, guess] if form is None else compute_answers(game, codes, [code])[0]
        table[guess, :many] = number[answers]
    return table, ordered


def _in_base(digits: Array, base: int) -> Array:
    """Rows of digits as numbers, the first digit the highest."""
    found = digits[:, 0].astype("uint64")
    for place in range(1, digits.shape[1]):
        found = found * base + digits[:, place]
    return found


def _base(game: Game) -> int:
    """A number more than the parts of a score can be, which stands for all out of range."""
    return (len(game.scoring.marks) or game.pegs + 1) + 1


@lru_cache(maxsize=8)
def find_batch(game: Game) -> Batch | None:
    """What judges boards of a game in bulk, made once; None where they are judged one by one."""
    return Batch(game) if has_batch(game) else None


def are_enough(game: Game, rows: int) -> bool:
    """Whether verdicts on boards of so many rows in all are worth a batch.

    A table costs about what that many rows cost, one by one.
    """
    return game.size > TABLE or rows >= FEW + game.size // SHARE


def has_batch(game: Game) -> bool:
    """Whether the kernel judges boards of a game in bulk."""
    name, space = game.scoring.name, game.space.name
    is_alike = name in ("black-white", "black", "color") and space in ("repeats", "distinct")
    parts = len(game.parts)
    if _base(game) ** parts > MOST_SCORES or game.colors**game.pegs >= 1 << 64:
        return False
    answers = (_base(game) - 1) ** parts
    form = kernel_form(game)
    if game.size <= TABLE and (answers < PADDING or (form is not None and form.win < PADDING)):
        return True
    return is_alike and game.pegs <= 7 and game.colors <= 8 and game.size <= LISTED
