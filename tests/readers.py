"""Everything that reads what others wrote: by name a function of bytes, and valid samples.

A reader gives a value, or raises MmsatError; nothing else, whatever the bytes are.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import TYPE_CHECKING, NamedTuple
from warnings import catch_warnings, simplefilter

from starlette.datastructures import State
from starlette.requests import Request

import mmsat
from mmsat.auditing.audit import audit
from mmsat.board import PRINTERS, Board
from mmsat.encoding.solution import read_solution
from mmsat.errors import InputError
from mmsat.files import decode
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.variants import define
from mmsat.matches.round import ROLES, Round, Saved, read_saved
from mmsat.reductions.sources import SOURCES
from mmsat.strategy.checkpoint import Checkpoint
from mmsat.strategy.tree_file import print_tree, read_tree
from mmsat.studies.point import Point
from mmsat.studies.record import HEAD, Record
from mmsat.web.parameters import read_parameters
from mmsat.web.pool import Limits
from mmsat.web.questions import QUESTIONS
from mmsat.web.routes import RefusedError, read_given
from mmsat.weights import Weights
from tests.encoding.test_solution import DIALECTS
from tests.laws.random_boards import random_board
from tests.laws.tiny_sources import RANDOM

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(mmsat.__file__).parent
FOUR = Game.parse("4x6")
TREE = Game.parse("2x3")
REQUEST = {"game": "4x6", "threads": 1}
SECONDS, KILOBYTES = 3.0, 300 << 10
"""What an input may take, of the processor and of memory."""
DRAWN = 12
"""Random samples of a kind."""


class Reader(NamedTuple):
    """What reads, and what it reads gladly."""

    read: Callable[[bytes], object]
    samples: tuple[bytes, ...]


def of_text(read: Callable[[str], object], *samples: str) -> Reader:
    """A reader of text in UTF-8."""
    return Reader(
        lambda data: read(decode(data, "the input")), tuple(text.encode() for text in samples)
    )


def of_file(name: str, read: Callable[[str], object], *samples: str) -> Reader:
    """A reader of a file of this name, alone in a folder."""

    def written(data: bytes) -> object:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / name
            place.write_bytes(data)
            return read(str(place))

    return Reader(written, tuple(text.encode() for text in samples))


def boards() -> list[Board]:
    """Random boards whose game has a spelling."""
    rng = random.Random(31)
    found = [random_board(rng) for _ in range(3 * DRAWN)]
    return [board for board in found if board.rows and not board.game.name]


def ask(data: bytes) -> object:
    """A request's body: what it gives each question."""

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": data, "more_body": False}

    app = type("App", (), {"state": State({"pool": State({"limits": Limits()})})})()
    scope = {"type": "http", "method": "POST", "query_string": b"", "headers": [], "app": app}
    try:
        given = asyncio.run(read_given(Request(scope, receive)))
    except RefusedError:
        return None
    for question in QUESTIONS.values():
        try:
            read_parameters(question.parameters, given)
        except InputError as error:
            str(error)
    return given


def saved() -> list[str]:
    """Saved games of both roles."""
    board = Board.parse("4x6/1122=1.1")
    return [
        json.dumps(Saved(role, Round(board, 10, secret), "auto", 1).to_dict())
        for role, secret in zip(ROLES, ((0, 2, 0, 4), None), strict=True)
    ]


def checkpoint() -> str:
    """A checkpoint as a search writes it."""
    with tempfile.TemporaryDirectory() as folder:
        made = Checkpoint(REQUEST, Path(folder) / "a")
        made.add("average", [(12, 2**60, 100, True), (1, 2, 3, False)])
        made.save()
        return made.file.read_text()


def logs(name: str, *samples: str) -> Reader:
    """An audit of a log, to its records."""

    def read(path: str) -> object:
        return audit([path], f"{path}.out.jsonl", game="daily-word", depth="verdict")

    return of_file(name, read, *samples)


def kinds() -> dict[str, Reader]:
    """The sources of reductions."""
    rng = random.Random(32)
    return {
        kind: of_text(SOURCES[kind].parse, *(str(RANDOM[kind](rng)) for _ in range(DRAWN)))
        for kind in SOURCES
        if kind != "board"
    }


