"""Games of a log judged in bulk: a flat record each, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from mmsat.auditing.arrays import Batch, count_one, find_batch
from mmsat.auditing.reasons import find_reasons
from mmsat.auditing.sources import Record
from mmsat.board import Board
from mmsat.diagnosis.slips import slip
from mmsat.enumeration.count import count
from mmsat.errors import Fault, InputError, MmsatError, Place
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.notation.line import is_line
from mmsat.notation.speller import speller
from mmsat.reviewing.review import review
from mmsat.weights import Weights

REMEMBERED = 1 << 18
"""Rows of a game that are kept, by their text, so that none is read twice."""
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
        self.batch: Batch | None = find_batch(game)
        self.name = str(game)
        self.forget()

    def number(self, text: str) -> int:
        """The number of a row; raises InputError for what is none."""
        found = self.numbers.get(text)
        if found is not None:
            return found
        faults: list[Any] = []
        row = speller(self.game).read_row(text, Place(1, 1), faults)
        if row is None or faults:
            raise InputError(faults, "the board line")
        self.numbers[text] = len(self.rows)
        self.rows.append(row)
        return len(self.rows) - 1

    def forget(self) -> None:
        """Begin anew."""
        import numpy as np  # noqa: PLC0415  (loads when needed)

        self.numbers: dict[str, int] = {}
        self.rows: list[Row] = []
        self.asked = self.answers = np.zeros(0, dtype=np.uint8)
        self.slow = np.zeros(0, dtype=bool)

    def count(self, boards: Sequence[Sequence[int]]) -> list[int]:
        """How many codes each board leaves, given the numbers of its rows."""
        import numpy as np  # noqa: PLC0415  (loads when needed)

        if self.batch is None:
            return [count_one(self.board(board)) for board in boards]
        self._translate(self.batch)
        flat = np.fromiter(chain.from_iterable(boards), dtype=np.int64)
        starts = np.cumsum([0, *map(len, boards)], dtype=np.int64)
        asked, answers = self.asked[flat], self.answers[flat]
        found: list[int] = self.batch.count(asked, answers, starts, any_will_do=False).tolist()
        slow = np.flatnonzero(self.slow[flat])
        one_by_one = {*(np.searchsorted(starts, slow, side="right") - 1).tolist()}
        for index in one_by_one.union(np.flatnonzero(starts[1:] == starts[:-1]).tolist()):
            found[index] = count_one(self.board(boards[index]))
        return found

    def _translate(self, batch: Batch) -> None:
        """Bring the rows that are new into the form of the kernel."""
        import numpy as np  # noqa: PLC0415

        new = self.rows[len(self.slow) :]
        if new:
            guesses = np.array([row.guess for row in new])
            made = batch.translate(guesses, np.array([*map(_plain, new)]))
            known = self.asked, self.answers, self.slow
            joined = [
                np.concatenate(each) if len(each[0]) else each[1]
                for each in zip(known, made, strict=True)
            ]
            self.asked, self.answers, self.slow = joined

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
        self.weights_of: dict[Game, Weights] = {}

    def judge(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """A flat dictionary for each, in order; those that cannot be read have the key `fault`."""
        found: dict[int, dict[str, Any]] = {}
        boards: dict[str, list[tuple[int, list[int]]]] = {}
        for index, record in enumerate(records):
            try:
                name, numbers = self._read(record.text)
            except MmsatError as error:
                found[index] = self._refuse(record, error)
            else:
                boards.setdefault(name, []).append((index, numbers))
        for name, some in boards.items():
            rows = self.known[name]
            try:
                counts = rows.count([numbers for _, numbers in some])
            except MmsatError:  # one by one, to tell which
                counts = None
            for position, (index, numbers) in enumerate(some):
                try:
                    many = rows.count([numbers])[0] if counts is None else counts[position]
                    found[index] = self._tell(records[index], rows, numbers, many)
                except MmsatError as error:
                    found[index] = self._refuse(records[index], error)
            if len(rows.rows) > REMEMBERED:
                rows.forget()
        return [found[index] for index in range(len(records))]

    def _read(self, text: str) -> tuple[str, list[int]]:
        """The game of a board and the numbers of its rows."""
        name, *pieces = text.strip().split("/")
        rows = self.known.get(name)
        if rows is None or not is_line(text):
            board = Board.parse(text, files=self.request.files).without_known("an audit")
            name, pieces = str(board.game), str(board).split("/")[1:]
            if ":" in name:  # the name of a file may have slashes
                spell = speller(board.game)
                pieces = [spell.print_row(row) for row in board.rows]
            if name not in self.known:
                self.known[name] = Rows(board.game)
            rows = self.known[name]
        if pieces and not pieces[-1]:
            pieces.pop()
        known = rows.numbers
        return name, [known[each] if each in known else rows.number(each) for each in pieces]

    def _refuse(self, record: Record, error: MmsatError) -> dict[str, Any]:
        told = {"record": record.number, "source": record.source, "id": record.id}
        return {**told, "text": record.text, "fault": str(error)}

    def weights(self, game: Game) -> Weights:
        """The weights of a game's codes; raises InputError where they are not for it."""
        if game not in self.weights_of:
            self.weights_of[game] = Weights.parse(game, self.request.weights)
        return self.weights_of[game]

    def _know(self, rows: Rows, numbers: list[int], row: int, true: str) -> dict[str, Any]:
        """What the log knows: the row, from 1, its true score, and what kind of slip that is."""
        faults: list[Any] = []
        score = speller(rows.game).read_score(true, Place(1, 1), faults)
        if score is None or not 1 <= row <= len(numbers):
            raise InputError(faults or [Fault("a slip is in a row", row, "its number")], "the slip")
        made = slip(rows.rows[numbers[row - 1]].score, score, rows.game)
        return {"true_row": row, "true": true, "true_slip": made.words}

    def _tell(self, record: Record, rows: Rows, numbers: list[int], many: int) -> dict[str, Any]:
        """What is told of a game that left so many codes."""
        told: dict[str, Any] = {
            "record": record.number,
            "source": record.source,
            "id": record.id,
            "verdict": "consistent" if many else "inconsistent",
            "game": rows.name,
            "rows": len(numbers),
            "codes": str(many),
        }
        if record.slip is not None:
            told |= self._know(rows, numbers, *record.slip)
        if self.request.depth == "verdict" and not self.request.weights:
            return told
        board = rows.board(numbers)
        weights = self.weights(rows.game) if self.request.weights else None
        if weights is not None:
            weighed = count(board, weights=weights)
            told |= {"weighed": str(weighed.count), "weight": str(getattr(weighed, "weight", ""))}
        if self.request.depth == "verdict":
            return told
        told["board"] = str(board)
        told["impossible"] = " ".join(str(row + 1) for row in board.inconsistent_guesses())
        if not many:
            told |= why(board)
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


def why(board: Board) -> dict[str, Any]:
    """A conflict and the most plausible cheapest correction, in flat words."""
    conflict, correction = find_reasons(board)
    told: dict[str, Any] = {}
    if conflict is not None:
        told["conflict"] = " ".join(str(row + 1) for row in conflict.rows)
    if correction is not None:
        spell = speller(board.game).print_score
        first = correction.changes[0]
        told |= {
            "changed": correction.cost,
            "row": first.row + 1,
            "from": spell(first.before),
            "to": spell(first.after),
            "slip": first.slip,
        }
    return told
