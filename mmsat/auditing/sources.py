"""The games of logs, one after the other: each with where it stands and its text.

JSON lines (a board's document a line, or `{"id": ..., "board": LINE}`), CSV with a column `board`
(and `id`), Parquet and Arrow with such columns, grids of marks that players share, and board files
in a folder. A file is read as it goes, so that memory stays what it is whatever its length. Lines
of JSON are handed on as they are, many together, as most are read by the kernel (lines.py).
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Container, Generator, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple

from mmsat.errors import Fault, InputError, MissingError
from mmsat.game.game import Game
from mmsat.notation.speller import UNREAD_SIGN

TABLES = (".parquet", ".arrow", ".feather")
LINES = (".jsonl", ".ndjson")
KINDS = (*LINES, ".csv", *TABLES, ".txt")
BOARD, ID = "board", "id"


class Record(NamedTuple):
    """A game as it stands in a log."""

    number: int
    """Of all that were read, from 0."""
    source: str
    """The file, with the line or the row, from 1."""
    id: str
    """What the log calls it, or nothing."""
    text: str
    """A board line, a board file, or a document; for what is none of these, as it stands there."""
    slip: tuple[int, str] | None = None
    """Where the log knows what was put down wrongly: the row, from 1, and the true score."""


class Block(NamedTuple):
    """Some lines of JSON, of which those that are not blank are a record each."""

    number: int
    """Of the first record, of all that were read, from 0."""
    path: str
    line: int
    """Of the first line, from 1."""
    text: bytes

    def records(self, lines: Container[int] | None = None) -> Iterator[Record]:
        """Its records, or those of some of its lines, counted from 0."""
        number = self.number
        for line, text in enumerate(self.text.split(b"\n")):
            if text and not text.isspace():
                if lines is None or line in lines:
                    source = f"{self.path}:{self.line + line}"
                    read = text.decode("utf-8", "surrogateescape").strip()
                    yield Record(number, source, *_document(read))
                number += 1


Chunk = Block | list[Record]


class Reading:
    """How far some logs are read."""

    def __init__(self, paths: Sequence[str]) -> None:
        """Nothing is read yet."""
        self.total = sum(os.path.getsize(file) for path in paths for file in _files(path))
        self.before = 0.0
        """Bytes of the files that were read to their end."""
        self.file: BinaryIO | None = None
        """The file that is being read."""

    @property
    def share(self) -> float:
        """The part of all bytes that is read, from 0 to 1."""
        read = self.before + (self.file.tell() if self.file else 0)
        return min(1.0, read / self.total) if self.total else 1.0

    @contextmanager
    def open(self, path: str, **text: Any) -> Iterator[Any]:
        """A file whose bytes count as they are read; `text` says how they are text, if they are."""
        with open(path, "rb") as file:
            self.file = file
            try:
                yield TextIOWrapper(file, **text) if text else file
            finally:
                self.file, self.before = None, self.before + os.path.getsize(path)


def _files(path: str) -> list[str]:
    """The files of a folder in order, or a file itself."""
    if not os.path.isdir(path):
        return [path]
    every = (os.path.join(path, name) for name in sorted(os.listdir(path)))
    return [file for file in every if os.path.isfile(file)]


def read_chunks(
    paths: Sequence[str], game: Game | None, size: int, reading: Reading, done: int = 0
) -> Iterator[Chunk]:
    """Yield the games of files and folders in order, up to so many at a time, but the first `done`.

    `game` is that of shared grids, which do not say it. Raises InputError for what is no such file.
    """
    number = 0
    for path in paths:
        if path.endswith(LINES) and os.path.isfile(path):
            number = yield from _read_blocks(path, size, number, done, reading)
            continue
        records = (Record(n, *rest) for n, rest in enumerate(_read(path, game, reading), number))
        while some := list(islice(records, size)):
            number += len(some)
            if number > done:
                yield [record for record in some if record.number >= done]


def check_paths(paths: Sequence[str], game: Game | None) -> None:
    """Raise InputError with every path that is no log."""
    faults = []
    for path in paths:
        is_log = os.path.isdir(path) or (os.path.isfile(path) and path.endswith(KINDS))
        if not os.path.exists(path):
            faults.append(Fault("nothing is there", path, "a file or a folder that exists"))
        elif not is_log:
            rule = "a log is a file of JSON lines, CSV, Parquet, Arrow or text, or a folder"
            faults.append(Fault(rule, path, f"a file that ends with {', '.join(KINDS)}"))
        elif path.endswith(".txt") and (game is None or not game.scoring.marks):
            rule = "grids that players share are of a game with a mark for each place"
            faults.append(Fault(rule, path, "--game daily-word"))
    InputError.refuse(faults, "the logs")


def _read(path: str, game: Game | None, reading: Reading) -> Iterator[Any]:
    if os.path.isdir(path):
        for file in _files(path):
            with reading.open(file, encoding="utf-8", errors="surrogateescape") as opened:
                yield file, os.path.splitext(os.path.basename(file))[0], opened.read()
    elif path.endswith(".csv"):
        yield from _read_csv(path, reading)
    elif path.endswith(TABLES):
        yield from _read_table(path, reading)
    elif game is not None:
        yield from _read_grids(path, game, reading)


def _read_blocks(
    path: str, size: int, number: int, done: int, reading: Reading
) -> Generator[Block, None, int]:
    """The lines of a file from a number on, but for those done; returns the number at its end."""
    start = 1
    with reading.open(path) as file:
        while lines := list(islice(file, size)):
            first = 0
            while number < done and first < len(lines):
                number += not lines[first].isspace()
                first += 1
            left = lines[first:]
            if left:
                yield Block(number, path, start + first, b"".join(left))
            number += len(left) - sum(map(bytes.isspace, left))
            start += len(lines)
    return number


def _document(line: str) -> Any:
    """The id and the board of a line of JSON, and the slip if it is known.

    A board's own document is the board.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return "", line
    if isinstance(found, dict) and isinstance(found.get(BOARD), str):
        slip = found.get("slip")
        if isinstance(slip, dict) and slip.keys() == {"row", "true"}:
            return _name(found.get(ID)), found[BOARD], (slip["row"], slip["true"])
        return _name(found.get(ID)), found[BOARD]
    if isinstance(found, dict) and ID in found:
        return _name(found.pop(ID)), json.dumps(found)
    return "", found if isinstance(found, str) else line


