"""Judge the games of a log in bulk: one flat record per game, or its faults.

The boards of each game are collected and judged together (batch.py). A row is parsed only once,
because rows repeat: `RowCache` numbers the rows of a game, and a board is a list of these numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from mmsat._util import Array, np
from mmsat.auditing import Record
from mmsat.auditing.batch import (
    Batch,
    EncodedRows,
    Reason,
    count_one,
    find_batch,
    find_reasons,
    find_unsupported,
    is_batch_worthwhile,
    select_boards,
)
from mmsat.counting.count import count
from mmsat.diagnosis.check import find_unlisted
from mmsat.diagnosis.corrections import repeats_slip, slip
from mmsat.errors import GameWarning, InputError, MmsatError, Place
from mmsat.game import UNREAD, Row, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.board_text import is_line
from mmsat.game.unread import rescore
from mmsat.game.weights import Weights
from mmsat.play.review import review

MAX_CACHED_ROWS = 1 << 16
"""Maximum number of cached rows of a game. If there are more after a call, all are dropped."""
MAX_CACHED_GAMES = 64
"""Maximum number of games whose rows are cached. If there are more after a call, all are
dropped."""
MAX_CACHED_TEXTS = 1 << 14
"""Maximum number of changed scores, and of sets of rows, whose text is cached."""
DEPTHS = ("verdict", "reasons", "review")
"""Levels of detail. "verdict": the verdict and the number of codes. "reasons": also conflicts,
corrections and impossible guesses. "review": also skill and luck."""
COLUMNS = (
    "record",
    "source",
    "id",
    "board",
    "game",
    "rows",
    "verdict",
    "codes",
    "conflict",
    "row",
    "from",
    "to",
    "slip",
    "changed",
    "impossible",
    "skill",
    "luck_bits",
    "loss",
    "by",
    "true_row",
    "true",
    "true_slip",
    "weighed",
    "weight",
    "unlisted",
)
"""The keys of a judged record, in the order of the columns of a table; README.md explains them."""


class Judgment(NamedTuple):
    """The judgment of one board."""

    codes: int
    """Number of consistent codes."""
    impossible: str = ""
    """The numbers, from 1, of the rows whose guess could not be the code, separated by spaces."""
    reason_entries: Mapping[str, Any] = MappingProxyType({})
    """The entries of the JSON record for a conflict and a correction; empty if there is a code."""


def judge_boards(
    batch: Batch,
    rows: EncodedRows,
    starts: Array,
    make_board: Callable[[int], Board],
    *,
    with_reasons: bool,
) -> list[Judgment]:
    """Return the judgments of boards of one game.

    `starts` has the index of the first row of each board in `rows`, and finally the number of rows.
    `make_board` returns the board with a given index, for boards that the kernel does not support.
    """
    is_unsupported = find_unsupported(batch, rows, starts, with_reasons=with_reasons)
    supported = select_boards(rows, starts, np.flatnonzero(~is_unsupported))
    kernel_judgments = iter(judge_supported(batch, *supported, with_reasons=with_reasons))
    return [
        judge_one(make_board(index), with_reasons=with_reasons)
        if unsupported
        else next(kernel_judgments)
        for index, unsupported in enumerate(is_unsupported.tolist())
    ]


def judge_supported(
    batch: Batch, rows: EncodedRows, starts: Array, *, with_reasons: bool
) -> list[Judgment]:
    """Return the judgments of boards that are all supported by the kernel."""
    codes = batch.count(rows, starts)
    if not with_reasons:
        return [*map(Judgment, codes.tolist())]
    row_numbers = map(_row_numbers, batch.impossible(rows, starts))
    judgments = [*map(Judgment, codes.tolist(), row_numbers)]
    inconsistent = np.flatnonzero(codes == 0)
    inconsistent_rows, begins = select_boards(rows, starts, inconsistent)
    reasons_by_board = zip(
        inconsistent.tolist(),
        begins.tolist(),
        batch.reasons(inconsistent_rows, begins),
        strict=False,  # `begins` has one more entry
    )
    for index, begin, reason in reasons_by_board:
        recorded_score = int(inconsistent_rows.scores[begin + reason.row])
        entries = _reason_entries(batch, reason, recorded_score)
        judgments[index] = judgments[index]._replace(reason_entries=entries)
    return judgments


def judge_one(board: Board, *, with_reasons: bool) -> Judgment:
    """Return the judgment of one board, without the kernel."""
    codes = count_one(board)
    if not with_reasons:
        return Judgment(codes)
    impossible = " ".join(str(row + 1) for row in board.inconsistent_guesses())
    return Judgment(codes, impossible, {} if codes else _conflict_entries(board))


def _conflict_entries(board: Board) -> dict[str, Any]:
    """Return the JSON entries for a conflict and for the correction that `check` selects.

    The entries describe only the first change of the correction.
    """
    conflict, correction = find_reasons(board)
    entries: dict[str, Any] = {}
    if conflict is not None:
        entries["conflict"] = " ".join(str(row + 1) for row in conflict.rows)
    if correction is not None:
        first = correction.changes[0]
        change = _change_entries(board.game, first.before, first.after, counts_repeats_twice=False)
        # The slip of the correction, which may be that of repeats, replaces the one in `change`.
        entries |= {"changed": correction.cost, "row": first.row + 1, **change, "slip": first.slip}
    return entries


def _reason_entries(batch: Batch, reason: Reason, recorded_score: int) -> dict[str, Any]:
    """Return the JSON entries for the conflict and the correction in a reason of the kernel.

    `recorded_score` is the recorded score, as a number, of the first row that the correction
    changes.
    """
    return {
        "conflict": _row_numbers(reason.conflict),
        "changed": reason.changed,
        "row": reason.row + 1,
        **_change_entries(
            batch.game,
            batch.score_of_number[recorded_score],
            batch.scores[reason.answer],
            counts_repeats_twice=bool(reason.is_by_repeats),
        ),
    }


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def _change_entries(
    game: Game, before: Score, after: Score, *, counts_repeats_twice: bool
) -> dict[str, str]:
    """Return the JSON entries for a changed score.

    With `counts_repeats_twice`, the kind of slip is that repeated colors were counted twice.
    """
    print_score = speller(game).print_score
    kind = repeats_slip(game) if counts_repeats_twice else slip(before, after, game)
    return {"from": print_score(before), "to": print_score(after), "slip": kind.words}


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def _row_numbers(bits: int) -> str:
    """Return the numbers, from 1, of the rows in a bit mask."""
    return " ".join(str(row + 1) for row in range(bits.bit_length()) if bits >> row & 1)


class Request(NamedTuple):
    """Options that apply to every game. They are small, because they are sent to every process."""

    depth: str = "reasons"
    weights: str = ""
    """The weights of the codes in the format of `Weights.parse`; "" if they are equally likely."""
    game: str = ""
    """The name of the game of boards that do not name one; "" if it is unknown."""


class RowCache:
    """Cache of the rows of one game. The rows are numbered, and encoded for the kernel."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = str(game)
        self.clear()

    def number(self, text: str) -> int:
        """Return the number of the row that is printed as `text`, and cache the row if it is new.

        Raises InputError if `text` is not exactly the printed form of a row.
        """
        number = self.numbers.get(text)
        if number is not None:
            return number
        faults: list[Any] = []
        notation = speller(self.game)
        row = notation.read_row(text, Place(1, 1), faults)
        if row is None or notation.print_row(row) != text:
            raise InputError(faults, "the board line")
        self.numbers[text] = len(self.rows)
        self.rows.append(row)
        self.has_complete_guess |= UNREAD not in row.guess
        return len(self.rows) - 1

    def clear(self) -> None:
        """Drop all rows."""
        self.numbers: dict[str, int] = {}
        """The number of each row, by its printed form."""
        self.rows: list[Row] = []
        self.encoded: EncodedRows | None = None
        """The rows up to the last call of `_encode`, in the same order."""
        self.has_complete_guess = False
        """Whether at least one cached row has a guess without unread pegs. Otherwise, `judge` does
        not prepare the kernel, which does not support unread pegs."""

    def judge(self, boards: Sequence[Sequence[int]], *, with_reasons: bool) -> list[Judgment]:
        """Return the judgments of boards, given the numbers of their rows.

        Boards are judged one by one if every cached guess has unread pegs, or if the boards have
        few rows in total and no reasons are requested.
        """
        needs_batch = with_reasons or is_batch_worthwhile(self.game, sum(map(len, boards)))
        batch = find_batch(self.game) if self.has_complete_guess and needs_batch else None
        if batch is None:
            return [judge_one(self.board(numbers), with_reasons=with_reasons) for numbers in boards]
        return judge_boards(
            batch,
            self._encode(batch).select(np.fromiter(chain.from_iterable(boards), dtype=np.int64)),
            np.cumsum([0, *map(len, boards)], dtype=np.int64),
            lambda index: self.board(boards[index]),
            with_reasons=with_reasons,
        )

    def _encode(self, batch: Batch) -> EncodedRows:
        """Encode the rows that are new since the last call; return all encoded rows."""
        num_encoded = 0 if self.encoded is None else len(self.encoded.guesses)
        new_rows = self.rows[num_encoded:]
        if self.encoded is not None and not new_rows:
            return self.encoded
        guesses = np.array([row.guess for row in new_rows])
        scores = np.array([*map(_score_values, new_rows)])
        new = batch.translate(
            guesses.reshape(len(new_rows), self.game.pegs),
            scores.reshape(len(new_rows), len(self.game.parts)),
        )
        self.encoded = new if self.encoded is None else EncodedRows.join([self.encoded, new])
        return self.encoded

    def board(self, numbers: Iterable[int]) -> Board:
        """Return the board with the rows of these numbers."""
        return Board(self.game, tuple(self.rows[number] for number in numbers))


