"""The process that answers questions, and its error documents. It reads and writes JSON Lines.

    {"question": "check", "given": {"board": "4x6/1122=1.1"}, "seconds": 60}
    {"note": {...}}        a partial result, any number of times
    {"answer": {...}}      or {"error": {...}}, once; "last": true if the process must be replaced

It is forked from the fork server of multiprocessing, which has imported all modules and answered
each common question once (`warm_up`), so that a new process starts in milliseconds. Each process
leads a process group, so that it can be killed together with the processes that it started.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
from typing import TYPE_CHECKING, Any

from mmsat._util.processes import obey_parent
from mmsat._util.registry import allow_only
from mmsat.errors import InconsistentError, InputError, MmsatError, SizeError, TimeLimitError
from mmsat.game.names import LISTED_NAME
from mmsat.solving.deadline import TimeUpError
from mmsat.web.questions import answer

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

BAD_REQUEST = 400
REQUEST_TIMEOUT = 408
CONTENT_TOO_LARGE = 413
UNPROCESSABLE = 422
INTERNAL_ERROR = 500
UNAVAILABLE = 503
GATEWAY_TIMEOUT = 504
# The constants above are the HTTP status codes in error documents.
COMMAND = re.compile(r"\bmmsat [a-z]|--[a-z]")
"""Matches a command or an option. If the rule of a fault mentions one, the rule is omitted from the
answer, because users of the page have no command line."""
NO_CODE = "No code gets these scores."


def error_document(status: int, message: str, faults: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Return an error document."""
    return {"status": status, "message": message, "faults": list(faults)}


def convert_exception(error: Exception) -> dict[str, Any]:
    """Convert an exception to its error document.

    Exceptions that are neither MmsatError nor MemoryError are bugs. Their messages are not sent,
    because clients can be strangers.
    """
    if isinstance(error, InputError):
        faults = tuple(
            {
                "source": error.source,
                "line": fault.line,
                "column": fault.column,
                "part": fault.part,
                "found": None if fault.found is None else str(fault.found)[:200],
                # LISTED_NAME mentions a command, too.
                "expected": fault.expected.replace(LISTED_NAME, "the name of a published game"),
                "rule": "" if COMMAND.search(fault.rule) else fault.rule,
            }
            for fault in error.faults
        )
        return error_document(BAD_REQUEST, str(error), faults)
    if isinstance(error, TimeLimitError):
        return error_document(GATEWAY_TIMEOUT, str(error))
    if isinstance(error, InconsistentError):
        return error_document(UNPROCESSABLE, NO_CODE)
    if isinstance(error, SizeError) and error.limit:
        work, limit, size = error.limit
        return error_document(
            UNPROCESSABLE, f"{work[0].upper()}{work[1:]}: possible for {limit}; this is {size}."
        )
    if isinstance(error, MmsatError):
        return error_document(UNPROCESSABLE, str(error))
    if isinstance(error, MemoryError):
        return error_document(UNPROCESSABLE, "There is not enough memory for this board.")
    return error_document(INTERNAL_ERROR, f"mmsat failed because of a bug: {type(error).__name__}.")


MAX_MEMORY_GROWTH = 2
"""If the peak memory of a process is more than this multiple of that at its start, the process is
replaced."""
LATE_MESSAGE = "The time limit was reached before the work was finished."
WARM_UP_BOARDS = ("4x6/1122=1.1", "4x6/1122=4.0/1133=4.0")
WARM_UP_QUESTIONS = ("board", "check", "explain", "count", "codes", "odds", "suggest", "steps")
"""The questions that `warm_up` answers for each of WARM_UP_BOARDS: a consistent board and an
inconsistent one."""


def warm_up() -> None:
    """Answer each common question once, so that the modules for it are imported."""
    for board in WARM_UP_BOARDS:
        for question in WARM_UP_QUESTIONS:
            respond(
                {"question": question, "given": {"board": board}, "seconds": 10.0}, ignore_message
            )


def serve(link: socket, memory: int, plugins: tuple[str, ...] = ()) -> None:
    """Answer questions until the server closes the socket.

    - `memory`: the limit of the address space in bytes.
    - `plugins`: the plug-ins that questions may use.
    """
    allow_only(plugins)
    os.setsid()
    obey_parent()
    sys.set_int_max_str_digits(0)  # the number of codes may have 300,000 digits
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    max_peak = MAX_MEMORY_GROWTH * peak_memory()
    with link, link.makefile("rw", encoding="utf-8") as lines:

        def write(kind: str, document: dict[str, Any]) -> None:
            """Send a message; an answer or error includes whether to replace this process."""
            message: dict[str, Any] = {kind: document}
            if kind != "note" and peak_memory() > max_peak:
                message["last"] = True
            print(json.dumps(message), file=lines, flush=True)

        for line in lines:
            respond(json.loads(line), write)


def peak_memory() -> int:
    """Return the peak memory of this process, in the unit of the system."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def respond(request: dict[str, Any], write: Callable[[str, dict[str, Any]], None]) -> None:
    """Answer one question.

    `write` is called for each message, with its kind ("note", "answer" or "error") and document.
    """

    def note(document: dict[str, Any]) -> None:
        write("note", document)

    try:
        write("answer", answer(request["question"], request["given"], request["seconds"], note))
    except TimeUpError:
        write("error", error_document(GATEWAY_TIMEOUT, LATE_MESSAGE))
    except Exception as error:  # noqa: BLE001  (sent to the client; the worker continues)
        write("error", convert_exception(error))


def ignore_message(kind: str, document: dict[str, Any]) -> None:
    """Ignore a message, for `warm_up`."""
