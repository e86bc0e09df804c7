"""All readers of input that is not trusted, by name, each with valid samples.

A reader is a function of bytes. Whatever the bytes are, it must return a value or raise MmsatError.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import tempfile
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from starlette.datastructures import State
from starlette.requests import Request

import mmsat
from mmsat._util.files import decode
from mmsat.auditing import Record as GameRecord
from mmsat.auditing.audit import audit, judge_chunk
from mmsat.auditing.judge import Request as Asked
from mmsat.auditing.output import Journal
from mmsat.cli.commands.reductions import read_answers, read_strategy
from mmsat.errors import InputError
from mmsat.game.board import PRINTERS, Board
from mmsat.game.game import Game
from mmsat.game.names import define, find_game
from mmsat.game.weights import Weights
from mmsat.play import Round
from mmsat.play.saved import ROLES, SavedBoards, SavedGame, read_saved
from mmsat.reductions.graphs import WordGame
from mmsat.reductions.sources import SOURCES, Graph
from mmsat.solving.encode import read_solution
from mmsat.strategy import Checkpoint
from mmsat.strategy.several import SeveralBoards
from mmsat.strategy.tree import load_tree, print_tree, read_tree
from mmsat.studies import FIRST_LINE, Point, Record
from mmsat.web.pool import Limits
from mmsat.web.questions import QUESTIONS, read_parameters
from mmsat.web.server import RefusedError, read_arguments
from tests.support.random_boards import random_board
from tests.support.solver_dialects import DIALECTS
from tests.support.tiny_sources import RANDOM

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(mmsat.__file__).parent
FOUR = Game.parse("4x6")
TREE = print_tree(mmsat.optimal("2x3").tree)
ASKED = WordGame(Graph.parse("p edge 3 2\ne 1 2\ne 2 3\n"), k=1)
REQUEST = {"game": "4x6", "threads": 1}
DRAWN = 12
"""Number of random samples of a kind."""


class Reader(NamedTuple):
    """A reader and valid samples."""

    read: Callable[[bytes], object]
    samples: tuple[bytes, ...]


def of_text(read: Callable[[str], object], *samples: str) -> Reader:
    """Return a reader of text in UTF-8."""
    return Reader(
        lambda data: read(decode(data, "the input")), tuple(text.encode() for text in samples)
    )


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed when this process ends.

    It is used again for each input, because creating folders would take long.
    """
    return tempfile.TemporaryDirectory()


@cache
def runner() -> asyncio.Runner:
    """Return the event loop of this process.

    It is used again for each request, because creating one takes longer than reading a request.
    """
    return asyncio.Runner()


def of_file(name: str, read: Callable[[str], object], *samples: str) -> Reader:
    """Return a reader of a file with this name, which is the only file in its folder."""

    def written(data: bytes) -> object:
        place = Path(folder().name) / name
        try:
            place.write_bytes(data)
            return read(str(place))
        finally:
            for path in place.parent.iterdir():
                path.unlink()

    return Reader(written, tuple(text.encode() for text in samples))


def boards() -> list[Board]:
    """Return random boards whose game has a name."""
    rng = random.Random(31)
    results = [random_board(rng) for _ in range(3 * DRAWN)]
    return [board for board in results if board.rows and not board.game.name]


def ask(method: str, data: bytes) -> object:
    """Read a request as the server does: its body or query, and the parameters of each question."""

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": data, "more_body": False}

    app = type("App", (), {"state": State({"pool": State({"limits": Limits()})})})()
    scope = {"type": "http", "method": method, "query_string": data, "headers": [], "app": app}
    if method == "POST":
        scope["query_string"] = b""
    try:
        arguments = runner().run(read_arguments(Request(scope, receive)))
    except RefusedError:
        return None
    for question in QUESTIONS.values():
        try:
            read_parameters(question.parameters, arguments)
        except InputError as error:
            str(error)
    return arguments