def _score_values(row: Row) -> list[int]:
    """Return the score of a row, with -1 for every unread part."""
    return [-1 if part is None else part for part in row.score]


class Judge:
    """Judge games, and cache their rows between calls."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.caches: dict[str, RowCache] = {}
        self.latest_game = ""
        """The name of the last game that the kernel parsed (see audit.py); most logs have only
        one game, so that the next block probably has it, too."""
        self.weights_of: dict[Game, Weights] = {}

    def judge(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """Return one flat dictionary per record, in order. Rejected ones have the key `fault`."""
        result_of: dict[int, dict[str, Any]] = {}
        # By game: the index of each record and the numbers of its rows
        boards: dict[str, list[tuple[int, list[int]]]] = {}
        for index, record in enumerate(records):
            if record.fault:
                result_of[index] = self._rejection(record, record.fault)
                continue
            try:
                name, numbers = self._read(record.text)
            except MmsatError as error:
                result_of[index] = self._rejection(record, str(error))
            else:
                boards.setdefault(name, []).append((index, numbers))
        with_reasons = self.request.depth != "verdict"
        for name, games in boards.items():
            cache = self.caches[name]
            try:
                judgments = cache.judge(
                    [numbers for _, numbers in games], with_reasons=with_reasons
                )
            except MmsatError:  # judge the games separately below, to find the invalid one
                judgments = None
            for position, (index, numbers) in enumerate(games):
                try:
                    if judgments:
                        judgment = judgments[position]
                    else:
                        (judgment,) = cache.judge([numbers], with_reasons=with_reasons)
                    result_of[index] = self._make_record(records[index], cache, numbers, judgment)
                except MmsatError as error:
                    result_of[index] = self._rejection(records[index], str(error))
            if len(cache.rows) > MAX_CACHED_ROWS:
                cache.clear()
        if len(self.caches) > MAX_CACHED_GAMES:
            self.caches.clear()
        return [result_of[index] for index in range(len(records))]

    def _read(self, text: str) -> tuple[str, list[int]]:
        """Return the name of the game of a board, and the numbers of its rows in the cache.

        In a board line, rows that are in the cache are not parsed again.
        """
        name, *pieces = text.strip().split("/")
        cache = self.caches.get(name)
        if cache is None or not is_line(text):
            return self._parse(text)
        if pieces and not pieces[-1]:  # the line ends with a slash
            pieces.pop()
        number_of = cache.numbers
        try:
            return name, [
                number_of[piece] if piece in number_of else cache.number(piece) for piece in pieces
            ]
        except InputError:
            return self._parse(text)

    def _parse(self, text: str) -> tuple[str, list[int]]:
        """Return the same as `_read` for a board in any notation, parsing all its rows."""
        board = self._parse_board(text).without_known("an audit")
        name, print_row = str(board.game), speller(board.game).print_row
        cache = self.caches.setdefault(name, RowCache(board.game))
        return name, [cache.number(print_row(row)) for row in board.rows]

    def _parse_board(self, text: str) -> Board:
        """Return the board of a text; if it names no game, a board of the requested game."""
        if not self.request.game:
            return Board.parse(text, files=True)
        try:
            with catch_warnings():
                # Raise the warning that a game is assumed, instead of printing it.
                simplefilter("error", GameWarning)
                return Board.parse(text, files=True)
        except GameWarning:
            return Board.parse(add_game(text, self.request.game), files=True)
        except InputError:
            try:
                return Board.parse(add_game(text, self.request.game), files=True)
            except InputError:
                pass  # the text names a game, and has the errors that were found first
            raise

    def _rejection(self, record: Record, fault: str) -> dict[str, Any]:
        """Return the line of a record that cannot be judged."""
        result = {"record": record.number, "source": record.source, "id": record.id}
        return {**result, "text": record.text, "fault": fault}

    def weights(self, game: Game) -> Weights:
        """Return the weights of a game's codes; raise InputError if they do not fit the game."""
        if game not in self.weights_of:
            self.weights_of[game] = Weights.parse(game, self.request.weights)
        return self.weights_of[game]

    def _make_record(
        self, record: Record, cache: RowCache, numbers: list[int], judgment: Judgment
    ) -> dict[str, Any]:
        """Return the output record of a game, given the numbers of its rows in the cache."""
        result = common_entries(record, cache.name, len(numbers), judgment.codes)
        recorded_slip = record.slip
        if recorded_slip is None and record.secret:
            recorded_slip = find_slip(cache.board(numbers), record.secret)
        if recorded_slip is not None:
            row, true_score = recorded_slip
            if not 1 <= row <= len(numbers):
                expected = f"a row from 1 to {len(numbers)}"
                raise InputError.of("the recorded error", expected, row)
            result |= slip_entries(cache.game, row, cache.rows[numbers[row - 1]].score, true_score)
        if self.request.depth == "verdict" and not self.request.weights:
            return result
        board = cache.board(numbers)
        weights = self.weights(cache.game) if self.request.weights else None
        if weights is not None:
            weighed = count(board, weights=weights)
            # With weights, the result is a WeighedCount; the annotation of `count` is only Count.
            result |= {"weighed": str(weighed.count), "weight": str(getattr(weighed, "weight", ""))}
        if self.request.depth == "verdict":
            return result
        result |= {
            "board": str(board),
            "impossible": judgment.impossible,
            **judgment.reason_entries,
        }
        if not judgment.codes:
            result |= unlisted_entry(board)
        # A game with unread pegs cannot be reviewed.
        if self.request.depth == "review" and not board.has_unread_pegs:
            game_review = review(board, seed=0, weights=weights)
            bits = game_review.luck_bits
            result |= {
                "skill": None if game_review.skill is None else round(float(game_review.skill), 6),
                "luck_bits": None if bits is None else round(bits, 6),
                "loss": None if game_review.loss is None else str(game_review.loss),
                "by": game_review.measure,
            }
        return result


