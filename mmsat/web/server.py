"""The server: the application, its security headers, and its startup and shutdown."""

from __future__ import annotations

import gc
import logging
import resource
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from mmsat.web.pool import Limits, Pool
from mmsat.web.routes import ROUTES

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine in URLs. A local server refuses requests to other names."""
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors "
)
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-cache",
}
BACKLOG = 1024
"""Maximum number of connections that wait to be accepted."""
MAX_CONNECTIONS = 2000
"""Maximum number of open connections. If there are more, every request gets status 503."""
UNREAD_SECONDS = 10
"""Seconds after which the system resets a connection if the client does not read the answer."""
GC_THRESHOLD = 700
"""The threshold of the garbage collector. It is the default of Python."""
LOG = logging.getLogger(__name__)
RESERVED_FILES = 256
"""Number of open files that are reserved for workers and pages. Connections may use the others."""


class SafeHeaders:
    """Middleware that adds security headers to every response.

    The pages of the origins `embedders` may show the page in a frame.
    """

    def __init__(self, app: ASGIApp, embedders: Sequence[str]) -> None:
        self.app = app
        policy = CONTENT_SECURITY_POLICY + (" ".join(embedders) or "'none'")
        self.headers = HEADERS | {b"content-security-policy": policy.encode()}
        if not embedders:
            self.headers[b"x-frame-options"] = b"DENY"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application, and add the headers to its response."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self.headers.items()]
            await send(message)

        await self.app(scope, receive, send_safely if scope["type"] == "http" else send)


def make_app(
    limits: Limits | None = None,
    hosts: Sequence[str] = LOCAL_HOSTS,
    embedders: Sequence[str] = (),
) -> Starlette:
    """Return the application. It accepts requests to the given host names; "*" means any name.

    The pages of the origins `embedders` may show the page in a frame; "*" means every page.
    """
    pool = Pool(limits or Limits())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = pool
        await pool.open()
        LOG.debug("%d workers in each lane are ready", pool.limits.workers)
        try:
            yield
        finally:
            await pool.close()
            LOG.debug("all workers are ended")

    trusted = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return Starlette(
        routes=ROUTES,
        middleware=[Middleware(SafeHeaders, embedders=embedders), trusted],
        lifespan=lifespan,
    )


class Server(uvicorn.Server):
    """A server that calls `on_ready` as soon as it accepts connections."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, then call `on_ready`."""
        await super().startup(sockets)
        if self.started:
            self.on_ready()


def is_local(host: str) -> bool:
    """Return whether a host can be reached from this machine only."""
    return bracket(host) in LOCAL_HOSTS


def bracket(host: str) -> str:
    """Return a host in the form of URLs, with brackets around an IPv6 address."""
    return f"[{host}]" if ":" in host else host


def raise_file_limit() -> int:
    """Raise the limit on open files of this process; return the maximum number of connections."""
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY not in (soft_limit, hard_limit):
        soft_limit = max(soft_limit, min(2 * MAX_CONNECTIONS, hard_limit))
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft_limit, hard_limit))
        return min(MAX_CONNECTIONS, max(1, (soft_limit - RESERVED_FILES) * 4 // 5))
    return MAX_CONNECTIONS


def create_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket. Its connections are reset if the client reads nothing."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD_SECONDS)
    return listener


def run(
    host: str,
    port: int,
    on_ready: Callable[[int], None],
    limits: Limits | None = None,
    embedders: Sequence[str] = (),
) -> None:
    """Serve until Ctrl-C; `on_ready` is called with the port.

    Port 0 selects a free port. Pages of the origins `embedders` may show the page in a frame.
    Raises OSError if the port is in use.
    """
    # The command line sets a high threshold, which would waste memory in a server.
    gc.set_threshold(GC_THRESHOLD)
    with create_listener(host, port) as listener:
        actual_port = listener.getsockname()[1]
        config = uvicorn.Config(
            make_app(limits, LOCAL_HOSTS if is_local(host) else ("*",), embedders),
            log_level="critical",  # omits errors about requests that Ctrl-C cancels
            http="h11",
            limit_concurrency=raise_file_limit(),
            headers=[("connection", "close")],  # uvicorn would buffer any number of requests
            timeout_graceful_shutdown=1,
            server_header=False,
            ws="none",
        )
        Server(config, lambda: on_ready(actual_port)).run(sockets=[listener])


def open_browser(address: str) -> None:
    """Open the page in the browser."""
    webbrowser.open(address)
