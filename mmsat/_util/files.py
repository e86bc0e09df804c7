"""Files: decoding of text, compression, atomic writing, and the folders of the catalogues.

The catalogues `encodings` and `instances` are inside the package in a wheel, and next to the
package in a checkout. `encodings` is also the name of a package of the standard library. Therefore
the catalogues have no Python files at their top level, and this module does not add the root of a
checkout to `sys.path`.
"""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from mmsat.errors import Description, Fault, InputError, InternalError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

StrPath = str | os.PathLike[str]
OPEN_FILES = "/proc/self/fd"
"""The folder in which Linux lists the open files of a process by number."""
CHUNK_BYTES = 1 << 20
"""Number of bytes of a piece, which is read at once."""
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is a prefix of this one
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The byte order marks at the beginning of text files, each with the encoding that it indicates."""
UTF_ENCODINGS = "UTF-8, or UTF-16 or UTF-32 with a byte order mark"
"""The encodings that text files may have, for error messages."""
MAX_REPEATED_NAME_BYTES = 241
"""Maximum number of bytes of a file's name that its temporary names repeat. They have up to 14
bytes more, and file systems allow 255 bytes."""

GZIP_ENDING, XZ_ENDING = COMPRESSED_ENDINGS = (".gz", ".xz")
"""The endings of the names of compressed files."""
GZIP_START, XZ_START = COMPRESSED_STARTS = (b"\x1f\x8b", b"\xfd7zXZ\0")
"""The first bytes of compressed files."""
ZLIB_GZIP_FORMAT = 31
"""The value of `wbits` with which zlib writes the header of gzip, without a time."""


def read_at_most(
    read: Callable[[int], bytes], max_bytes: int, starts: tuple[bytes, ...] = (b"",)
) -> bytes:
    """Return up to `max_bytes` bytes of a file, given its `read` method.

    A file that is compressed by gzip or xz is decompressed; raises ValueError if it is damaged. If
    the content does not begin with one of `starts`, only its first piece is read. With `starts`,
    the content is assumed to be text, and reading stops after the first piece with a zero byte.
    (Holes of sparse files are read as zero bytes.)
    """
    data = _read_pieces(read, max_bytes, starts)
    if not data.startswith(COMPRESSED_STARTS) or len(data) == max_bytes:  # perhaps incomplete
        return data
    return _decompress(data, max_bytes, starts)


def _decompress(data: bytes, max_bytes: int, starts: tuple[bytes, ...]) -> bytes:
    """Return the content of a compressed file; see `read_at_most`."""
    import gzip
    import lzma
    import zlib

    decompressor = gzip.open if data.startswith(GZIP_START) else lzma.open
    try:
        with decompressor(io.BytesIO(data)) as file:
            return _read_pieces(file.read, max_bytes, starts)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise ValueError("the compressed data are damaged") from None


def _read_pieces(read: Callable[[int], bytes], max_bytes: int, starts: tuple[bytes, ...]) -> bytes:
    """Return up to `max_bytes` bytes; see `read_at_most`.

    It reads in pieces, because `read(max_bytes)` would allocate all of these bytes at once.
    """
    pieces: list[bytes] = []
    for size in (*[CHUNK_BYTES] * (max_bytes // CHUNK_BYTES), max_bytes % CHUNK_BYTES):
        pieces.append(read(size))
        if len(pieces[-1]) < size:  # end of file, which a terminal reports only once
            break
        is_compressed = pieces[0].startswith(COMPRESSED_STARTS)
        if not is_compressed and (
            not pieces[0].startswith(starts) or (any(starts) and b"\0" in pieces[-1])
        ):
            break
    return b"".join(pieces)


def find_encoding(start: bytes, source: str) -> str:
    """Return the encoding of a text file, given its first bytes; `source` is its name.

    UTF-16 and UTF-32 are recognized by a byte order mark, which UTF-8 may have. Raises InputError
    if there is no mark, but a zero byte among the first four.
    """
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    if b"\0" in start[:4]:
        raise InputError(
            [Fault("", Description("zero bytes"), f"text in {UTF_ENCODINGS}", 1, 1)], source
        )
    return "utf-8"


def decode(data: bytes, source: str) -> str:
    r"""Return the text of a file with all line ends as "\n"; `source` is the name of the file.

    All input is decoded here. It can be UTF-8 with or without a byte order mark, or UTF-16 or
    UTF-32 with one, and have the line ends of any system. Raises InputError for other bytes.
    """
    encoding = find_encoding(data[:4], source)
    try:
        return unify_line_ends(data.decode(encoding))
    except UnicodeDecodeError as error:
        before = unify_line_ends(error.object[: error.start].decode(error.encoding))
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        wrong_bytes = error.object[error.start : error.end]
        is_marked = encoding != "utf-8"
        expected = encoding.removesuffix("-sig").upper() if is_marked else UTF_ENCODINGS
        raise InputError(
            [Fault("", wrong_bytes, f"text in {expected}", line, column)], source
        ) from None


def unify_line_ends(text: str) -> str:
    r"""Return text with all line ends as "\n"."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def atomic_write(path: StrPath, pieces: Iterable[str | bytes]) -> int:
    """Write a file completely or not at all, and return its size in bytes.

    The file is written in the same folder, and gets its name when it is complete. Until then, it
    has no name if the system supports that, else a temporary name. A file without a name disappears
    if the process is killed; see `_link_or_replace` for the exception. A symbolic link is kept, and
    its target is written. Devices and pipes are not replaced: the pieces are written to them one by
    one.

    If the name ends in ".gz" or ".xz", the content is compressed. The same content gives the same
    bytes.
    """
    pieces = _compress(pieces, os.path.splitext(path)[1].lower())
    if _is_stream(path):
        return _write_stream(path, pieces)
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    hidden_path = os.path.join(folder, _hidden_name(name))
    temporary_path = f"{hidden_path}.{os.urandom(6).hex()}"
    try:
        descriptor = _open_unnamed(folder)
        with open(temporary_path, "xb") if descriptor is None else open(descriptor, "wb") as file:
            file.writelines(map(_encode, pieces))
            size = file.tell()
            if descriptor is not None:
                file.flush()
                with add_path_to_errors(path):
                    _link_or_replace(descriptor, path, f"{hidden_path}.part")
        if descriptor is None:
            os.replace(temporary_path, path)
    except OSError as error:  # report the name passed by the caller, not the temporary one
        with suppress(OSError):
            os.unlink(temporary_path)
        if error.filename in (temporary_path, None):
            raise OSError(error.errno, error.strerror, path) from None
        raise
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary_path)
        raise
    return size


