"""Games of a log judged in bulk: a flat record each, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from mmsat.arrays import np
from mmsat.auditing.batch import Asked, are_enough, find_batch
from mmsat.auditing.records import Record
from mmsat.auditing.verdicts import Judgment, judge_boards, judge_one
from mmsat.board import Board
from mmsat.diagnosis.slips import slip
from mmsat.diagnosis.unlisted import find_unlisted
from mmsat.enumeration.count import count
from mmsat.errors import InputError, MmsatError, Place
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row, Score
from mmsat.notation.line import is_line
from mmsat.notation.speller import speller
from mmsat.reviewing.review import review
from mmsat.weights import Weights

REMEMBERED = 1 << 16
"""Rows of a game that are kept, by their text, so that none is read twice."""
GAMES = 64
"""Games that are kept."""
DEPTHS = ("verdict", "reasons", "review")
"""What is told of a game: its verdict and the codes left; also why not; also skill and luck."""
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


class Request(NamedTuple):
    """What is asked of every game; small, as it is sent to every process."""

    depth: str = "reasons"
    files: bool = True
    """Whether a board may name a file, such as `word:FILE`."""
    weights: str = ""
    """How likely codes are, as `Weights.parse` reads it, where not equally."""


class Rows:
    """The rows of one game that were read so far, numbered, as the kernel has them."""

    def __init__(self, game: Game) -> None:
        """Nothing is read yet."""
        self.game = game
        self.name = str(game)
        self.is_read = False
        self.forget()

    def number(self, text: str) -> int:
        """The number of a row as it is printed; raises InputError for any other text."""
        found = self.numbers.get(text)
        if found is not None:
            return found
        faults: list[Any] = []
        spell = speller(self.game)
        row = spell.read_row(text, Place(1, 1), faults)
        if row is None or spell.print_row(row) != text:
            raise InputError(faults, "the board line")
        self.numbers[text] = len(self.rows)
        self.rows.append(row)
        self.is_read |= UNREAD not in row.guess
        return len(self.rows) - 1

    def forget(self) -> None:
        """Begin anew."""
        self.numbers: dict[str, int] = {}
        self.rows: list[Row] = []
        self.asked: Asked | None = None

    def judge(self, boards: Sequence[Sequence[int]], *, reasons: bool) -> list[Judgment]:
        """The verdicts of boards, given the numbers of their rows.

        Those of few rows, or without any guess that was read whole, need no batch.
        """
        are_many = reasons or are_enough(self.game, sum(map(len, boards)))
        batch = find_batch(self.game) if self.is_read and are_many else None
        if batch is None:
            return [judge_one(self.board(each), reasons=reasons) for each in boards]
        known = [] if self.asked is None else [self.asked]
        new = self.rows[len(known[0].guesses) if known else 0 :]
        if new or not known:
            game, many = self.game, len(new)
            guesses = np.array([row.guess for row in new]).reshape(many, game.pegs)
            scores = np.array([*map(_plain, new)]).reshape(many, len(game.parts))
            known = [Asked.join([*known, batch.translate(guesses, scores)])]
            self.asked = known[0]
        return judge_boards(
            batch,
            known[0].take(np.fromiter(chain.from_iterable(boards), dtype=np.int64)),
            np.cumsum([0, *map(len, boards)], dtype=np.int64),
            lambda index: self.board(boards[index]),
            reasons=reasons,
        )

    def board(self, numbers: Iterable[int]) -> Board:
        """The board of some rows."""
        return Board(self.game, tuple(self.rows[number] for number in numbers))


def _plain(row: Row) -> list[int]:
    return [-1 if part is None else part for part in row.score]


class Judge:
    """Judges games; keeps what it learned of their rows."""

    def __init__(self, request: Request) -> None:
        """Nothing is known yet."""
        self.request = request
        self.known: dict[str, Rows] = {}
        self.latest = ""
        """The game that was read last."""
        self.weights_of: dict[Game, Weights] = {}

    def judge(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """A flat dictionary for each, in order; those that cannot be read have the key `fault`."""
        found: dict[int, dict[str, Any]] = {}
        boards: dict[str, list[tuple[int, list[int]]]] = {}
        for index, record in enumerate(records):
            if record.fault:
                found[index] = self._refuse(record, record.fault)
                continue
            try:
                name, numbers = self._read(record.text)
            except MmsatError as error:
                found[index] = self._refuse(record, str(error))
            else:
                boards.setdefault(name, []).append((index, numbers))
        reasons = self.request.depth != "verdict"
        for name, some in boards.items():
            rows = self.known[name]
            try:
                every = rows.judge([numbers for _, numbers in some], reasons=reasons)
            except MmsatError:  # one by one, to tell which
                every = None
            for position, (index, numbers) in enumerate(some):
                try:
                    one = every or rows.judge([numbers], reasons=reasons)
                    verdict = one[position if every else 0]
                    found[index] = self._tell(records[index], rows, numbers, verdict)
                except MmsatError as error:
                    found[index] = self._refuse(records[index], str(error))
            if len(rows.rows) > REMEMBERED:
                rows.forget()
        if len(self.known) > GAMES:
            self.known.clear()
        return [found[index] for index in range(len(records))]

    def _read(self, text: str) -> tuple[str, list[int]]:
        """The game of a board and the numbers of its rows."""
        name, *pieces = text.strip().split("/")
        rows = self.known.get(name)
        if rows is None or not is_line(text):
            return self._parse(text)
        if pieces and not pieces[-1]:
            pieces.pop()
        known = rows.numbers
        try:
            return name, [known[each] if each in known else rows.number(each) for each in pieces]
        except InputError:
            return self._parse(text)

    def _parse(self, text: str) -> tuple[str, list[int]]:
        """The same for a board in any notation, of which all rows are read together."""
        board = Board.parse(text, files=self.request.files).without_known("an audit")
        name, print_row = str(board.game), speller(board.game).print_row
        rows = self.known.setdefault(name, Rows(board.game))
        return name, [rows.number(print_row(row)) for row in board.rows]

    def _refuse(self, record: Record, fault: str) -> dict[str, Any]:
        told = {"record": record.number, "source": record.source, "id": record.id}
        return {**told, "text": record.text, "fault": fault}

    def weights(self, game: Game) -> Weights:
        """The weights of a game's codes; raises InputError where they are not for it."""
        if game not in self.weights_of:
            self.weights_of[game] = Weights.parse(game, self.request.weights)
        return self.weights_of[game]

    def _tell(
        self, record: Record, rows: Rows, numbers: list[int], verdict: Judgment
    ) -> dict[str, Any]:
        """What is told of a game."""
        told = head(record, rows.name, len(numbers), verdict.codes)
        if record.slip is not None:
            row, true = record.slip
            if not 1 <= row <= len(numbers):
                raise InputError.of("the slip", "its number", row, "a slip is in a row")
            told |= known_slip(rows.game, row, rows.rows[numbers[row - 1]].score, true)
        if self.request.depth == "verdict" and not self.request.weights:
            return told
        board = rows.board(numbers)
        weights = self.weights(rows.game) if self.request.weights else None
        if weights is not None:
            weighed = count(board, weights=weights)
            told |= {"weighed": str(weighed.count), "weight": str(getattr(weighed, "weight", ""))}
        if self.request.depth == "verdict":
            return told
        told |= {"board": str(board), "impossible": verdict.impossible, **verdict.why}
        if not verdict.codes:
            told |= describe_unlisted(board)
        if self.request.depth == "review" and not board.has_unread_pegs:
            found = review(board, seed=0, weights=weights)
            bits = found.luck_bits
            told |= {
                "skill": None if found.skill is None else round(float(found.skill), 6),
                "luck_bits": None if bits is None else round(bits, 6),
                "loss": None if found.loss is None else str(found.loss),
                "by": found.measure,
            }
        return told


def head(record: Record, game: str, rows: int, codes: int) -> dict[str, Any]:
    """What is told of every game."""
    return {
        "record": record.number,
        "source": record.source,
        "id": record.id,
        "verdict": "consistent" if codes else "inconsistent",
        "game": game,
        "rows": rows,
        "codes": str(codes),
    }


def describe_unlisted(board: Board) -> dict[str, str]:
    """Return the record's key for a code outside the word list that gets the scores, if any."""
    code = find_unlisted(board, is_brief=True)
    return {} if code is None else {"unlisted": speller(board.game).print_code(code)}


def known_slip(game: Game, row: int, said: Score, true: str) -> dict[str, Any]:
    """What the log knows: the row, from 1, its true score, and what kind of slip that is."""
    faults: list[Any] = []
    score = speller(game).read_score(true, Place(1, 1), faults)
    if score is None:
        raise InputError(faults, "the slip")
    return {"true_row": row, "true": true, "true_slip": slip(said, score, game).words}
