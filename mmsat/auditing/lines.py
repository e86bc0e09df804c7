"""Lines of JSON judged in bulk.

The kernel reads those in the shape that programs write, `{"id": "7", "board": "4x6/1122=1.1"}` with
boards as mmsat prints them, straight into arrays. Whatever else a line may be is left to `Judge`,
which knows all notations and tells every fault; what is told is the same either way.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from mmsat._core import Spelling, read_lines
from mmsat.arrays import Array, np
from mmsat.auditing.batch import Asked, Batch, are_enough, find_batch, has_batch
from mmsat.auditing.judge import Judge, describe_unlisted, head, known_slip
from mmsat.auditing.records import Block, Record
from mmsat.auditing.summary import Summary
from mmsat.auditing.told import Told, as_lines
from mmsat.auditing.verdicts import Judgment, are_odd, judge_plain, take_boards
from mmsat.board import Board
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.notation.speller import speller

OTHER, CAREFUL, BLANK, READ = range(4)
"""What the kernel finds a line to be: of another game, left to `Judge`, blank, or read."""
PLACES, ROWS = 8, 4
"""Where the id and the board begin and end, how many rows, the row of a slip, and where its score
begins and ends."""
GAMES = 32
"""Games of some lines that the kernel reads at most."""
NONE = 255
"""What stands for no color, mark or digit."""


def judge_block(judge: Judge, block: Block) -> Told:
    """Judge some lines."""
    if judge.request.depth == "review" or judge.request.weights:
        return Told.of(judge.judge([*block.records()]))
    return _Lines(judge, block).judge()


class _Read(NamedTuple):
    """Lines of one game, with their boards and what is known of them."""

    name: str
    batch: Batch
    lines: Array
    asked: Asked
    starts: Array
    verdicts: list[Judgment]


class _Lines:
    """Some lines, and what is told of each."""

    def __init__(self, judge: Judge, block: Block) -> None:
        self.careful, self.block = judge, block
        self.reasons = judge.request.depth == "reasons"
        self.text = block.text.decode("latin-1")  # a character a byte
        ends = np.flatnonzero(np.frombuffer(block.text, dtype=np.uint8) == ord("\n"))
        if not block.text.endswith(b"\n"):
            ends = np.append(ends, len(block.text))
        self.ends = ends.astype(np.int64)
        self.kinds = np.full(len(ends), OTHER, dtype=np.uint8)
        self.places = np.zeros((len(ends), PLACES), dtype=np.int64)
        self.told = [""] * len(ends)
        self.bad: list[dict[str, Any]] = []
        self.summary = Summary()

    def judge(self) -> Told:
        """Judge them all."""
        read = []
        name = self.careful.latest
        for _ in range(GAMES):
            if (found := self._read(name)) is not None:
                read.append(found)
            others = np.flatnonzero(self.kinds == OTHER)
            if not len(others):
                break
            self.careful.latest = name = self._board(others[0]).split("/", 1)[0]
        self.kinds[self.kinds == OTHER] = CAREFUL
        is_record = self.kinds != BLANK
        self.numbers = self.block.number - 1 + np.cumsum(is_record)
        for each in read:
            self._tell(each)
        self._judge_carefully(np.flatnonzero(self.kinds == CAREFUL).tolist())
        good = "\n".join([*filter(None, self.told), ""])
        return Told(int(is_record.sum()), good.encode(), as_lines(self.bad), self.summary)

    def _board(self, line: int) -> str:
        begin, end = self.places[line, 2:4].tolist()
        return self.text[begin:end]

    def _read(self, name: str) -> _Read | None:
        """Read and judge the lines of a game, as far as the kernel can."""
        game, spelling = find_spelling(name)
        pegs, parts = (0, 0) if game is None else (game.pegs, len(game.parts))
        most = self.block.text.count(b"=") if game else 0
        guesses, scores = (np.empty((most, each), dtype=np.uint8) for each in (pegs, parts))
        is_new = self.kinds == OTHER
        many = read_lines(
            self.block.text, self.ends, spelling, self.kinds, self.places, guesses, scores
        )
        lines = np.flatnonzero(is_new & (self.kinds == READ))
        batch = None
        if game is not None and many and (self.reasons or are_enough(game, many)):
            batch = find_batch(game)
        if batch is None:
            self.kinds[lines] = CAREFUL
            return None
        starts = np.concatenate(([0], np.cumsum(self.places[lines, ROWS])))
        asked = batch.translate(guesses[:many], scores[:many])
        is_odd = are_odd(batch, asked, starts, reasons=self.reasons)
        self.kinds[lines[is_odd]] = CAREFUL
        asked, starts = take_boards(asked, starts, np.flatnonzero(~is_odd))
        verdicts = judge_plain(batch, asked, starts, reasons=self.reasons)
        return _Read(name, batch, lines[~is_odd], asked, starts, verdicts)

    def _tell(self, read: _Read) -> None:
        """Tell of games that were read: consistent ones at once, others key by key."""
        text, game = self.text, json.dumps(read.name)
        source = json.dumps(f"{self.block.path}:")[:-1]
        lines = read.lines.tolist()
        numbers = self.numbers[read.lines].tolist()
        places = self.places[read.lines].T.tolist()
        others = []
        impossible = 0
        for index, (line, number, begin, end, board, board_end, rows, slip, verdict) in enumerate(
            zip(lines, numbers, *places[: ROWS + 2], read.verdicts, strict=True)
        ):
            if slip or not verdict.codes:
                others.append(index)
                continue
            more = ""
            if self.reasons:
                more = f', "board": "{text[board:board_end]}", "impossible": "{verdict.impossible}"'
                impossible += bool(verdict.impossible)
            self.told[line] = (
                f'{{"record": {number}, "source": {source}{self.block.line + line}", '
                f'"id": "{text[begin:end]}", "verdict": "consistent", "game": {game}, '
                f'"rows": {rows}, "codes": "{verdict.codes}"{more}}}'
            )
        self.summary.add_plain(len(lines) - len(others), impossible)
        self.summary.add(self._tell_one(read, index) for index in others)

    def _tell_one(self, read: _Read, index: int) -> dict[str, Any]:
        line, verdict = int(read.lines[index]), read.verdicts[index]
        begin, end, _, _, rows, slip, right, right_end = self.places[line].tolist()
        source = f"{self.block.path}:{self.block.line + line}"
        board = self._board(line)
        record = Record(int(self.numbers[line]), source, self.text[begin:end], board)
        told = head(record, read.name, rows, verdict.codes)
        if slip:
            said = read.asked.scores[read.starts[index] + slip - 1]
            true = self.text[right:right_end]
            told |= known_slip(read.batch.game, slip, read.batch.told[said], true)
        if self.reasons:
            told |= {"board": board, "impossible": verdict.impossible, **verdict.why}
            if not verdict.codes and read.batch.game.space.table() is not None:
                told |= describe_unlisted(Board.parse(board, files=False))
        self.told[line] = json.dumps(told)
        return told

    def _judge_carefully(self, lines: list[int]) -> None:
        records = [*self.block.records(frozenset(lines))] if lines else []
        told = self.careful.judge(records)
        self.summary.add(told)
        for line, each in zip(lines, told, strict=True):
            if "fault" in each:
                self.bad.append(each)
            else:
                self.told[line] = json.dumps(each)


@lru_cache(maxsize=64)
def find_spelling(name: str) -> tuple[Game | None, Spelling]:
    """A game and how it is spelled; no game where its boards are left to `Judge`."""
    colors, signs = (np.full(256, NONE, dtype=np.uint8) for _ in range(2))
    game = _find(name)
    if game is None:
        return None, Spelling(name, 0, 0, False, colors, signs)
    marks = game.scoring.marks
    symbols = [mark.symbol for mark in marks] or [*map(str, range(min(game.pegs, 9) + 1))]
    for table, names in ((colors, speller(game).symbols), (signs, symbols)):
        for number, symbol in enumerate(names):
            table[ord(symbol)] = number
    return game, Spelling(name, game.pegs, len(game.parts), bool(marks), colors, signs)


def _find(name: str) -> Game | None:
    """A game that lies in no file, with a plain character for each color, that has a batch."""
    if ":" in name:
        return None
    try:
        game = find_game(name, files=False)
    except InputError:
        return None
    symbols = speller(game).symbols
    is_plain = all(len(each) == 1 and each.isascii() and each.isalnum() for each in symbols)
    is_plain &= all(mark.symbol.isascii() for mark in game.scoring.marks)
    return game if symbols and is_plain and str(game) == name and has_batch(game) else None