def _hidden_name(name: str) -> str:
    """Return the beginning of a file's temporary names: a dot, then its name or a hash of it."""
    if len(os.fsencode(name)) <= MAX_REPEATED_NAME_BYTES:
        return f".{name}"
    from hashlib import sha256  # here, because names are rarely this long

    return f".{sha256(os.fsencode(name)).hexdigest()}"


def _compress(pieces: Iterable[str | bytes], ending: str) -> Iterable[str | bytes]:
    """Return the pieces, compressed if the ending of the file's name is .gz or .xz."""
    if ending not in COMPRESSED_ENDINGS:
        return pieces
    import lzma
    import zlib

    compressor: Any = (
        zlib.compressobj(wbits=ZLIB_GZIP_FORMAT) if ending == GZIP_ENDING else lzma.LZMACompressor()
    )

    def compressed_pieces() -> Iterator[bytes]:
        yield from map(compressor.compress, map(_encode, pieces))
        yield compressor.flush()

    return compressed_pieces()


def uncompressed_name(path: str) -> str:
    """Return the name of a file without the ending .gz or .xz, if it has one."""
    name, ending = os.path.splitext(path)
    return name if ending.lower() in COMPRESSED_ENDINGS else path


def _open_unnamed(folder: str) -> int | None:
    """Open a file without a name in a folder; return its descriptor, or None if that fails.

    If the file has not been linked to a name when it is closed, the system deletes it.
    """
    if os.path.exists(OPEN_FILES):
        with suppress(OSError):  # not all file systems support this
            return os.open(folder, os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, 0o666)
    return None


def _link_or_replace(descriptor: int, path: str, temporary_path: str) -> None:
    """Link an unnamed file to `path`, and replace the file that exists there, if any.

    A link cannot replace a file. So the new file is first linked to `temporary_path`, and then
    renamed to `path`. A process that is killed between these steps leaves the complete file at
    `temporary_path`, which the next process that writes the file deletes.
    """
    with suppress(FileExistsError):
        _link(descriptor, path)
        return
    while True:
        with suppress(FileExistsError):
            _link(descriptor, temporary_path)
            break
        with suppress(FileNotFoundError):
            os.unlink(temporary_path)
    with suppress(FileNotFoundError):  # another process deleted it, and writes its own file
        os.replace(temporary_path, path)


def _link(descriptor: int, path: str) -> None:
    """Link an open file to a path.

    The entry in OPEN_FILES is a symbolic link, which has to be followed. Python follows it only if
    `dst_dir_fd` is passed, because it then calls `linkat` instead of `link`.
    """
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.link(f"{OPEN_FILES}/{descriptor}", path, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


@contextmanager
def add_path_to_errors(path: StrPath) -> Iterator[None]:
    """Raise each OSError again with the file name `path`, as errors of open files have no name."""
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


def catalogue_folder(name: str) -> Traversable:
    """Return the folder of a catalogue, "encodings" or "instances"."""
    from importlib.resources import files
    from pathlib import Path

    folder_in_wheel = files("mmsat") / "data" / name
    if folder_in_wheel.is_dir():
        return folder_in_wheel
    folder_in_checkout = Path(__file__).resolve().parents[2] / name
    if folder_in_checkout.is_dir():
        return folder_in_checkout
    raise InternalError(f"the catalogue {name!r} is missing from this installation of mmsat")


def is_folder(path: str) -> bool:
    """Return whether an output path is an existing folder, or means a new folder.

    A path that does not exist means a folder if it ends in a slash or has no extension. `-`, the
    standard output, is not a folder.
    """
    if os.path.exists(path) or path == "-":
        return os.path.isdir(path)
    return path.endswith("/") or not os.path.splitext(path)[1]
