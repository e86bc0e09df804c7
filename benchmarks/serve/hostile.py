"""Hostile clients: each attacks the server in one way and reports the result.

Each one returns None if the server behaved correctly, otherwise a sentence. The short form is
tests/benchmarks/test_serve.py; the long one is `python -m benchmarks serve --minutes 60`.
"""

from __future__ import annotations

import json
import random
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from urllib.parse import urlsplit

from benchmarks.serve.clients import HARD

Source = random.Random
Attack = Callable[[str, Source], "str | None"]
ATTACKS: dict[str, Attack] = {}
LONG = 60.0
"""Seconds after which a server that has neither answered nor hung up counts as hanging."""
MUCH = 1 << 25
"""Bytes that nothing on the way keeps."""
OURS = "127.0.4."
"""Where hostile clients come from."""
CROWDED = "127.0.5."
"""Where those come from who are many at once."""
METHODS = ("DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "QUERY")
PATHS = ("/../server.py", "/%2e%2e/server.py", "//etc/passwd", "/api/%00", "/%ff%fe", "/js/", "*")
BAD_HEADS = (
    "GET / HTTP/9.9\r\n\r\n",
    "GET /\r\n\r\n",
    "\r\n\r\n\r\n",
    "POST /api/check HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n",
    "POST /api/check HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "POST /api/check HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "GET / HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n",
    "GET / HTTP/1.1\r\nHost : {host}\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
)


def attack(client: Attack) -> Attack:
    """Enter a hostile client under its name."""
    ATTACKS[client.__name__.replace("_", " ")] = client
    return client


def connect(address: str, client: str) -> socket.socket:
    """Return a socket from the address of a client."""
    parts = urlsplit(address)
    there = (parts.hostname, parts.port)
    return socket.create_connection(there, timeout=LONG, source_address=(client, 0))


def own(source: Source, net: str = OURS) -> str:
    """The address of some hostile client."""
    return f"{net}{source.randint(1, 250)}"


def head(address: str, question: str, length: int | None, *more: str) -> bytes:
    """The head of a question that is posted."""
    size = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    lines = (f"POST /api/{question} HTTP/1.1", f"Host: {urlsplit(address).netloc}", size, *more)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def post(address: str, question: str, body: bytes | str) -> bytes:
    """A whole question."""
    body = body.encode() if isinstance(body, str) else body
    return head(address, question, len(body)) + body


def hear(there: socket.socket) -> int | None:
    """The status of the next answer, or None where the server hung up; raises TimeoutError."""
    try:
        text = there.recv(1 << 16)
    except ConnectionError:
        return None
    return int(text.split(b" ", 2)[1]) if text else None


def say(there: socket.socket, parts: Iterable[bytes], pause: float = 0.0) -> None:
    """Send some parts, until the server does not want any more."""
    for part in parts:
        try:
            there.sendall(part)
        except ConnectionError:
            return
        time.sleep(pause)


def reset(there: socket.socket) -> None:
    """Hang up at once, without a word."""
    there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    there.close()


def asks(address: str, source: Source, data: bytes, *expected: int | None) -> str | None:
    """Send data and compare the status of the response. None means no response."""
    with closing(connect(address, own(source))) as there:
        say(there, [data])
        try:
            status = hear(there)
        except TimeoutError:
            return f"no answer to {data[:60]!r}"
    return None if status in expected else f"{status} for {data[:60]!r}"


def hard_question(address: str, source: Source) -> bytes:
    """The explanation of a hard board, as a stream."""
    body = json.dumps({"board": source.choice(HARD).text}).encode()
    return head(address, "explain", len(body), "Accept: text/event-stream") + body


@contextmanager
def crowd(address: str, clients: Iterable[str]) -> Iterator[list[socket.socket]]:
    """Open many connections at once, without the refused ones, and reset all at the end."""
    with ExitStack() as stack:
        opened = []
        for client in clients:
            try:
                there = connect(address, client)
            except OSError:
                continue
            stack.callback(reset, there)
            opened.append(there)
        yield opened


@attack
def slow_body(address: str, source: Source) -> str | None:
    """Send a body byte by byte."""
    with closing(connect(address, own(source))) as there:
        say(there, [head(address, "check", 1000), *[b" "] * 12], pause=0.5)
        status = hear(there)
    return None if status == 408 else f"{status} for a slow body"


@attack
def deafness(address: str, source: Source) -> str | None:
    """Ask for a page many times over, and read nothing."""
    pages = (
        f"GET /css/base.css HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n\r\n".encode() * 1000
    )
    with closing(connect(address, own(source))) as there:
        try:
            for _ in range(MUCH // len(pages)):
                there.sendall(pages)
        except ConnectionError:
            return None
        except TimeoutError:
            return "the connection was kept"
    return f"{MUCH} bytes of requests were taken ahead"


@attack
def half_open_connections(address: str, source: Source) -> str | None:
    """Open many connections that begin a request or say nothing, and leave them so for a while.

    Six of these attacks at once, with six floods, stay below the server's limit of 2,000
    connections, beyond which it answers nobody.
    """
    count = source.choice((80, 160, 240))
    with crowd(address, (f"{CROWDED}{number % 12 + 1}" for number in range(count))) as opened:
        for there in opened:
            say(there, [source.choice((b"POST /api/check HTTP/1.1\r\n", b"G", b""))])
        time.sleep(1)
    return None


@attack
def huge_body(address: str, source: Source) -> str | None:
    """Announce a gigabyte, or announce nothing, and send without end."""
    length = source.choice((None, 10**9))
    part = b" " * 65536
    chunk = part if length else b"10000\r\n" + part + b"\r\n"
    with closing(connect(address, own(source))) as there:
        say(there, [head(address, "check", length), *[chunk] * 64])
        status = hear(there)
    return None if status in (413, None) else f"{status} for a huge body"


@attack
def huge_head(address: str, source: Source) -> str | None:
    """Send a megabyte of headers, or an address of one."""
    long = "a" * source.randint(1 << 18, 1 << 20)
    data = source.choice((f"GET /{long} HTTP/1.1\r\n\r\n", f"GET / HTTP/1.1\r\nX: {long}\r\n\r\n"))
    return asks(address, source, data.encode(), 400, 404, 413, None)


@attack
def bad_json(address: str, source: Source) -> str | None:
    """Send bodies that are not valid questions."""
    whole = json.dumps({"board": "4x6/1122=1.1", "lies": 0})
    bad = source.choice(
        (
            whole[: source.randrange(1, len(whole))],
            whole.replace("4x6", "4x0"),
            whole.replace("0}", "NaN}"),
            whole.replace("0}", f"1{'0' * 5000}}}"),
            json.dumps(source.choice(([], 0, "4x6", None, {"board": {}}, {"board": [[1]]}))),
            source.randbytes(source.randrange(1, 2000)),
        )
    )
    return asks(address, source, post(address, source.choice(("check", "odds")), bad), 400)


@attack
def deep_nesting(address: str, source: Source) -> str | None:
    """Send deeply nested brackets, as a body and as a board."""
    deep = source.randint(500, 20_000)
    body = source.choice(
        ("[" * deep, '{"board":' * deep, '{"board":' + "[" * deep + "]" * deep + "}")
    )
    return asks(address, source, post(address, "check", body), 400)


@attack
def bad_http(address: str, source: Source) -> str | None:
    """Send heads that break the rules of HTTP."""
    bad = source.choice(BAD_HEADS).format(host=urlsplit(address).netloc)
    return asks(address, source, bad.encode(), 400, None)


@attack
def random_bytes(address: str, source: Source) -> str | None:
    """Send bytes that are not HTTP."""
    data = source.randbytes(source.randrange(1, 5000)) + b"\r\n\r\n"
    return asks(address, source, data, 400, None)


@attack
def wrong_method(address: str, source: Source) -> str | None:
    """Ask by methods and at addresses that there are not."""
    method, path = source.choice(METHODS), source.choice(("/", "/api/check", "/api", "/nothing"))
    data = f"{method} {path} HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n\r\n"
    return asks(address, source, data.encode(), 400, 404, 405)


@attack
def stray_path(address: str, source: Source) -> str | None:
    """Request files outside the page."""
    data = f"GET {source.choice(PATHS)} HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n\r\n"
    return asks(address, source, data.encode(), 400, 404)


@attack
def large_board(address: str, source: Source) -> str | None:
    """Ask about a board as large as a body may be, and go after a second."""
    pegs = source.choice((100, 1000, 10_000))
    row = "-".join(str(source.randint(1, 100)) for _ in range(pegs))
    board = f"{pegs}x100" + "".join(
        f"/{row}={pegs // 4}.{pegs // 4}" for _ in range(200_000 // len(row))
    )
    question = source.choice(("check", "count", "odds", "suggest", "steps"))
    with closing(connect(address, own(source))) as there:
        say(there, [post(address, question, json.dumps({"board": board}))])
        there.settimeout(1)
        try:
            status = hear(there)
        except TimeoutError:
            return None
    return None if status in (200, 400, 422) else f"{status} for a large board"


@attack
def cancelled_requests(address: str, source: Source) -> str | None:
    """Ask hard questions, and hang up at any moment."""
    client = own(source)
    for _ in range(5):
        there = connect(address, client)
        say(there, [hard_question(address, source)], pause=source.expovariate(8))
        reset(there)
    return None


@attack
def flood_of_hard_boards(address: str, source: Source) -> str | None:
    """Ask more hard questions at once than a client may, and go after a second."""
    with crowd(address, [own(source, CROWDED)] * 80) as opened:
        for there in opened:
            say(there, [hard_question(address, source)])
        time.sleep(1)
    return None
