"""Error documents: an HTTP status, a message, and the faults of the input."""

import re
from typing import Any

from mmsat.errors import InconsistentError, InputError, MmsatError, SizeError, TimeLimitError
from mmsat.game.names import LISTED_NAME

(
    BAD_REQUEST,
    GATEWAY_TIMEOUT,
    CONTENT_TOO_LARGE,
    REQUEST_TIMEOUT,
    UNPROCESSABLE,
    INTERNAL_ERROR,
    UNAVAILABLE,
) = 400, 504, 413, 408, 422, 500, 503
COMMAND = re.compile(r"\bmmsat [a-z]|--[a-z]")
"""A command or an option of the command line. Rules with one are omitted, because they do not apply
to the page."""
NO_CODE = "No code gets these scores."


def error_document(status: int, message: str, faults: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Return an error document."""
    return {"status": status, "message": message, "faults": list(faults)}


def document_of_error(error: Exception) -> dict[str, Any]:
    """Return the error document of an exception.

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
