"""Connections of clients, with timeouts for sending requests and for reading answers.

uvicorn has no timeout for the head of a request, nor for a client that does not read its answer. So
some thousand idle connections would lock all other clients out. It also buffers any number of
pipelined requests.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

TIMEOUT_SECONDS = 10.0
"""Timeout in seconds for receiving a request, and for sending buffered parts of an answer."""
MAX_PIPELINED_BYTES = 1 << 16
"""Maximum number of bytes received while a request is processed; browsers do not pipeline."""
MAX_CONNECTIONS = 2000
"""Maximum number of connections of all clients; beyond it, idle connections are closed."""


class Connection(H11Protocol):
    """The HTTP/1.1 protocol with read and write timeouts."""

    request_timeout: asyncio.TimerHandle | None = None
    """The timeout for receiving a complete request; None while one is processed."""
    write_timeout: asyncio.TimerHandle | None = None
    """The timeout for sending buffered data; None unless writing is paused."""

    pipelined_bytes: int = 0
    """Number of bytes received while requests were processed, since the connection was idle."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection; if there are too many, close idle ones of the busiest client."""
        super().connection_made(transport)
        self.update_request_timeout()
        # with `limit_concurrency`, uvicorn would reject the new client instead
        limit, self.limit_concurrency = self.limit_concurrency or MAX_CONNECTIONS, None
        if len(self.connections) > limit:
            close_idle_connections(cast("set[Connection]", self.connections), limit // 10)

    @property
    def host(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeouts."""
        super().connection_lost(exc)
        for timer in (self.request_timeout, self.write_timeout):
            if timer is not None:
                timer.cancel()

    def update_request_timeout(self) -> None:
        """Start the timeout for a request, or cancel it while a request is processed.

        A running timeout is not restarted by further bytes of the same request.
        """
        if not self.is_busy():
            self.pipelined_bytes = 0
            if self.request_timeout is None:
                self.request_timeout = self.loop.call_later(TIMEOUT_SECONDS, self.transport.abort)
        elif self.request_timeout is not None:
            self.request_timeout.cancel()
            self.request_timeout = None

    def is_busy(self) -> bool:
        """Return whether a request is being processed."""
        return self.cycle is not None and not self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        """Receive data; abort the connection if it pipelines too many bytes.

        uvicorn would buffer any number of further requests.
        """
        if self.is_busy() and not self.cycle.more_body:
            self.pipelined_bytes += len(data)
            if self.pipelined_bytes > MAX_PIPELINED_BYTES:
                self.transport.abort()
                return
        super().data_received(data)
        self.update_request_timeout()

    def on_response_complete(self) -> None:
        """Continue with the next request, and start its timeout."""
        super().on_response_complete()
        self.update_request_timeout()

    def pause_writing(self) -> None:
        """Stop writing, because the client does not read, and start the write timeout."""
        super().pause_writing()
        self.write_timeout = self.loop.call_later(TIMEOUT_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Resume writing, because the client has read, and cancel the write timeout."""
        super().resume_writing()
        if self.write_timeout is not None:
            self.write_timeout.cancel()
            self.write_timeout = None


def close_idle_connections(connections: set[Connection], max_closed: int) -> None:
    """Close up to `max_closed` idle connections of the client with the most connections.

    Those that have been waiting for a request for the longest time are closed.
    """
    ((host, _),) = Counter(connection.host for connection in connections).most_common(1)
    idle = [
        (item.request_timeout.when(), id(item), item)
        for item in connections
        if item.request_timeout
    ]
    for _, _, connection in sorted(entry for entry in idle if entry[-1].host == host)[:max_closed]:
        connections.discard(connection)
        connection.transport.abort()
