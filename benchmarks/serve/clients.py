"""Well-behaved clients: their requests, and checks of the answers."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import mmsat.web
from mmsat import Board
from mmsat.diagnosis.check import REASON_SECONDS
from mmsat.game.library import instances
from mmsat.web.worker import GATEWAY_TIMEOUT, respond
from tests.support.random_boards import random_board

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

QUESTIONS = ("check", "count", "odds", "suggest")
"""Questions that the page sends for every board."""
OTHERS = ("board", "explain", "codes", "steps", "review", "proof")
CLASSIC = (
    "4x6",
    "4x6/1122=1.1",
    "4x6/1122=1.1/3345=0.2",
    "bulls-and-cows/0123=1.1",
    "5x8/11223=1.1",
)
HARD = instances("hard")
"""The hardest boards of the library."""
PAGE = Path(mmsat.web.__file__).parent / "page"
Answer = tuple[str, str, str, Any]
"""A question, its board, whether it is an "answer" or an "error", and the document."""
STREAM = {"Accept": "text/event-stream"}
WAIT = 300.0


def connect(address: str, client: str, timeout: float = WAIT) -> HTTPConnection:
    """Return a connection from the address of a client."""
    parts = urlsplit(address)
    return HTTPConnection(parts.hostname, parts.port, timeout, source_address=(client, 0))


def given(question: str, board: str) -> dict[str, Any]:
    """The parameters of a question."""
    return {"board": board} | ({"seed": 1} if question == "suggest" else {})


def post(there: HTTPConnection, question: str, board: str, **headers: str) -> HTTPResponse:
    """Ask a question."""
    there.request("POST", f"/api/{question}", json.dumps(given(question, board)), headers)
    return there.getresponse()


def ask(address: str, client: str, question: str, board: str) -> tuple[int, float]:
    """The status of an answer and how long it took."""
    started = time.perf_counter()
    with closing(connect(address, client)) as there:
        response = post(there, question, board)
        response.read()
        return response.status, time.perf_counter() - started


def random_line(source: random.Random) -> str:
    """A board that is quickly answered: a classic one, or any of up to four pegs and six colors."""
    line = str(random_board(source, 4, 6, 6, slips=source.choice((None, 0.2))))
    return source.choice(CLASSIC) if source.random() < 0.3 or "game:" in line else line


def without_times(document: Any) -> Any:
    """A document without what differs from run to run."""
    if isinstance(document, dict):
        return {
            key: without_times(entry) for key, entry in document.items() if "seconds" not in key
        }
    return [without_times(entry) for entry in document] if isinstance(document, list) else document


def without_reasons(kind: str, document: Any) -> Any:
    """Return a document without times and without reasons, which depend on the available time."""
    if kind == "error":
        return document["status"], document["faults"]
    if document["answer"].get("reason_seconds", 0) > REASON_SECONDS:
        return {name: document["answer"][name] for name in ("board", "verdict", "witness")}
    return without_times(document)


def is_right(question: str, board: str, kind: str, document: Any) -> bool:
    """Return whether an answer equals the library's. The process must be single-threaded."""
    texts: dict[str, Any] = {}
    respond(
        {"question": question, "given": given(question, board), "seconds": WAIT}, texts.__setitem__
    )
    expected = json.loads(json.dumps(texts.get(kind)))
    return expected is not None and without_reasons(kind, document) == without_reasons(
        kind, expected
    )


def is_late(answer: Answer) -> bool:
    """Whether the time was up before the server had an answer."""
    return answer[2] == "error" and answer[3]["status"] == GATEWAY_TIMEOUT


def events(response: HTTPResponse) -> Iterator[tuple[str, Any]]:
    """The events of a stream, as they come."""
    kind = ""
    for line in response:
        name, _, value = line.decode().strip().partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)


def classic_board(address: str, client: str, source: random.Random) -> list[Answer]:
    """Ask anything about an easy board."""
    question, board = source.choice(QUESTIONS + OTHERS), random_line(source)
    with closing(connect(address, client)) as there:
        response = post(there, question, board)
        document = json.loads(response.read())
    if response.status == 200:
        return [(question, board, "answer", document)]
    return [(question, board, "error", document["error"])]


def hard_board(address: str, client: str, source: random.Random) -> list[Answer]:
    """Request a hard board, read intermediate results, and cancel it after a while."""
    hard, end = source.choice(HARD), time.monotonic() + source.uniform(0.3, 2)
    with closing(connect(address, client, timeout=1)) as there, suppress(TimeoutError):
        for kind, document in events(post(there, "check", hard.text, **STREAM)):
            answer = document.get("answer", {})
            if kind == "error" or not is_so(answer, hard.board, hard.verdict):
                raise AssertionError(f"{hard.name}: {document}")
            if time.monotonic() > end:
                break
    return []


def is_so(answer: dict[str, Any], board: Board, known: str) -> bool:
    """Whether a verdict is the known one, with a code that gets the scores where there is one."""
    if answer["witness"] and not board.is_consistent([c - 1 for c in answer["witness"]]):
        return False
    return answer["verdict"] in ("unknown", known) or known == "unknown"


def page_visit(address: str, client: str, source: random.Random) -> list[Answer]:
    """Load the page, send its questions about a board, and change the board early."""
    with closing(connect(address, client)) as there:
        for file in sorted(path for path in PAGE.rglob("*") if path.is_file()):
            there.request("GET", f"/{file.relative_to(PAGE).as_posix()}")
            response = there.getresponse()
            if (body := response.read()) != file.read_bytes():
                raise AssertionError(f"{file.name}: {response.status} {body[:200]!r}")
    answers = []
    for is_left in (True, False):
        board = random_line(source)
        with ExitStack() as stack:
            asked = {}
            for question in ("board", *QUESTIONS):
                there = stack.enter_context(closing(connect(address, client)))
                body = json.dumps(given(question, board))
                there.request("POST", f"/api/{question}", body, STREAM)
                asked[question] = there
            for question, there in asked.items() if not is_left else ():
                *_, (kind, document) = events(there.getresponse())
                answers.append((question, board, kind, document))
    return answers


GOOD = {"a classic board": classic_board, "a hard board": hard_board, "the page": page_visit}
