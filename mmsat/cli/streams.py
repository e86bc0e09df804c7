"""Standard output and error: fit for any text, and quiet once their reader has gone."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import click


class Output:
    """A stream; once nobody reads it, what is written goes nowhere.

    So a command in `mmsat check BOARD | head -1` ends as it would have, whenever head leaves; one
    that would go on and on looks at `is_gone`.
    """

    def __init__(self, stream: Any) -> None:
        """Take the stream."""
        self.stream = stream
        self.is_gone = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write, unless nobody reads."""
        if not self.is_gone:
            try:
                self.stream.write(text)
            except BrokenPipeError:
                self.close_quietly()
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write line by line, as long as somebody reads."""
        for line in lines:
            if self.is_gone:
                break
            self.write(line)

    def flush(self) -> None:
        """Send what is written."""
        try:
            self.stream.flush()
        except BrokenPipeError:
            self.close_quietly()

    def close_quietly(self) -> None:
        """Let what is still to be written go nowhere; Python tries again at its end, and fails."""
        self.is_gone = True
        with suppress(OSError, ValueError):  # a stream that is no file needs nothing
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())


def is_gone() -> bool:
    """Whether nobody reads standard output any more."""
    return getattr(sys.stdout, "is_gone", False)


def open_streams() -> None:
    """Make the streams fit for any text, and put something where the caller closed them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
        elif hasattr(stream, "reconfigure"):  # a symbol that a terminal lacks is no failure
            stream.reconfigure(errors="backslashreplace")
        setattr(sys, name, stream if isinstance(stream, Output) else Output(stream))


def close_streams() -> bool:
    """Whether all output has arrived; tells it if not."""
    try:
        sys.stdout.flush()
    except OSError as error:
        complain(error)
        return False
    return True


def complain(error: OSError) -> None:
    """Tell that standard output cannot be written."""
    click.echo(f"Error: standard output: {error.strerror}", err=True)
    if isinstance(sys.stdout, Output):
        sys.stdout.close_quietly()
