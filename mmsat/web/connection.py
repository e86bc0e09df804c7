"""A connection of a client: one that does not go on, with asking or with reading, is ended.

uvicorn waits without end for the head of a request, and for a client to take what was answered, so
that some thousand connections that do nothing would lock all others out; and it keeps whatever a
client sends ahead.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds for the head of a request, and for taking the part of an answer that is held here."""
AHEAD = 1 << 16
"""Bytes of further requests that are taken while one is worked on; no browser sends any."""
MANY = 2000
"""Connections of all clients at once. Past them, room is made."""


class Connection(H11Protocol):
    """Speaks HTTP, and has no patience without end."""

    asking: asyncio.TimerHandle | None = None
    """Ends the connection unless a whole request has come; None while one is worked on."""
    reading: asyncio.TimerHandle | None = None
    """Ends it unless what is held for the client goes out; None while little is."""

    ahead: int = 0
    """Bytes that came while requests were worked on, since it was last idle."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and make room for it."""
        super().connection_made(transport)
        self.watch()
        most, self.limit_concurrency = self.limit_concurrency or MANY, None  # uvicorn would refuse
        if len(self.connections) > most:
            make_room(cast("set[Connection]", self.connections), most // 10)

    @property
    def host(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        for timer in (self.asking, self.reading):
            if timer is not None:
                timer.cancel()

    def watch(self) -> None:
        """Wait for a request for so long only; one byte more is no reason to wait anew."""
        if not self.is_busy():
            self.ahead = 0
            if self.asking is None:
                self.asking = self.loop.call_later(PATIENCE, self.transport.abort)
        elif self.asking is not None:
            self.asking.cancel()
            self.asking = None

    def is_busy(self) -> bool:
        """Whether a request is worked on."""
        return self.cycle is not None and not self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        """Take what the client sent; uvicorn would keep any number of further requests."""
        if self.is_busy() and not self.cycle.more_body:
            self.ahead += len(data)
            if self.ahead > AHEAD:
                self.transport.abort()
                return
        super().data_received(data)
        self.watch()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self.watch()

    def pause_writing(self) -> None:
        """Hold back answers, as the client does not take them."""
        super().pause_writing()
        self.reading = self.loop.call_later(PATIENCE, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on, as he does."""
        super().resume_writing()
        if self.reading is not None:
            self.reading.cancel()
            self.reading = None


def make_room(connections: set[Connection], many: int) -> None:
    """Hang up on the client who has most connections: on those that have asked nothing longest."""
    ((greedy, _),) = Counter(each.host for each in connections).most_common(1)
    idle = [(each.asking.when(), id(each), each) for each in connections if each.asking]
    for _, _, each in sorted(those for those in idle if those[-1].host == greedy)[:many]:
        connections.discard(each)
        each.transport.abort()
