"""Standard output and error: text in any encoding, closed pipes, and logging."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import click

LEVELS = ("debug", "info", "warning", "error")
FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_to_stderr(level: str | None = None) -> None:
    """Write the log of mmsat to standard error, from `level` upwards; by default, from warning."""
    import logging

    logging.basicConfig(format=FORMAT)
    if level is not None:
        logging.getLogger("mmsat").setLevel(level.upper())


class Output:
    """A stream that discards further output once its reader has closed the pipe.

    So the exit code of mmsat in `mmsat check BOARD | head -1` does not depend on when `head` ends.
    Commands with unlimited output stop when `is_reader_gone` is True.
    """

    def __init__(self, stream: Any) -> None:
        """Wrap a stream."""
        self.stream = stream
        self.is_reader_gone = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write text; if the reader is gone, discard it."""
        if not self.is_reader_gone:
            try:
                self.stream.write(text)
            except BrokenPipeError:
                self.redirect_to_null()
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write line by line until the reader is gone."""
        for line in lines:
            if self.is_reader_gone:
                break
            self.write(line)

    def flush(self) -> None:
        """Flush the stream."""
        try:
            self.stream.flush()
        except BrokenPipeError:
            self.redirect_to_null()

    def redirect_to_null(self) -> None:
        """Redirect the stream to the null device.

        Otherwise the interpreter would flush the buffered output again at its end, and fail.
        """
        self.is_reader_gone = True
        with suppress(OSError, ValueError):  # a stream without a file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())


def is_reader_gone() -> bool:
    """Return whether the reader of standard output is gone."""
    return getattr(sys.stdout, "is_reader_gone", False)


def wrap_streams() -> None:
    """Wrap standard output and error; streams closed by the caller lead to the null device."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
        elif hasattr(stream, "reconfigure"):  # symbols outside the encoding must not raise
            stream.reconfigure(errors="backslashreplace")
        setattr(sys, name, stream if isinstance(stream, Output) else Output(stream))


def flush_output() -> bool:
    """Flush standard output and return True; if that fails, print an error and return False."""
    try:
        sys.stdout.flush()
    except OSError as error:
        report_write_error(error)
        return False
    return True


def report_write_error(error: OSError) -> None:
    """Print that standard output cannot be written, and discard further output."""
    click.echo(f"Error: standard output: {error.strerror}", err=True)
    if isinstance(sys.stdout, Output):
        sys.stdout.redirect_to_null()
