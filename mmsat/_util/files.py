"""Files: decoding of text, atomic writing, and the folders of the catalogues.

The catalogues `encodings` and `instances` are inside the package in a wheel, and next to the
package in a checkout. `encodings` is also the name of a package of the standard library. Therefore
the catalogues have no Python files at their top level, and this module does not add the root of a
checkout to `sys.path`.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mmsat.errors import Description, Fault, InputError, InternalError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

StrPath = str | os.PathLike[str]
OPEN_FILES = "/proc/self/fd"
"""The folder in which Linux lists the open files of a process by number."""
CHUNK_BYTES = 1 << 20
"""Number of bytes read at once."""
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is a prefix of this one
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
OR_MARKED_UTF = "or UTF-16 or UTF-32 with a byte order mark"


def read_at_most(
    read: Callable[[int], bytes], max_bytes: int, starts: tuple[bytes, ...] = (b"",)
) -> bytes:
    """Return up to `max_bytes` bytes of a file, given its `read` method.

    It reads in pieces, because `read(max_bytes)` would allocate all of these bytes at once. If the
    file does not begin with one of `starts`, only the first piece is read.
    """
    pieces = []
    for size in (*[CHUNK_BYTES] * (max_bytes // CHUNK_BYTES), max_bytes % CHUNK_BYTES):
        pieces.append(read(size))
        if len(pieces[-1]) < size:  # end of file, which a terminal reports only once
            break
        if not pieces[0].startswith(starts):
            break
    return b"".join(pieces)


def find_encoding(start: bytes, source: str) -> str:
    """Return the encoding of a text file, given its first bytes; `source` is its name.

    UTF-8 needs no byte order mark; UTF-16 and UTF-32 need one. Raises InputError if there
    is no mark, and a zero byte among the first four.
    """
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    if b"\0" in start[:4]:
        raise InputError(
            [Fault("", Description("zero bytes"), f"text in UTF-8, {OR_MARKED_UTF}", 1, 1)], source
        )
    return "utf-8"


def decode(data: bytes, source: str) -> str:
    r"""Return the text of a file with all line ends as "\n"; `source` is the name of the file.

    All input is decoded here. It can be UTF-8 with or without a byte order mark, or UTF-16 or
    UTF-32 with one, and have the line ends of any system. Raises InputError for other bytes.
    """
    encoding = find_encoding(data[:4], source)
    try:
        return _unify_line_ends(data.decode(encoding))
    except UnicodeDecodeError as error:
        before = _unify_line_ends(error.object[: error.start].decode(error.encoding))
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        wrong_bytes = error.object[error.start : error.end]
        kinds = (
            f"UTF-8, {OR_MARKED_UTF}"
            if encoding == "utf-8"
            else encoding.removesuffix("-sig").upper()
        )
        raise InputError(
            [Fault("", wrong_bytes, f"text in {kinds}", line, column)], source
        ) from None


def _unify_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def atomic_write(path: StrPath, pieces: Iterable[str | bytes]) -> int:
    """Write a file completely or not at all, and return its size in bytes.

    The file is written in the same folder and gets its name when it is complete. Until then it has
    no name if the system supports that, else a temporary one. So a process that is killed leaves
    nothing behind on such systems, except while it replaces an older file; see _link_or_replace. A
    symbolic link is kept, and its target is written. Devices and pipes are not replaced: the pieces
    are written to them one by one.
    """
    if _is_stream(path):
        return _write_stream(path, pieces)
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    part = os.path.join(folder, f".{name[:100]}.{os.urandom(6).hex()}")
    try:
        unnamed = _open_unnamed(folder)
        with open(part, "xb") if unnamed is None else open(unnamed, "wb") as file:
            file.writelines(map(_encode, pieces))
            size = file.tell()
            if unnamed is not None:
                file.flush()
                with add_path_to_errors(path):
                    _link_or_replace(unnamed, path, os.path.join(folder, f".{name[:100]}.part"))
        if unnamed is None:
            os.replace(part, path)
    except OSError as error:  # report the name passed by the caller, not the temporary one
        with suppress(OSError):
            os.unlink(part)
        if error.filename in (part, None):
            raise OSError(error.errno, error.strerror, path) from None
        raise
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(part)
        raise
    return size


def _open_unnamed(folder: str) -> int | None:
    """Open a file without a name in a folder; return its descriptor, or None if that fails.

    The system deletes such a file if it has no name when it is closed.
    """
    if os.path.exists(OPEN_FILES):
        with suppress(OSError):  # not all file systems support this
            return os.open(folder, os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, 0o666)
    return None


def _link_or_replace(file: int, path: str, part: str) -> None:
    """Link an unnamed file to `path`, and replace the file that exists there, if any.

    A link cannot replace a file. So the new file first gets the name `part`, and is then renamed to
    `path`. A process that is killed between these steps leaves the complete file at `part`, which
    the next process that writes the file deletes.
    """
    with suppress(FileExistsError):
        _link(file, path)
        return
    while True:
        with suppress(FileExistsError):
            _link(file, part)
            break
        with suppress(FileNotFoundError):
            os.unlink(part)
    with suppress(FileNotFoundError):  # another process deleted it, and writes its own file
        os.replace(part, path)


def _link(file: int, path: str) -> None:
    """Link an open file to a path.

    The entry in OPEN_FILES is a symbolic link, which has to be followed. Python follows it only if
    `dst_dir_fd` is passed, because it then calls `linkat` instead of `link`.
    """
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.link(f"{OPEN_FILES}/{file}", path, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


@contextmanager
def add_path_to_errors(path: StrPath) -> Iterator[None]:
    """Raise each OSError again with the file name `path`, which errors of open files lack."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _is_stream(path: StrPath) -> bool:
    """Return whether a path is a device, a pipe, or a link to an open file of a process.

    /dev/stdout is such a link. If the shell redirects the output to a file, it leads to that file.
    """
    is_open_file = os.path.islink(path) and os.fspath(path).startswith(("/dev/", "/proc/"))
    is_plain = os.path.isfile(path) or os.path.isdir(path)
    return is_open_file or (os.path.exists(path) and not is_plain)


def _write_stream(path: StrPath, pieces: Iterable[str | bytes]) -> int:
    with open(path, "wb") as file:
        return sum(map(file.write, map(_encode, pieces)))


def _encode(piece: str | bytes) -> bytes:
    return piece if isinstance(piece, bytes) else piece.encode()


def folder(name: str) -> Traversable:
    """Return the folder of a catalogue, "encodings" or "instances"."""
    from importlib.resources import files
    from pathlib import Path

    inside = files("mmsat") / "data" / name
    if inside.is_dir():
        return inside
    beside = Path(__file__).resolve().parents[2] / name
    if beside.is_dir():
        return beside
    raise InternalError(f"the catalogue {name!r} is missing from this installation of mmsat")