def saved() -> list[str]:
    """Return saved games of one board and of several boards, for both roles of the person."""
    board = Board.parse("4x6/1122=1.1")
    several = SeveralBoards((board, board))
    games = []
    for role, secret in zip(ROLES, ((0, 2, 0, 4), None), strict=True):
        games.append(SavedGame(role, Round(board, 10, secret), "auto", 1))
        games.append(SavedBoards(role, several, 7, 1, secret and (secret, secret)))
    return [json.dumps(game.to_dict()) for game in games]


def checkpoint() -> str:
    """Return a checkpoint as a search writes it."""
    with tempfile.TemporaryDirectory() as folder:
        made = Checkpoint(REQUEST, Path(folder) / "a")
        made.add("average", [(12, 2**60, 100, True), (1, 2, 3, False)])
        made.save()
        return made.file.read_text()


def logs(name: str, *samples: str) -> Reader:
    """Return a reader of logs, which audits a log."""

    def read(path: str) -> object:
        return audit([path], f"{path}.out.jsonl", game="daily-word", depth="verdict")

    return of_file(name, read, *samples)


def resume(path: str) -> object:
    """Resume an audit from its journal."""
    with Journal(path.removesuffix(".part"), {}) as journal:
        return journal.sum_up()


def journal() -> str:
    """Return a journal as an audit writes it."""
    read = [GameRecord(number, "a:1", "7", line) for number, line in enumerate(PROVEN)]
    return '{"mmsat-audit": 1}\n' + judge_chunk(Asked("reasons"), read).judged.decode()


def seal(data: bytes) -> bytes:
    """Return a proof with recomputed digests, so that changes reach the checks behind them."""
    body = data.partition(SEAL)[0]
    head, *sections = re.split(rb"^\[(\w+)\]\n", body, flags=re.MULTILINE)
    parts = [(b"head", head.partition(b"\n")[2]), *zip(sections[::2], sections[1::2], strict=True)]
    whole = body + SEAL + b"".join(map(tell_digest, *zip(*parts, strict=True)))
    return whole + tell_digest(b"file", whole)


def tell_digest(name: bytes, text: bytes) -> bytes:
    """Return a line of the digests of a proof."""
    return name + f" {sha256(text).hexdigest()}\n".encode()


def kinds() -> dict[str, Reader]:
    """Return the readers of the sources of reductions, by kind of source."""
    rng = random.Random(32)
    return {
        kind: of_text(SOURCES[kind].parse, *(str(RANDOM[kind](rng)) for _ in range(DRAWN)))
        for kind in SOURCES
        if kind != "board"
    }


