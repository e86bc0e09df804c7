"""The server holds out against hostile clients, and answers others meanwhile."""

from __future__ import annotations

import random
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic, sleep
from urllib.parse import urlsplit

import pytest

from benchmarks.serve.clients import GOOD, is_late, is_right
from benchmarks.serve.hostile import ATTACKS, connect, crowd, say
from benchmarks.serve.processes import Family
from mmsat.web.server import create_listener
from tests.support import tiers
from tests.support.web_client import fetch
from tests.support.web_server import serving

pytestmark = pytest.mark.long


def test_hostile_clients_all_at_once_keep_nobody_from_right_answers():
    """Each in turn is what `python -m benchmarks serve --minutes 60` does for an hour."""
    times = tiers.share(6, least=2)
    with serving() as (process, address):
        family = Family(process.pid)
        before = family.sample()
        with ThreadPoolExecutor(len(ATTACKS)) as hostile:
            texts = {
                f"{name} {number}": hostile.submit(client, address, random.Random(number))
                for name, client in ATTACKS.items()
                for number in range(times)
            }
            answers = [
                answer
                for number in range(4 * times)
                for client in GOOD.values()
                for answer in client(address, f"127.0.1.{number + 1}", random.Random(number))
            ]
        after = family.sample()
    assert {name: entry.result() for name, entry in texts.items() if entry.result()} == {}
    assert [answer for answer in answers if not is_late(answer) and not is_right(*answer)] == []
    assert len(answers) >= 9 * times
    assert after.processes <= before.processes + 4
    assert after.files < 1000


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="needs prlimit of util-linux")
def test_more_connections_than_the_limit_are_answered_by_503_until_some_end():
    """With 306 files the limit is 40 connections: 256 are reserved, and a fifth of the others."""
    with serving(prefix=("prlimit", "--nofile=306:306")) as (_, address):
        with crowd(address, [f"127.0.4.{number + 1}" for number in range(45)]) as opened:
            assert len(opened) == 45
            for there in opened[:30]:
                say(there, [b"POST /api/check HTTP/1.1\r\n"])
            status, headers, body = fetch(address, "/api")
            assert (status, body) == (503, b"Service Unavailable")
            assert "content-security-policy" not in headers
        deadline = monotonic() + 30
        while (status := fetch(address, "/api")[0]) == 503 and monotonic() < deadline:
            sleep(0.1)
        assert status == 200


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="needs a Linux socket option")
def test_connections_are_reset_if_the_client_reads_nothing():
    """A minute of tests is too long to wait for it; the system promises the rest."""
    with (
        create_listener("127.0.0.1", 0) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000


def test_requests_that_are_sent_ahead_get_no_answer():
    """So nothing buffers them: a connection ends with its first answer."""
    received = b""
    with serving() as (_, address):
        request = f"GET /api HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n\r\n".encode()
        with suppress(ConnectionError), connect(address, "127.0.4.1") as there:
            there.sendall(request * 5)
            while data := there.recv(1 << 16):
                received += data
    assert received.count(b"HTTP/1.1 200 OK") == 1
