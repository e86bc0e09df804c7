"""Files: their bytes read as text, and text written whole or not at all."""

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from mmsat.errors import Fault, InputError

StrPath = str | os.PathLike[str]
OPEN_FILES = "/proc/self/fd"
"""Where Linux has the open files of a process, by number."""
PIECE = 1 << 20
"""Bytes that are read at once."""
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # begins with the mark of UTF-16
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
MARKED = "or UTF-16 with a byte order mark"


def read_at_most(read: Callable[[int], bytes], most: int) -> bytes:
    """Up to so many bytes that a file reads; memory is asked for as they come, not all at once."""
    pieces = []
    for size in (*[PIECE] * (most // PIECE), most % PIECE):
        pieces.append(read(size))
        if len(pieces[-1]) < size:  # the end, which a terminal tells once
            break
    return b"".join(pieces)


def find_encoding(start: bytes, source: str) -> str:
    """Return the encoding of a text file, given its first bytes; `source` is its name.

    UTF-8 needs no byte order mark, UTF-16 and UTF-32 do. Raises InputError for text that has zero
    bytes at its start and no mark.
    """
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    if b"\0" in start[:4]:
        raise InputError([Fault("", "zero bytes", f"text in UTF-8, {MARKED}", 1, 1)], source)
    return "utf-8"


def decode(data: bytes, source: str) -> str:
    """Return the text of a file, whose lines end with a line feed; `source` is the file's name.

    All kinds of input are decoded here: UTF-8 with or without a byte order mark, UTF-16 and UTF-32
    with one, and line ends of any system. Raises InputError for other bytes.
    """
    encoding = find_encoding(data[:4], source)
    try:
        return _unify_line_ends(data.decode(encoding))
    except UnicodeDecodeError as error:
        before = _unify_line_ends(error.object[: error.start].decode(error.encoding))
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        found = error.object[error.start : error.end]
        kinds = f"UTF-8, {MARKED}" if encoding == "utf-8" else encoding.removesuffix("-sig").upper()
        raise InputError([Fault("", found, f"text in {kinds}", line, column)], source) from None


def _unify_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def atomic_write(path: StrPath, pieces: Iterable[str | bytes]) -> int:
    """Write a file whole or not at all, and return its size in bytes.

    It is written beside its place, without a name where the system can do so, else under another
    one, and gets its name once it is complete. So a process that is killed leaves nothing behind,
    unless it was just taking the place of an older file; see _take_place. A link stays a link to
    the file that is written. A device or a pipe is no file and stays what it is: it gets the pieces
    one by one.
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
                with name_errors(path):
                    _take_place(unnamed, path, os.path.join(folder, f".{name[:100]}.part"))
        if unnamed is None:
            os.replace(part, path)
    except OSError as error:  # the name that the caller knows
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
    """A file of a folder that has no name, and goes with who has it open; None where that fails."""
    if os.path.exists(OPEN_FILES):
        with suppress(OSError):  # not all file systems can
            return os.open(folder, os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, 0o666)
    return None


def _take_place(file: int, path: str, part: str) -> None:
    """Give a file its name, even if another has it.

    That takes two steps where there is another, by a second name. A process that is killed between
    them leaves the whole file under it, and the next to write the file takes that away.
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
    with suppress(FileNotFoundError):  # another process took it away, and writes its own
        os.replace(part, path)


def _link(file: int, path: str) -> None:
    """Give a file a name; to follow the link to it, Python wants a folder to be told."""
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.link(f"{OPEN_FILES}/{file}", path, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


@contextmanager
def name_errors(path: StrPath) -> Iterator[None]:
    """Give an error of a file that is open the file's name, which the system does not tell."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _is_stream(path: StrPath) -> bool:
    """Whether a path leads to what has no other name: a device, a pipe, or an open file.

    /dev/stdout is a link, to a file where the output of a shell goes to one.
    """
    is_open_file = os.path.islink(path) and os.fspath(path).startswith(("/dev/", "/proc/"))
    is_plain = os.path.isfile(path) or os.path.isdir(path)
    return is_open_file or (os.path.exists(path) and not is_plain)


def _write_stream(path: StrPath, pieces: Iterable[str | bytes]) -> int:
    with open(path, "wb") as file:
        return sum(map(file.write, map(_encode, pieces)))


def _encode(piece: str | bytes) -> bytes:
    return piece if isinstance(piece, bytes) else piece.encode()