NO_STRATEGY = '{"proven": true, "codes": null, "max_guesses": 3}'
LINES = [str(board) for board in boards()]
GRID = """Daily 1 2/6

\u2b1b\U0001f7e8\u2b1b\u2b1b\U0001f7e9
\U0001f7e9\U0001f7e9\U0001f7e9\U0001f7e9\U0001f7e9
"""
GRIDS = (
    "1. \U0001f7e7\u2b1b\U0001f7e6\u2b1b\u2b1b  :green_square: nice\n-----\nG-Y--\n",
    GRID.replace("\n", " \U0001f7e9\u2b1b\u2b1b\u2b1b\u2b1b\n").encode("utf-16").decode("latin-1"),
)
GUESSES = (
    "game;turn;guess;marks\n1;1;crane;-Y--G\n2;1;slate;GGGGG\n1;2;train;G-Y--\n",
    "word,score\ncrane,-Y--G\ntrain,GGGGG\ncrane,-----\n",
)
PROVEN = (
    "4x6/1122=1.1/3345=0.2",
    "4x6/1122=3.1",
    "3x3/112=1.0/112=0.1",
    "8x2/11112222=4.0/11111111=3.0",
)
PROOFS = tuple(mmsat.prove(line).text.encode() for line in PROVEN)
SEAL = b"[sha256]\n"
GAMES = [place.read_text("utf-8") for place in sorted((HERE / "games").glob("*.toml"))]
RECORDS = [f"{json.dumps({'id': number, 'board': line})}\n" for number, line in enumerate(LINES)]
CHUNK = dict.fromkeys(Point._fields, 1) | {"first": 0, "boards": 1, "on": 0, "limit": 1}
ENVIRONMENT = {"environment": {"mmsat": "0.1.0", "commit": "1234567"}}
RECORD = "".join(
    f"{json.dumps(entry, separators=(',', ':'))}\n"
    for entry in (FIRST_LINE, ENVIRONMENT, CHUNK, CHUNK)
)
BODIES = [json.dumps({"board": line, "lies": 1, "rows": [1]}).encode() for line in LINES]
READERS: dict[str, Reader] = {
    "line": of_text(Board.parse, *LINES, "1122 1b1w", "RRGG 1.1", "daily-word/?????=--YG-"),
    "text": of_text(Board.parse, *map(PRINTERS["text"], boards())),
    "json": of_text(Board.parse, *map(PRINTERS["json"], boards())),
    "game": of_text(lambda text: define(text, "the game", name="game:a.toml"), *GAMES),
    "words": of_file("a.txt", lambda path: find_game(f"word:{path}"), "crane\nslate\n", "ab\ncd\n"),
    **kinds(),
    "solution": of_text(
        lambda text: read_solution(text, FOUR), *(say((0, 5, 2, 2), FOUR) for say in DIALECTS)
    ),
    "proof": Reader(
        lambda data: mmsat.verify(data, timeout=5),
        PROOFS,
    ),
    "sealed": Reader(lambda data: mmsat.verify(seal(data), timeout=5), PROOFS),
    "saved": of_text(read_saved, *saved()),
    "tree": of_text(read_tree, TREE),
    "weights": of_text(
        lambda text: Weights.parse(FOUR, text), "4,2,1,1,1/2,1", "1122 3\n1234=1e1\n"
    ),
    "checkpoint": of_file("a", lambda path: Checkpoint(REQUEST, path), checkpoint()),
    "record": of_file("a", lambda path: Record(Path(path)), RECORD),
    "jsonl": logs("a.jsonl", *RECORDS, "\n".join(LINES)),
    "csv": logs("a.csv", "id,board\n" + "".join(f"1,{line}\n" for line in LINES)),
    "guesses": logs("a.csv", *GUESSES),
    "grid": logs("a.txt", GRID, *GRIDS),
    "journal": of_file("a.part", resume, journal()),
    "body": Reader(partial(ask, "POST"), tuple(BODIES)),
    "query": Reader(
        partial(ask, "GET"), tuple(urlencode({"board": line}).encode() for line in LINES)
    ),
    "packed": of_file("a", load_tree)._replace(
        samples=(TREE.encode(), gzip.compress(TREE.encode(), mtime=0))
    ),
    "strategy": of_text(
        lambda text: read_strategy(text, ASKED),
        *(NO_STRATEGY, NO_STRATEGY.replace("true", "false")),
    ),
    "lifted": of_text(
        lambda text: read_answers(text, Board(FOUR)),
        *("1233", "inconsistent", json.dumps(mmsat.check(PROVEN[0]).to_dict())),
    ),
}
FOUND = (
    ("strategy", b'{"proven": true, "codes": null}'),
    ("strategy", b'{"proven": true, "codes": null, "max_guesses": "3"}'),
    ("journal", b'{"mmsat-audit": 1}\n{"record": 0}\n'),
    ("journal", b"\xff\n"),
    ("weights", b"4,21e9991,1,1/2,1,1"),
    ("weights", b"1122 1e999999999\n"),
    ("weights", "1122 1e\u0664\u0664\u0664\u0664\u0664\u0664\u0664\u0664\n".encode()),
    ("weights", b"&&,,,,,,,,%4,,4,,,,,,,,,,,,04,,4,,,,,,,,,,,,%,01;/\x1c21"),
    ("text", b"4x6\n" + b" " * 15000 + b"1" + b" " * 15000),
    ("solution", b"code = [" * 20000),
    ("checkpoint", b"[" * 3000),
    ("checkpoint", READERS["checkpoint"].samples[0].replace(b'"threads"', rb'"\ud800"')),
    ("checkpoint", READERS["checkpoint"].samples[0].replace(b'"game"', b'"name"')),
    ("record", READERS["record"].samples[0] + b"\xff\n"),
    ("record", READERS["record"].samples[0] + b"[]\n"),
)
"""Inputs, with the name of the reader, that once caused another exception than MmsatError."""
