"""The games of logs, one after the other: each with where it stands and its text.

JSON lines (a board's document a line, or `{"id": ..., "board": LINE}`), CSV with a column `board`
(and `id`), Parquet and Arrow with such columns, grids of marks that players share, and board files
in a folder. A file is read as it goes, so that memory stays what it is whatever its length.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

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


def read_records(paths: Sequence[str], game: Game | None = None) -> Iterator[Record]:
    """Yield the games of files and folders in order; raises InputError for what is no such file.

    `game` is that of shared grids, which do not say it.
    """
    number = 0
    for path in paths:
        for place, *rest in _read(path, game):
            yield Record(number, place, *rest)
            number += 1


def check_paths(paths: Sequence[str], game: Game | None) -> None:
    """Raise InputError with every path that is no log."""
    faults = []
    for path in paths:
        is_log = os.path.isdir(path) or (os.path.isfile(path) and path.endswith(KINDS))
        if not is_log:
            rule = "a log is a file of JSON lines, CSV, Parquet, Arrow or text, or a folder"
            faults.append(Fault(rule, path, f"a file that ends with {', '.join(KINDS)}"))
        elif path.endswith(".txt") and (game is None or not game.scoring.marks):
            rule = "grids that players share are of a game with a mark for each place"
            faults.append(Fault(rule, path, "--game daily-word"))
    if faults:
        raise InputError(faults, "the logs")


def _read(path: str, game: Game | None) -> Iterator[Any]:
    if os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            file = os.path.join(path, name)
            if os.path.isfile(file):
                with open(file, encoding="utf-8", errors="surrogateescape") as opened:
                    yield file, os.path.splitext(name)[0], opened.read()
    elif path.endswith(LINES):
        yield from _read_lines(path)
    elif path.endswith(".csv"):
        yield from _read_csv(path)
    elif path.endswith(TABLES):
        yield from _read_table(path)
    elif game is not None:
        yield from _read_grids(path, game)


def _read_lines(path: str) -> Iterator[Any]:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if not line.isspace():
                yield f"{path}:{number}", *_document(line.strip())


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


def _read_csv(path: str) -> Iterator[tuple[str, str, str]]:
    with open(path, encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
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


def _read_table(path: str) -> Iterator[tuple[str, str, str]]:
    try:
        from pyarrow import dataset  # noqa: PLC0415  (an extra)
    except ImportError:
        message = "Parquet and Arrow files need the extra arrow: pip install 'mmsat[arrow]'"
        raise MissingError(message) from None
    table = dataset.dataset(path, format="parquet" if path.endswith(".parquet") else "feather")
    if BOARD not in table.schema.names:
        names = ", ".join(table.schema.names)
        raise InputError([Fault(f"a table has a column {BOARD!r}", names, "id, board")], path)
    columns = [name for name in (BOARD, ID) if name in table.schema.names]
    number = 0
    for part in table.to_batches(columns=columns):
        ids = part.column(ID).to_pylist() if ID in columns else [None] * part.num_rows
        for text, name in zip(part.column(BOARD).to_pylist(), ids, strict=True):
            number += 1
            yield f"{path}:{number}", _name(name), _name(text)


def _read_grids(path: str, game: Game) -> Iterator[tuple[str, str, str]]:
    """Grids of marks with other lines between them, which name the one that comes next."""
    signs = {sign for mark in game.scoring.marks for sign in (*mark.symbol, *mark.also)}
    rows: list[str] = []
    title, start = "", 0
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
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
