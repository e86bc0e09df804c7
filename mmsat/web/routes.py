"""The routes: questions, which are answered as JSON or as events, schemas, and the page."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from mmsat.web.faults import BAD_REQUEST, CONTENT_TOO_LARGE, REQUEST_TIMEOUT, error_document
from mmsat.web.pool import Limits, Pool
from mmsat.web.questions import QUESTIONS

if TYPE_CHECKING:
    from starlette.requests import Request

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
    for name, question in QUESTIONS.items():
        yield f"### {name}\n\n{question.summary} Schema: `/api/schema/{question.schema}`.\n"
        for parameter_name, parameter in question.parameters.items():
            default = "required" if parameter.is_required else f"default {parameter.default!r}"
            yield f"- `{parameter_name}`: {parameter.rule} ({default})"
        yield ""
