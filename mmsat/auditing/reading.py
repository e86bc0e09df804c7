"""Opening of log files, as text or as lines of bytes, with the progress through all files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from typing import TextIO

from mmsat.files import find_encoding


class Reading:
    """Progress through the logs."""

    def __init__(self, paths: Sequence[str] = ()) -> None:
        """Add up the sizes of all files."""
        self.total = sum(os.path.getsize(file) for path in paths for file in list_files(path))
        self.before = 0.0
        """Bytes of the files that were read to their end."""
        self.file: BufferedReader | None = None
        """The file that is being read."""

    @property
    def share(self) -> float:
        """The fraction of all bytes that is read, from 0 to 1."""
        read = self.before + (self.file.tell() if self.file else 0)
        return min(1.0, read / self.total) if self.total else 1.0

    @contextmanager
    def open(self, path: str, newline: str | None = None) -> Iterator[TextIO]:
        """Open a text file in the encoding of its first bytes; `newline` is as in `open`.

        Bytes that are not text become surrogates.
        """
        with self.open_bytes(path) as file, _decode_lines(file, path, newline) as lines:
            yield lines

    @contextmanager
    def open_lines(self, path: str) -> Iterator[Iterable[bytes]]:
        """Open a text file as lines of bytes in UTF-8.

        A file is decoded, and encoded again, if it is not in UTF-8, or if its first bytes have
        carriage returns but no line feed.
        """
        with self.open_bytes(path) as file:
            start = file.peek()
            encoding = find_encoding(start[:4], path)
            if encoding.startswith("utf-8") and (b"\n" in start or b"\r" not in start):
                file.read(3 if encoding == "utf-8-sig" else 0)
                yield file
            else:
                with _decode_lines(file, path, None) as lines:
                    yield (line.encode("utf-8", "surrogateescape") for line in lines)

    @contextmanager
    def open_bytes(self, path: str) -> Iterator[BufferedReader]:
        """Open a file as it is."""
        with open(path, "rb") as file:
            self.file = file
            try:
                yield file
            finally:
                self.file, self.before = None, self.before + os.path.getsize(path)


def _decode_lines(file: BufferedReader, path: str, newline: str | None) -> TextIO:
    encoding = find_encoding(file.peek(4)[:4], path)
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    return TextIOWrapper(file, encoding=encoding, errors=errors, newline=newline)


def list_files(path: str) -> list[str]:
    """Return the files in a folder in alphabetical order, or a list of the file itself."""
    if not os.path.isdir(path):
        return [path]
    paths = (os.path.join(path, name) for name in sorted(os.listdir(path)))
    return [file for file in paths if os.path.isfile(file)]
