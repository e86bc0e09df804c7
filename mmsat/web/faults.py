"""What goes wrong, as a status of HTTP and a document."""

import re
from typing import Any

from mmsat.errors import InconsistentError, InputError, MmsatError, SizeError, TimeLimitError
from mmsat.game.names import LISTED_NAME

BAD, LATE, LARGE, SLOW, UNFIT, BROKEN, BUSY = 400, 504, 413, 408, 422, 500, 503
COMMAND = re.compile(r"\bmmsat [a-z]|--[a-z]")
"""Part of a command line, which nobody can enter on the page."""
NO_CODE = "No code gets these scores."


def tell(status: int, message: str, faults: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The document of a failure: its status, a sentence, and each fault of the input."""
    return {"status": status, "message": message, "faults": list(faults)}


def tell_error(error: Exception) -> dict[str, Any]:
    """The document of an exception; what is no MmsatError is a bug, of which strangers see none."""
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
        return tell(BAD, str(error), faults)
    if isinstance(error, TimeLimitError):
        return tell(LATE, str(error))
    if isinstance(error, InconsistentError):
        return tell(UNFIT, NO_CODE)
    if isinstance(error, SizeError) and error.limit:
        work, limit, size = error.limit
        return tell(UNFIT, f"{work[0].upper()}{work[1:]}: possible for {limit}; this is {size}.")
    if isinstance(error, MmsatError):
        return tell(UNFIT, str(error))
    if isinstance(error, MemoryError):
        return tell(UNFIT, "The memory is not enough for this board.")
    return tell(BROKEN, f"mmsat failed, which is a bug: {type(error).__name__}.")
