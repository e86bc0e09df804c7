"""Files: their bytes read as text, and text written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


def decode(data: bytes, source: str) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; `source` is its name."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        got = data[error.start : error.start + 1]
        fault = Fault("a board file is UTF-8 text", got, "plain text", line, column)
        raise InputError([fault], source) from None


def write_file(path: Path, pieces: Iterable[str]) -> int:
    """Write a file whole or not at all, and return its size in bytes.

    It is written under another name beside its place, and renamed once it is complete. A link stays
    a link to the file that is written. A device or a pipe is no file and stays what it is: it gets
    the pieces one by one.
    """
    if _is_stream(path):
        return _poured(path, pieces)
    path = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
            size = file.tell()
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
    return size


def _is_stream(path: Path) -> bool:
    """Whether a path leads to what has no other name: a device, a pipe, or an open file.

    /dev/stdout is a link, to a file where the output of a shell goes to one.
    """
    is_open_file = path.is_symlink() and path.parts[1:2] in (("dev",), ("proc",))
    return is_open_file or (path.exists() and not path.is_file() and not path.is_dir())


def _poured(path: Path, pieces: Iterable[str]) -> int:
    size = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for piece in pieces:
            file.write(piece)
            size += len(piece.encode())
    return size


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
