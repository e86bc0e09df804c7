"""A plain client of the server."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

ENDLESS = "28x8/" + "/".join(
    f"{''.join(str((peg * peg * step + peg // 3) % 8 + 1) for peg in range(28))}=4.12"
    for step in (1, 2, 3, 5, 6, 7)
)
"""A board whose codes nothing here counts."""


def connect(address, *, source=None, timeout=60):
    parts = urlsplit(address)
    there = None if source is None else (source, 0)
    return HTTPConnection(parts.hostname, parts.port, timeout=timeout, source_address=there)


def fetch(address, path, *, method="GET", body=None, headers=None, source=None):
    """Status, headers and body of one request."""
    connection = connect(address, source=source)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, dict(response.headers.items()), response.read()
    finally:
        connection.close()


def ask(address, question, *, source=None, **given):
    """Status and document of a question."""
    path = f"/api/{question}?{urlencode(given)}"
    status, _, body = fetch(address, path, source=source)
    return status, json.loads(body)


def events(address, question, **given):
    """The events of a question, as [kind, document]."""
    headers = {"Accept": "text/event-stream", "Content-Type": "application/json"}
    _, result, body = fetch(
        address, f"/api/{question}", method="POST", body=json.dumps(given), headers=headers
    )
    assert result["content-type"].startswith("text/event-stream")
    for block in body.decode().split("\n\n")[:-1]:
        event, data = block.split("\n")
        yield event.removeprefix("event: "), json.loads(data.removeprefix("data: "))