def add_game(text: str, game: str) -> str:
    """Return the text of a board that names no game, with a game."""
    text = text.strip()
    if text.startswith("{"):
        return f'{{"game": {json.dumps(game)}, {text[1:]}'
    return f"{game}\n{text}" if "\n" in text else f"{game}/{text}"


def common_entries(record: Record, game: str, rows: int, codes: int) -> dict[str, Any]:
    """Return the entries that the record of every game has."""
    return {
        "record": record.number,
        "source": record.source,
        "id": record.id,
        "verdict": "consistent" if codes else "inconsistent",
        "game": game,
        "rows": rows,
        "codes": str(codes),
    }


def unlisted_entry(board: Board) -> dict[str, str]:
    """Return the entry `unlisted`: a code that gives all scores but is not in the word list.

    Return an empty dictionary if there is no such code.
    """
    code = find_unlisted(board, is_brief=True)
    return {} if code is None else {"unlisted": speller(board.game).print_code(code)}


def find_slip(board: Board, secret: str) -> tuple[int, str] | None:
    """Return the first row, from 1, with another score than that of the secret, and this score.

    Return None if there is no such row. Raises InputError if `secret` is not a code of the game.
    """
    game = board.game
    code = speller(game).parse_code(secret, "the secret", board.conventions)
    if not game.contains(code):
        raise InputError.of("the secret", f"a code of {game}", secret, game.space.summary)
    for row_index in board.missed(code):
        true_score = rescore(game, code, board.rows[row_index])[0]
        return row_index + 1, speller(game).print_score(true_score)
    return None


def slip_entries(game: Game, row: int, recorded_score: Score, true_score: str) -> dict[str, Any]:
    """Return the entries of a slip that the log records.

    They are its row, from 1, the true score, and the kind of slip.
    """
    faults: list[Any] = []
    score = speller(game).read_score(true_score, Place(1, 1), faults)
    if score is None:
        raise InputError(faults, "the recorded error")
    return {
        "true_row": row,
        "true": true_score,
        "true_slip": slip(recorded_score, score, game).words,
    }
