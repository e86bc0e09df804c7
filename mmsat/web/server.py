"""The server: its routes, its security headers, and its startup and shutdown.

There are routes for questions (answered as JSON or as events), schemas, documentation and the page.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import resource
import socket
import webbrowser
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from mmsat.web.pool import Limits, Pool
from mmsat.web.questions import ALIASES, QUESTIONS
from mmsat.web.worker import BAD_REQUEST, CONTENT_TOO_LARGE, REQUEST_TIMEOUT, error_document

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ROOT = Path(__file__).parent
SCHEMAS = ROOT.parent / "schemas"
DOCUMENTATION = ROOT / "interface.txt"
EVENT_STREAM = "text/event-stream"


class RefusedError(Exception):
    """A request is refused. The argument is the error document."""


async def ask(request: Request) -> Response:
    """Answer a question as JSON, or as server-sent events if the client accepts them.

    The work is canceled when the client disconnects.
    """
    question = request.path_params["question"]
    question = ALIASES.get(question, question)
    if question not in QUESTIONS:
        return refuse(
            error_document(404, f"No such question. The questions are {', '.join(QUESTIONS)}.")
        )
    try:
        arguments = await read_arguments(request)
    except RefusedError as refusal:
        return refuse(refusal.args[0])
    pool: Pool = request.app.state.pool
    client = request.client.host if request.client else ""
    messages = pool.ask(client, question, arguments)
    if EVENT_STREAM in request.headers.get("accept", ""):
        return StreamingResponse(stream(messages), media_type=EVENT_STREAM)
    work = asyncio.ensure_future(last_message(messages))
    disconnect = asyncio.ensure_future(wait_for_disconnect(request))
    try:
        await asyncio.wait({work, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            return Response(status_code=499)  # the client has disconnected and does not read it
        message = work.result()
    finally:
        for task in (work, disconnect):
            task.cancel()
        await asyncio.gather(work, disconnect, return_exceptions=True)
    if "error" in message:
        return refuse(message["error"])
    return JSONResponse(message["answer"])


async def last_message(messages: AsyncGenerator[dict[str, Any], None]) -> dict[str, Any]:
    """Return the last message, which is the answer or the error."""
    async with aclosing(messages):
        return [message async for message in messages][-1]


async def stream(messages: AsyncGenerator[dict[str, Any], None]) -> AsyncGenerator[str, None]:
    """Yield each message as an event. The work is canceled when the client disconnects."""
    async with aclosing(messages):
        async for message in messages:
            for kind, document in message.items():
                yield f"event: {kind}\ndata: {json.dumps(document)}\n\n"


async def wait_for_disconnect(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def read_arguments(request: Request) -> dict[str, Any]:
    """Return the arguments in the query string or the JSON body; raise RefusedError."""
    limits = request.app.state.pool.limits
    if len(request.scope["query_string"]) > limits.max_body:
        raise RefusedError(
            error_document(
                CONTENT_TOO_LARGE, f"The address is too large: at most {limits.max_body >> 10} KiB."
            )
        )
    query = parse_qsl(request.scope["query_string"].decode("ascii", "replace"))
    if request.method == "GET":
        return parse_unique(query)
    if query:
        raise RefusedError(
            error_document(BAD_REQUEST, "The parameters of a POST request must be in its body.")
        )
    body = bytearray()
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limits.max_body:
                    raise RefusedError(
                        error_document(
                            CONTENT_TOO_LARGE,
                            f"The request is too large: at most {limits.max_body >> 10} KiB.",
                        )
                    )
    except TimeoutError:
        seconds = f"{limits.body_seconds:g} seconds"
        raise RefusedError(
            error_document(REQUEST_TIMEOUT, f"The body did not arrive within {seconds}.")
        ) from None
    try:
        arguments = json.loads(body, object_pairs_hook=parse_unique)
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        raise RefusedError(
            error_document(
                BAD_REQUEST, 'The body must be a JSON object such as {"board": "4x6/1122=1.1"}.'
            )
        )
    return arguments


def parse_unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return names with their values; raise RefusedError if a name has several values."""
    value_of = dict(pairs)
    if len(value_of) < len(pairs):
        ((name, number),) = Counter(name for name, _ in pairs).most_common(1)
        raise RefusedError(
            error_document(BAD_REQUEST, f"The name {name[:100]!r} is given {number} times.")
        )
    return value_of


def refuse(document: dict[str, Any]) -> Response:
    """Return the response with an error document."""
    headers = {"Retry-After": "1"} if document["status"] == 503 else None
    return JSONResponse({"error": document}, document["status"], headers=headers)


