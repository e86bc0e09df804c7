"""Suites of boards: a folder with one file per board, and an index of the files."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
from typing import TYPE_CHECKING, NamedTuple

from mmsat._util.files import atomic_write
from mmsat.diagnosis.check import check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mmsat.game.board import Board, Status
    from mmsat.solving.deadline import Deadline

INDEX_FILE = "index.csv"
COLUMNS = ("name", "verdict", "sha256", "board")
"""The columns of the index: file name, verdict, hash of the file, and the board line."""
VERDICT_SECONDS = 2.0
"""Time limit for the verdict of a board; if it passes, the index contains `unknown`."""


class SuiteFile(NamedTuple):
    """One file of a suite."""

    name: str
    board: Board
    verdict: Status
    pieces: Iterable[str]
    """The text of the file, in pieces."""


def write_suite(
    folder: str,
    files: Iterable[SuiteFile],
    total: int,
    on_progress: Callable[[int, int], None],
) -> None:
    """Write a folder completely or not at all.

    The files are written to a temporary folder, which is renamed when the index is complete.

    - `folder`: a new or empty folder, whose parent exists.
    - `total`: the number of files.
    - `on_progress`: called after each file with the number of written files, and with `total`.
    """
    parent, name = os.path.split(os.path.realpath(folder))
    temporary_folder = os.path.join(parent, f".{name[:100]}.{os.urandom(6).hex()}")
    os.mkdir(temporary_folder)
    try:
        with open(
            os.path.join(temporary_folder, INDEX_FILE), "w", encoding="utf-8", newline=""
        ) as index_file:
            writer = csv.writer(index_file, lineterminator="\n")
            writer.writerow(COLUMNS)
            for number, file in enumerate(files, 1):
                digest = hashlib.sha256()
                atomic_write(
                    os.path.join(temporary_folder, file.name), encode_and_hash(file.pieces, digest)
                )
                writer.writerow((file.name, file.verdict, digest.hexdigest(), file.board))
                on_progress(number, total)
        os.rename(temporary_folder, os.path.join(parent, name))
    except BaseException:
        shutil.rmtree(temporary_folder, ignore_errors=True)
        raise


def encode_and_hash(pieces: Iterable[str], digest: hashlib._Hash) -> Iterator[bytes]:
    """Yield the pieces as bytes, and add each to the hash `digest`."""
    for piece in pieces:
        data = piece.encode()
        digest.update(data)
        yield data


def decide_verdict(board: Board, deadline: Deadline) -> Status:
    """Return the verdict of a board: unknown after VERDICT_SECONDS, or at the deadline."""
    return check(board, reason=0, timeout=deadline.within(VERDICT_SECONDS).left).status
