"""The logs of an audit, read game by game.

Lines of JSON are passed on in blocks without parsing, because the kernel parses most of them
(lines.py). Files are read as streams, except tables with one row per guess, whose rows are grouped
by game.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from itertools import islice

from mmsat.auditing.game_tables import GameTable
from mmsat.auditing.grids import read_grids
from mmsat.auditing.open_tables import ARROW, DELIMITED
from mmsat.auditing.reading import Reading, list_files
from mmsat.auditing.records import Block, Chunk, Record
from mmsat.english import join_words
from mmsat.errors import Fault, InputError
from mmsat.files import decode
from mmsat.game.game import Game

LINES = (".jsonl", ".ndjson")
GRIDS = ".txt"
KINDS = (*LINES, *DELIMITED, *ARROW, GRIDS)


def read_chunks(
    paths: Sequence[str], game: Game | None, size: int, reading: Reading, done: int = 0
) -> Iterator[Chunk]:
    """Yield the games of files and folders in order, at most `size` at a time.

    The first `done` records are skipped. `game` is the game of logs that do not name it: grids, and
    tables with one row per guess.
    """
    number = 0
    for path in paths:
        if path.lower().endswith(LINES) and os.path.isfile(path):
            number = yield from _read_blocks(path, size, number, done, reading)
            continue
        records = _read(path, game, reading)
        while chunk := list(islice(records, size)):
            chunk = [Record(n, *record[1:]) for n, record in enumerate(chunk, number)]
            number += len(chunk)
            if number > done:
                yield [record for record in chunk if record.number >= done]


def check_paths(paths: Sequence[str], game: Game | None) -> None:
    """Raise InputError with every path that is not a log, or if the start of a log cannot be read.

    Faults in the rest of the logs do not raise; they become rejected records.
    """
    faults = []
    for path in paths:
        kind = path.lower()
        is_log = os.path.isdir(path) or (os.path.isfile(path) and kind.endswith(KINDS))
        if not os.path.exists(path):
            faults.append(Fault("", path, "an existing file or folder"))
        elif not is_log:
            endings = join_words(KINDS, "or")
            faults.append(Fault("", path, f"a folder, or a file name that ends with {endings}"))
        elif kind.endswith(GRIDS) and (game is None or not game.scoring.marks):
            rule = "shared grids need a game that is scored by marks"
            faults.append(Fault(rule, path, "--game daily-word"))
    InputError.refuse(faults, "the logs")
    for path in paths:
        if not os.path.isdir(path):
            _check_start(path, game)


def _check_start(path: str, game: Game | None) -> None:
    if path.lower().endswith((*DELIMITED, *ARROW)):
        GameTable(path, game).check()
    else:
        with Reading().open(path):
            pass


def _read(path: str, game: Game | None, reading: Reading) -> Iterator[Record]:
    if os.path.isdir(path):
        yield from (_read_board(file, reading) for file in list_files(path))
    elif path.lower().endswith((*DELIMITED, *ARROW)):
        yield from GameTable(path, game).records(reading)
    elif game is not None:
        with reading.open(path) as lines:
            yield from read_grids(lines, path, game)


def _read_board(path: str, reading: Reading) -> Record:
    """Return the game of a board file; its id is the name of the file."""
    name = os.path.splitext(os.path.basename(path))[0]
    with reading.open_bytes(path) as file:
        data = file.read()
    try:
        return Record(0, path, name, decode(data, path))
    except InputError as error:
        text = data.decode("utf-8", "surrogateescape")
        return Record(0, path, name, text, fault=str(error))


def _read_blocks(
    path: str, size: int, number: int, done: int, reading: Reading
) -> Generator[Block, None, int]:
    """Yield the lines from record `done` on; return the number of the record after the last."""
    start = 1
    with reading.open_lines(path) as file:
        while lines := list(islice(file, size)):
            num_skipped = 0
            while number < done and num_skipped < len(lines):
                number += not lines[num_skipped].isspace()
                num_skipped += 1
            kept_lines = lines[num_skipped:]
            if kept_lines:
                yield Block(number, path, start + num_skipped, b"".join(kept_lines))
            number += len(kept_lines) - sum(map(bytes.isspace, kept_lines))
            start += len(lines)
    return number