def _name(value: Any) -> str:
    return "" if value is None else str(value)


def _read_csv(path: str, reading: Reading) -> Iterator[tuple[str, str, str]]:
    how = {"encoding": "utf-8-sig", "errors": "surrogateescape", "newline": ""}
    with reading.open(path, **how) as file:
        reader = csv.reader(file)
        head = next(reader, [])
        if BOARD not in head:
            fault = Fault(f"a CSV file has a column {BOARD!r}", ", ".join(head), "id,board", 1, 1)
            raise InputError([fault], path)
        board, name = head.index(BOARD), head.index(ID) if ID in head else None
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                cells = [str(error)] * len(head)
            if cells is None:
                return
            if cells:
                text = cells[board] if board < len(cells) else ",".join(cells)
                known = cells[name] if name is not None and name < len(cells) else ""
                yield f"{path}:{reader.line_num}", known, text


def _read_table(path: str, reading: Reading) -> Iterator[tuple[str, str, str]]:
    try:
        from pyarrow import dataset  # noqa: PLC0415  (an extra)
    except ImportError:
        message = "Parquet and Arrow files need the extra arrow: pip install 'mmsat[arrow]'"
        raise MissingError(message) from None
    table = dataset.dataset(path, format="parquet" if path.endswith(".parquet") else "feather")
    if BOARD not in table.schema.names:
        names = ", ".join(table.schema.names)
        raise InputError.of(path, "id, board", names, f"a table has a column {BOARD!r}")
    columns = [name for name in (BOARD, ID) if name in table.schema.names]
    number, size = 0, os.path.getsize(path) / max(1, table.count_rows())
    for part in table.to_batches(columns=columns):
        ids = part.column(ID).to_pylist() if ID in columns else [None] * part.num_rows
        for text, name in zip(part.column(BOARD).to_pylist(), ids, strict=True):
            number += 1
            reading.before += size
            yield f"{path}:{number}", _name(name), _name(text)


def _read_grids(path: str, game: Game, reading: Reading) -> Iterator[tuple[str, str, str]]:
    """Grids of marks with other lines between them, which name the one that comes next.

    Digits are no marks here: a line of them is a name.
    """
    known = {sign for mark in game.scoring.marks for sign in (*mark.symbol, *mark.also)}
    signs = {sign for sign in known if not sign.isdecimal()}
    rows: list[str] = []
    title, start = "", 0
    with reading.open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(chain(file, [""]), 1):
            marks = [sign for sign in line.strip() if sign not in "\ufe0f "]
            if len(marks) == game.pegs and signs.issuperset(marks):
                start = start if rows else number
                rows.append("".join(marks))
                continue
            if rows:
                unread = UNREAD_SIGN * game.pegs
                lines = [f"{unread}={row}" for row in rows]
                yield f"{path}:{start}", title, "/".join([str(game), *lines])
                rows, title = [], ""
            title = line.strip() or title
