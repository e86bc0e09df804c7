"""The process that answers questions: JSON lines in, JSON lines out.

    {"question": "check", "given": {"board": "4x6/1122=1.1"}, "seconds": 60}
    {"note": {...}}        what is known so far, any number of times
    {"answer": {...}}      or {"error": {...}}, once; with "last": true, it takes no more questions

It is forked from a server of multiprocessing that has loaded and done everything once (warm_up), so
that a new one is there in some milliseconds. Each is the first of a group of processes, so that it
can be ended with all that it started.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from typing import TYPE_CHECKING, Any

from mmsat.solving.deadline import TimeUpError
from mmsat.solving.worker import obey_parent
from mmsat.web.faults import LATE, tell, tell_error
from mmsat.web.questions import answer

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

GROWTH = 2
"""How many times the memory that it began with a process may have taken, to be asked again."""
LATE_WORDS = "The time limit was reached before there was an answer."
EXAMPLES = ("4x6/1122=1.1", "4x6/1122=4.0/1133=4.0")
USUAL = ("board", "check", "explain", "count", "codes", "odds", "suggest", "steps")


def warm_up() -> None:
    """Ask everything once, so that what it loads is there."""
    for board in EXAMPLES:
        for question in USUAL:
            respond(
                {"question": question, "given": {"board": board}, "seconds": 10.0}, print_nothing
            )


def serve(link: socket, memory: int) -> None:
    """Answer questions until the other side hangs up."""
    os.setsid()
    obey_parent()
    sys.set_int_max_str_digits(0)  # the number of codes may have 300,000 digits
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    most = GROWTH * peak()
    with link, link.makefile("rw", encoding="utf-8") as lines:

        def write(kind: str, document: dict[str, Any]) -> None:
            message: dict[str, Any] = {kind: document}
            if kind != "note" and peak() > most:
                message["last"] = True
            print(json.dumps(message), file=lines, flush=True)

        for line in lines:
            respond(json.loads(line), write)


def peak() -> int:
    """The most memory that this process has taken, in the system's unit."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def respond(request: dict[str, Any], write: Callable[[str, dict[str, Any]], None]) -> None:
    """Answer one question."""

    def note(document: dict[str, Any]) -> None:
        write("note", document)

    try:
        write("answer", answer(request["question"], request["given"], request["seconds"], note))
    except TimeUpError:
        write("error", tell(LATE, LATE_WORDS))
    except Exception as error:  # noqa: BLE001  (told to the client, and the worker goes on)
        write("error", tell_error(error))


def print_nothing(kind: str, document: dict[str, Any]) -> None:
    """Take an answer that nobody asked for."""
