"""Bulk evaluation of lines of JSON.

The kernel parses lines in the form that programs write, `{"id": "7", "board": "4x6/1122=1.1"}` with
boards as mmsat prints them, directly into arrays. All other lines are left to `Judge`, which knows
all notations and reports every fault. The records are the same either way.
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
"""State of a line after the kernel parsed it: of another game, left to `Judge`, blank, or read."""
PLACES, ROWS = 8, 4
"""Number of integers that the kernel returns for each line, and the index of the number of rows.

The integers are the start and end of the id, the start and end of the board, the number of rows,
the row of the slip, and the start and end of its true score.
"""
GAMES = 32
"""Maximum number of games in a block for which the kernel parses lines."""
NONE = 255
"""Table entry for characters that are not a color, a mark or a digit."""


def judge_block(judge: Judge, block: Block) -> Told:
    """Judge the games in a block of lines."""
    if judge.request.depth == "review" or judge.request.weights:
        return Told.of(judge.judge([*block.records()]))
    return _Lines(judge, block).judge()


class _Read(NamedTuple):
    """Parsed lines of one game, with their boards and verdicts."""

    name: str
    batch: Batch
    lines: Array
    asked: Asked
    starts: Array
    verdicts: list[Judgment]


class _Lines:
    """A block of lines, and the record of each line."""

    def __init__(self, judge: Judge, block: Block) -> None:
        self.careful, self.block = judge, block
        self.reasons = judge.request.depth == "reasons"
        self.text = block.text.decode("latin-1")  # one character per byte
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
        """Judge all lines."""
        # The kernel parses one game at a time: first the latest one, as most logs are of one game,
        # then repeatedly the game of the first line that is of another one.
        parsed_games = []
        name = self.careful.latest
        for _ in range(GAMES):
            if (parsed := self._read(name)) is not None:
                parsed_games.append(parsed)
            others = np.flatnonzero(self.kinds == OTHER)
            if not len(others):
                break
            self.careful.latest = name = self._board(others[0]).split("/", 1)[0]
        self.kinds[self.kinds == OTHER] = CAREFUL
        is_record = self.kinds != BLANK
        self.numbers = self.block.number - 1 + np.cumsum(is_record)
        for game_lines in parsed_games:
            self._tell(game_lines)
        self._judge_carefully(np.flatnonzero(self.kinds == CAREFUL).tolist())
        good = "\n".join([*filter(None, self.told), ""])
        return Told(int(is_record.sum()), good.encode(), as_lines(self.bad), self.summary)

    def _board(self, line: int) -> str:
        begin, end = self.places[line, 2:4].tolist()
        return self.text[begin:end]

    def _read(self, name: str) -> _Read | None:
        """Parse and judge the lines of a game, except those that are left to `Judge`."""
        game, spelling = find_spelling(name)
        pegs, parts = (0, 0) if game is None else (game.pegs, len(game.parts))
        max_rows = self.block.text.count(b"=") if game else 0
        guesses, scores = (np.empty((max_rows, width), dtype=np.uint8) for width in (pegs, parts))
        is_new = self.kinds == OTHER
        num_rows = read_lines(
            self.block.text, self.ends, spelling, self.kinds, self.places, guesses, scores
        )
        lines = np.flatnonzero(is_new & (self.kinds == READ))
        batch = None
        if game is not None and num_rows and (self.reasons or are_enough(game, num_rows)):
            batch = find_batch(game)
        if batch is None:
            self.kinds[lines] = CAREFUL
            return None
        starts = np.concatenate(([0], np.cumsum(self.places[lines, ROWS])))
        encoded = batch.translate(guesses[:num_rows], scores[:num_rows])
        is_beyond_kernel = are_odd(batch, encoded, starts, reasons=self.reasons)
        self.kinds[lines[is_beyond_kernel]] = CAREFUL
        encoded, starts = take_boards(encoded, starts, np.flatnonzero(~is_beyond_kernel))
        verdicts = judge_plain(batch, encoded, starts, reasons=self.reasons)
        return _Read(name, batch, lines[~is_beyond_kernel], encoded, starts, verdicts)

    def _tell(self, read: _Read) -> None:
        """Write the records of parsed games: consistent ones by a template, others key by key."""
        text, game = self.text, json.dumps(read.name)
        source = json.dumps(f"{self.block.path}:")[:-1]
        lines = read.lines.tolist()
        numbers = self.numbers[read.lines].tolist()
        places = self.places[read.lines].T.tolist()
        other_indices = []
        impossible = 0
        for index, (line, number, begin, end, board, board_end, rows, slip, verdict) in enumerate(
            zip(lines, numbers, *places[: ROWS + 2], read.verdicts, strict=True)
        ):
            if slip or not verdict.codes:
                other_indices.append(index)
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
        self.summary.add_plain(len(lines) - len(other_indices), impossible)
        self.summary.add(self._tell_one(read, index) for index in other_indices)

    def _tell_one(self, read: _Read, index: int) -> dict[str, Any]:
        line, verdict = int(read.lines[index]), read.verdicts[index]
        id_start, id_end, _, _, rows, slip, true_start, true_end = self.places[line].tolist()
        source = f"{self.block.path}:{self.block.line + line}"
        board = self._board(line)
        record = Record(int(self.numbers[line]), source, self.text[id_start:id_end], board)
        result = head(record, read.name, rows, verdict.codes)
        if slip:
            recorded_number = read.asked.scores[read.starts[index] + slip - 1]
            true = self.text[true_start:true_end]
            result |= known_slip(read.batch.game, slip, read.batch.told[recorded_number], true)
        if self.reasons:
            result |= {"board": board, "impossible": verdict.impossible, **verdict.why}
            if not verdict.codes and read.batch.game.space.table() is not None:
                result |= describe_unlisted(Board.parse(board, files=False))
        self.told[line] = json.dumps(result)
        return result

    def _judge_carefully(self, lines: list[int]) -> None:
        records = [*self.block.records(frozenset(lines))] if lines else []
        results = self.careful.judge(records)
        self.summary.add(results)
        for line, result in zip(lines, results, strict=True):
            if "fault" in result:
                self.bad.append(result)
            else:
                self.told[line] = json.dumps(result)


@lru_cache(maxsize=64)
def find_spelling(name: str) -> tuple[Game | None, Spelling]:
    """Return a game, or None if its boards are left to `Judge`, and its notation."""
    colors, signs = (np.full(256, NONE, dtype=np.uint8) for _ in range(2))
    game = _find(name)
    if game is None:
        return None, Spelling(name, 0, 0, False, colors, signs)
    marks = game.scoring.marks
    symbols = [mark.symbol for mark in marks] or [*map(str, range(min(game.pegs, 9) + 1))]
    for table, characters in ((colors, speller(game).symbols), (signs, symbols)):
        for number, symbol in enumerate(characters):
            table[ord(symbol)] = number
    return game, Spelling(name, game.pegs, len(game.parts), bool(marks), colors, signs)


def _find(name: str) -> Game | None:
    """Return the game of this name if the kernel can parse and judge its boards, else None.

    The game must not be in a file, must have an ASCII character for each color and mark, and a
    batch.
    """
    if ":" in name:
        return None
    try:
        game = find_game(name, files=False)
    except InputError:
        return None
    symbols = speller(game).symbols
    is_plain = all(len(symbol) == 1 and symbol.isascii() and symbol.isalnum() for symbol in symbols)
    is_plain &= all(mark.symbol.isascii() for mark in game.scoring.marks)
    return game if symbols and is_plain and str(game) == name and has_batch(game) else None