async def schema(request: Request) -> Response:
    """Return the schema of an answer."""
    file = SCHEMAS / f"{request.path_params['name']}.json"
    if file.parent != SCHEMAS or not file.is_file():
        return refuse(error_document(404, "No such schema."))
    return FileResponse(file, media_type="application/schema+json")


async def documentation(request: Request) -> Response:
    """Return the documentation of the HTTP interface."""
    return PlainTextResponse(describe(request.app.state.pool.limits))


ROUTES = [
    Route("/api", documentation),
    Route("/api/schema/{name:str}", schema),
    Route("/api/{question:str}", ask, methods=["GET", "POST"]),
    Mount("/", StaticFiles(directory=ROOT / "page", html=True)),
]


def describe(limits: Limits) -> str:
    """Return the documentation of the HTTP interface, in Markdown, with the given limits."""
    text = DOCUMENTATION.read_text("utf-8")
    for name, value in (asdict(limits) | {"memory": limits.memory >> 20}).items():
        text = text.replace(f"{{{name}}}", f"{value:g}" if isinstance(value, float) else str(value))
    return text + "\n".join(_questions())


def _questions() -> Iterator[str]:
    """Yield the lines of the documentation of all questions."""
    for name, question in QUESTIONS.items():
        yield f"### {name}\n\n{question.summary} Schema: `/api/schema/{question.schema}`.\n"
        for parameter_name, parameter in question.parameters.items():
            default = "required" if parameter.is_required else f"default {parameter.default!r}"
            yield f"- `{parameter_name}`: {parameter.rule} ({default})"
        yield ""


LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine in URLs. A local server refuses requests to other names."""
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors "
)
"""The policy of every response. The origins that may show the page in a frame are appended."""
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-cache",
}
"""The headers of every response, in addition to the policy."""
BACKLOG = 1024
"""Maximum number of connections that wait to be accepted."""
MAX_CONNECTIONS = 2000
"""Maximum number of open connections. If there are more, every request gets status 503."""
STALLED_CLIENT_SECONDS = 10
"""Seconds after which the system resets a connection if the client does not read the answer."""
DEFAULT_GC_THRESHOLD = 700
"""The default threshold of the garbage collector of Python."""
ERRORS = {
    400: "The server does not answer to this host name.",
    404: "No such page. /api describes the questions.",
    405: "Use GET or POST.",
}
"""The messages for errors of the framework, by status."""
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


class JsonErrors:
    """Middleware that converts the errors of the framework, which are plain text, to JSON."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application, and send its response; an error in plain text becomes JSON."""
        start: Message | None = None

        async def send_as_json(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                headers = Headers(raw=message["headers"])
                is_plain = headers.get("content-type", "").startswith("text/plain")
                if is_plain and message["status"] >= BAD_REQUEST:
                    start = message
                    return
            if start is None:
                await send(message)
                return
            text = f"{message.get('body', b'').decode()}."
            response = refuse(error_document(start["status"], ERRORS.get(start["status"], text)))
            allowed = Headers(raw=start["headers"]).get("allow")
            if allowed is not None:
                response.headers["allow"] = allowed
            await response(scope, receive, send)

        await self.app(scope, receive, send_as_json if scope["type"] == "http" else send)


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
        middleware=[Middleware(SafeHeaders, embedders=embedders), Middleware(JsonErrors), trusted],
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
        # One fifth of the files that are not reserved remains free as a margin.
        return min(MAX_CONNECTIONS, max(1, (soft_limit - RESERVED_FILES) * 4 // 5))
    return MAX_CONNECTIONS


def create_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket. Its connections are reset if the client reads nothing."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
        milliseconds = 1000 * STALLED_CLIENT_SECONDS
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
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
    gc.set_threshold(DEFAULT_GC_THRESHOLD)
    with create_listener(host, port) as listener:
        actual_port = listener.getsockname()[1]
        config = uvicorn.Config(
            make_app(limits, LOCAL_HOSTS if is_local(host) else ("*",), embedders),
            log_level="critical",  # omits errors about requests that Ctrl-C cancels
            http="h11",
            limit_concurrency=raise_file_limit(),
            # One request per connection: uvicorn would buffer any number of further requests.
            headers=[("connection", "close")],
            timeout_graceful_shutdown=1,
            server_header=False,
            ws="none",
        )
        Server(config, lambda: on_ready(actual_port)).run(sockets=[listener])


def open_browser(address: str) -> None:
    """Open the page in the browser."""
    webbrowser.open(address)
