"""Judge the games of a log in bulk: one flat record per game, or its faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from mmsat._util import np
from mmsat.auditing import Record
from mmsat.auditing.batch import (
    EncodedRows,
    Judgment,
    find_batch,
    is_batch_worthwhile,
    judge_boards,
    judge_one,
)
from mmsat.counting.count import count
from mmsat.diagnosis.check import find_unlisted
from mmsat.diagnosis.corrections import slip
from mmsat.errors import InputError, MmsatError, Place
from mmsat.game import UNREAD, Row, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.board_text import is_line
from mmsat.game.weights import Weights
from mmsat.play.review import review

MAX_CACHED_ROWS = 1 << 16
"""Maximum number of cached rows of a game. If there are more, all of them are dropped."""
MAX_CACHED_GAMES = 64
"""Maximum number of games whose rows are cached. If there are more, all are dropped."""
DEPTHS = ("verdict", "reasons", "review")
"""Levels of detail. "verdict": the verdict and the number of codes. "reasons": also conflicts,
corrections and impossible guesses. "review": also skill and luck."""
COLUMNS = (
    *("record", "source", "id", "board", "game", "rows", "verdict", "codes", "conflict"),
    *(
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
    ),
)
"""The keys of a record, in the order of the columns of a table."""


class Request(NamedTuple):
    """Options that apply to every game. They are small, because they are sent to every process."""

    depth: str = "reasons"
    files: bool = True
    """Whether a board may name a file, such as `word:FILE`."""
    weights: str = ""
    """The weights of the codes in the format of `Weights.parse`; "" if they are equally likely."""


class RowCache:
    """Cache of the rows of one game. The rows are numbered, and encoded for the kernel."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = str(game)
        self.has_complete_guess = False
        self.clear()

    def number(self, text: str) -> int:
        """Return the number of the row in printed form; raise InputError for any other text."""
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
        self.rows: list[Row] = []
        self.encoded: EncodedRows | None = None

    def judge(self, boards: Sequence[Sequence[int]], *, reasons: bool) -> list[Judgment]:
        """Return the judgments of boards, given the numbers of their rows.

        Boards are judged one by one if every cached guess has unread pegs, or if the boards have
        few rows in total and no reasons are requested.
        """
        needs_batch = reasons or is_batch_worthwhile(self.game, sum(map(len, boards)))
        batch = find_batch(self.game) if self.has_complete_guess and needs_batch else None
        if batch is None:
            return [judge_one(self.board(numbers), reasons=reasons) for numbers in boards]
        encoded = [] if self.encoded is None else [self.encoded]
        new = self.rows[len(encoded[0].guesses) if encoded else 0 :]
        if new or not encoded:
            game, num_new = self.game, len(new)
            guesses = np.array([row.guess for row in new]).reshape(num_new, game.pegs)
            scores = np.array([*map(_score_values, new)]).reshape(num_new, len(game.parts))
            encoded = [EncodedRows.join([*encoded, batch.translate(guesses, scores)])]
            self.encoded = encoded[0]
        return judge_boards(
            batch,
            encoded[0].select(np.fromiter(chain.from_iterable(boards), dtype=np.int64)),
            np.cumsum([0, *map(len, boards)], dtype=np.int64),
            lambda index: self.board(boards[index]),
            reasons=reasons,
        )

    def board(self, numbers: Iterable[int]) -> Board:
        """Return the board with the rows of these numbers."""
        return Board(self.game, tuple(self.rows[number] for number in numbers))


def _score_values(row: Row) -> list[int]:
    """Return the score of a row, with -1 for every unread part."""
    return [-1 if part is None else part for part in row.score]


class Judge:
    """Judges games, and caches their rows between calls."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.caches: dict[str, RowCache] = {}
        self.latest = ""
        """The name of the game that was read last."""
        self.weights_of: dict[Game, Weights] = {}

    def judge(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """Return one flat dictionary per record, in order. Rejected ones have the key `fault`."""
        result_of: dict[int, dict[str, Any]] = {}
        # by game: the index of each record and the numbers of its rows
        boards: dict[str, list[tuple[int, list[int]]]] = {}
        for index, record in enumerate(records):
            if record.fault:
                result_of[index] = self._refuse(record, record.fault)
                continue
            try:
                name, numbers = self._read(record.text)
            except MmsatError as error:
                result_of[index] = self._refuse(record, str(error))
            else:
                boards.setdefault(name, []).append((index, numbers))
        reasons = self.request.depth != "verdict"
        for name, games in boards.items():
            cache = self.caches[name]
            try:
                judgments = cache.judge([numbers for _, numbers in games], reasons=reasons)
            except MmsatError:  # judge the games separately below, to find the invalid one
                judgments = None
            for position, (index, numbers) in enumerate(games):
                try:
                    current = judgments or cache.judge([numbers], reasons=reasons)
                    judgment = current[position if judgments else 0]
                    result_of[index] = self._make_record(records[index], cache, numbers, judgment)
                except MmsatError as error:
                    result_of[index] = self._refuse(records[index], str(error))
            if len(cache.rows) > MAX_CACHED_ROWS:
                cache.clear()
        if len(self.caches) > MAX_CACHED_GAMES:
            self.caches.clear()
        return [result_of[index] for index in range(len(records))]

    def _read(self, text: str) -> tuple[str, list[int]]:
        """Return the name of the game of a board, and the numbers of its rows in the cache.

        Rows of a board line that were cached before are not parsed again.
        """
        name, *pieces = text.strip().split("/")
        cache = self.caches.get(name)
        if cache is None or not is_line(text):
            return self._parse(text)
        if pieces and not pieces[-1]:
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
        board = Board.parse(text, files=self.request.files).without_known("an audit")
        name, print_row = str(board.game), speller(board.game).print_row
        cache = self.caches.setdefault(name, RowCache(board.game))
        return name, [cache.number(print_row(row)) for row in board.rows]

    def _refuse(self, record: Record, fault: str) -> dict[str, Any]:
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
        result = common_keys(record, cache.name, len(numbers), judgment.codes)
        if record.slip is not None:
            row, true_score = record.slip
            if not 1 <= row <= len(numbers):
                expected = f"a row from 1 to {len(numbers)}"
                raise InputError.of("the recorded error", expected, row)
            result |= slip_keys(cache.game, row, cache.rows[numbers[row - 1]].score, true_score)
        if self.request.depth == "verdict" and not self.request.weights:
            return result
        board = cache.board(numbers)
        weights = self.weights(cache.game) if self.request.weights else None
        if weights is not None:
            weighed = count(board, weights=weights)
            result |= {"weighed": str(weighed.count), "weight": str(getattr(weighed, "weight", ""))}
        if self.request.depth == "verdict":
            return result
        result |= {"board": str(board), "impossible": judgment.impossible, **judgment.why}
        if not judgment.codes:
            result |= unlisted_keys(board)
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


def common_keys(record: Record, game: str, rows: int, codes: int) -> dict[str, Any]:
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


def unlisted_keys(board: Board) -> dict[str, str]:
    """Return the entry `unlisted`, a code outside the word list that gives all scores, if any."""
    code = find_unlisted(board, is_brief=True)
    return {} if code is None else {"unlisted": speller(board.game).print_code(code)}


def slip_keys(game: Game, row: int, recorded_score: Score, true_score: str) -> dict[str, Any]:
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
