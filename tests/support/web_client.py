"""A plain client of the server."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

ENDLESS = "28x8/" + "/".join(
    f"{''.join(str((peg * peg * step + peg // 3) % 8 + 1) for peg in range(28))}=4.12"
    for step in (1, 2, 3, 5, 6, 7)
)
"""A board with too many codes for every method of counting."""


def connect(address, *, source=None, timeout=60):
    """Return a connection to a server; `source` is the address of the client."""
    parts = urlsplit(address)
    source_address = None if source is None else (source, 0)
    return HTTPConnection(
        parts.hostname, parts.port, timeout=timeout, source_address=source_address
    )


def fetch(address, path, *, method="GET", body=None, headers=None, source=None):
    """Return the status, the headers and the body of the response to a request."""
    connection = connect(address, source=source)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, dict(response.headers.items()), response.read()
    finally:
        connection.close()


def ask(address, question, *, source=None, **parameters):
    """Return the status and the document of the response to a question."""
    path = f"/api/{question}?{urlencode(parameters)}"
    status, _, body = fetch(address, path, source=source)
    return status, json.loads(body)


def events(address, question, **parameters):
    """Yield the kind and the document of each event of a question."""
    headers = {"Accept": "text/event-stream", "Content-Type": "application/json"}
    _, response_headers, body = fetch(
        address, f"/api/{question}", method="POST", body=json.dumps(parameters), headers=headers
    )
    assert response_headers["content-type"].startswith("text/event-stream")
    for block in body.decode().split("\n\n")[:-1]:
        event, data = block.split("\n")
        yield event.removeprefix("event: "), json.loads(data.removeprefix("data: "))