LINES = [str(board) for board in boards()]
GRID = """Daily 1 2/6

\u2b1b\U0001f7e8\u2b1b\u2b1b\U0001f7e9
\U0001f7e9\U0001f7e9\U0001f7e9\U0001f7e9\U0001f7e9
"""
PROVEN = (
    "4x6/1122=1.1/3345=0.2",
    "4x6/1122=3.1",
    "3x3/112=1.0/112=0.1",
    "8x2/11112222=4.0/11111111=3.0",
)
GAMES = [place.read_text("utf-8") for place in sorted((HERE / "games").glob("*.toml"))]
RECORDS = [f"{json.dumps({'id': number, 'board': line})}\n" for number, line in enumerate(LINES)]
CHUNK = dict.fromkeys(Point._fields, 1) | {"first": 0, "boards": 1, "on": 0, "limit": 1}
RECORD = "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in (HEAD, CHUNK, CHUNK))
BODIES = [json.dumps({"board": line, "lies": 1, "rows": [1]}).encode() for line in LINES]
READERS: dict[str, Reader] = {
    "line": of_text(Board.parse, *LINES, "1122 1b1w", "RRGG 1.1", "daily-word/?????=--YG-"),
    "text": of_text(Board.parse, *map(PRINTERS["text"], boards())),
    "json": of_text(Board.parse, *map(PRINTERS["json"], boards())),
    "game": of_text(lambda text: define(text, "the game", named="game:a.toml"), *GAMES),
    "words": of_file("a.txt", lambda path: find_game(f"word:{path}"), "crane\nslate\n", "ab\ncd\n"),
    **kinds(),
    "solution": of_text(
        lambda text: read_solution(text, FOUR), *(say((0, 5, 2, 2), FOUR) for say in DIALECTS)
    ),
    "proof": Reader(
        lambda data: mmsat.verify(data, timeout=5),
        tuple(mmsat.prove(line).text.encode() for line in PROVEN),
    ),
    "saved": of_text(read_saved, *saved()),
    "tree": of_text(read_tree, print_tree(mmsat.optimal("2x3").tree)),
    "weights": of_text(
        lambda text: Weights.parse(FOUR, text), "4,2,1,1,1/2,1", "1122 3\n1234=1e1\n"
    ),
    "checkpoint": of_file("a", lambda path: Checkpoint(REQUEST, path), checkpoint()),
    "record": of_file("a", lambda path: Record(Path(path)), RECORD),
    "jsonl": logs("a.jsonl", *RECORDS, "\n".join(LINES)),
    "csv": logs("a.csv", "id,board\n" + "".join(f"1,{line}\n" for line in LINES)),
    "grid": logs("a.txt", GRID),
    "body": Reader(ask, tuple(BODIES)),
}
PIECES = tuple(
    piece.encode()
    for piece in (
        *"0/=.?x,\n\"'{}#\x00\ufeff\u00b2\u0664",
        *("", "-1", "9" * 30, "1e999999999", "1" * 5000, "\r\n", "[" * 3000, " " * 300),
        *("null", "true", "NaN", "[]", "{}", "1/0", "\\ud800"),
    )
)
"""What readers stumble over."""


class Edit(NamedTuple):
    """A change of a text: from a place on, so many bytes give way to others."""

    place: int
    length: int
    piece: bytes


def mutate(sample: bytes, edits: list[Edit]) -> bytes:
    """A sample with some changes."""
    for place, length, piece in edits:
        start = place % (len(sample) + 1)
        sample = sample[:start] + piece + sample[start + length :]
    return sample


def draw(reader: Reader, rng: random.Random) -> bytes:
    """Random bytes now and then; else a valid sample with a few changes, or two spliced."""
    if rng.random() < 0.05:
        return rng.randbytes(rng.randrange(200))
    sample, other = rng.choice(reader.samples), rng.choice(reader.samples)
    edits = []
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        start = rng.randrange(len(other) + 1)
        own = (
            other[start : start + rng.randrange(40)],
            rng.randbytes(1),
            bytes([rng.randrange(32, 127)]),
        )
        piece = rng.choice(PIECES) if rng.random() < 0.4 else rng.choice(own)
        edits.append(
            Edit(rng.randrange(len(sample) + 1), rng.choice((0, 0, 1, 1, 2, 5, 40)), piece)
        )
    return mutate(sample, edits)


def attempt(reader: Reader, data: bytes) -> None:
    """Read; raises what is neither a value nor a clear fault, and ResourceError beyond bounds.

    What takes too much is read again, as the first input of all loads libraries and word lists.
    """
    took = [_measure(reader, data)]
    while took[-1] > (SECONDS, 0) or took[-1][1] > KILOBYTES:
        if len(took) == 2:
            raise ResourceError(f"{took[1][0]:.1f} s, {took[1][1] >> 10} MiB")
        took.append(_measure(reader, data))


def _measure(reader: Reader, data: bytes) -> tuple[float, int]:
    """Seconds of the processor and kilobytes that an input takes."""
    start, before = process_time(), getrusage(RUSAGE_SELF).ru_maxrss
    with catch_warnings():
        simplefilter("ignore")
        try:
            reader.read(data)
        except mmsat.MmsatError as error:
            str(error).encode()
    return process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss - before


class ResourceError(Exception):
    """An input of a few hundred bytes took too much."""
