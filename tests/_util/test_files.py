"""Files are written completely or not at all; targets that are not files stay unchanged."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import resource
import signal
import threading
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

import pytest

from mmsat._util import files
from mmsat._util.files import CHUNK_BYTES, atomic_write, decode, read_at_most
from mmsat.errors import InputError
from mmsat.render import pyplot, save_figure


def broken():
    """Yield the first piece of a text, then raise an exception."""
    yield "half"
    raise RuntimeError


def test_a_file_is_written_completely_or_not_changed(tmp_path):
    path = tmp_path / "board.txt"
    assert atomic_write(path, ["4x6\n", "1122=1.1\n"]) == len(path.read_bytes()) == 13
    with pytest.raises(RuntimeError):
        atomic_write(path, broken())
    assert path.read_text() == "4x6\n1122=1.1\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["board.txt"]


@pytest.mark.parametrize(
    "size", [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES]
)
@pytest.mark.parametrize("max_bytes", [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES + 5])
def test_at_most_the_requested_bytes_are_read(size, max_bytes):
    data = os.urandom(size)
    assert read_at_most(io.BytesIO(data).read, max_bytes) == data[:max_bytes]


def test_only_the_first_piece_of_a_file_of_another_kind_is_read():
    data = b"other" + bytes(3 * CHUNK_BYTES)
    starts = (b"mmsat", b"pseudo")
    assert read_at_most(io.BytesIO(data).read, 1 << 32, starts) == data[:CHUNK_BYTES]
    data = b"pseudo" + b" " * (3 * CHUNK_BYTES)
    assert read_at_most(io.BytesIO(data).read, 1 << 32, starts) == data


def test_reading_a_text_stops_after_a_piece_with_a_zero_byte():
    data = b"mmsat" + b" " * CHUNK_BYTES + bytes(2 * CHUNK_BYTES)
    assert read_at_most(io.BytesIO(data).read, 1 << 32, (b"mmsat",)) == data[: 2 * CHUNK_BYTES]
    assert read_at_most(io.BytesIO(data).read, 1 << 32) == data


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_compressed_file_is_decompressed_once_and_within_the_limit(compress):
    content = b"mmsat" * CHUNK_BYTES
    once = compress(content)  # contains the time in seconds, if the format is gzip
    for max_bytes in (CHUNK_BYTES, 2 * CHUNK_BYTES + 5, len(content), 1 << 32):
        assert read_at_most(io.BytesIO(once).read, max_bytes) == content[:max_bytes]
    assert read_at_most(io.BytesIO(compress(once)).read, 1 << 32) == once
    other = compress(b"other" + bytes(3 * CHUNK_BYTES))
    assert len(read_at_most(io.BytesIO(other).read, 1 << 32, (b"mmsat",))) == CHUNK_BYTES


def test_a_compressed_file_that_is_too_large_is_not_decompressed():
    data = gzip.compress(os.urandom(CHUNK_BYTES))
    assert read_at_most(io.BytesIO(data).read, CHUNK_BYTES) == data[:CHUNK_BYTES]


def test_the_end_of_the_file_is_read_once():
    class Terminal(io.BytesIO):
        def read(self, size=-1):
            assert self.tell() == 0
            return super().read(size)

    assert read_at_most(Terminal(b"4x6\n").read, 1 << 32) == b"4x6\n"


def killed():
    """Yield the first piece of a text, then kill this process."""
    yield "half"
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="every file has a name there")
def test_a_killed_process_leaves_nothing_behind(tmp_path):
    path = tmp_path / "board.txt"
    for names_before in ([], ["board.txt"]):
        process = os.fork()
        if not process:
            atomic_write(path, killed())
        assert os.WTERMSIG(os.waitpid(process, 0)[1]) == signal.SIGKILL
        assert [entry.name for entry in tmp_path.iterdir()] == names_before
        path.write_text("4x6\n")


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="every file has a name there")
def test_a_process_killed_while_it_replaces_a_file_leaves_one_that_the_next_deletes(tmp_path):
    path, part = tmp_path / "board.txt", tmp_path / ".board.txt.part"
    path.write_text("old")
    process = os.fork()
    if not process:
        os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        atomic_write(path, ["new"])
    assert os.WTERMSIG(os.waitpid(process, 0)[1]) == signal.SIGKILL
    assert (path.read_text(), part.read_text()) == ("old", "new")
    atomic_write(path, ["newer"])
    assert path.read_text() == "newer"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("has_unnamed_files", [True, False])
@pytest.mark.parametrize("name", ["b" * 255, "\u3042" * 85])
def test_a_file_can_have_the_longest_name(tmp_path, monkeypatch, name, has_unnamed_files):
    if not has_unnamed_files:
        monkeypatch.setattr(files, "OPEN_FILES", "/nowhere")
    path = tmp_path / name
    for text in ("old", "new"):
        atomic_write(path, [text])
        assert path.read_text() == text
    assert [*tmp_path.iterdir()] == [path]


def test_if_many_processes_write_the_same_file_one_writes_it_completely(tmp_path):
    path = tmp_path / "board.txt"
    texts = [letter * 10_000 for letter in "abcd"]
    processes = []
    for text in texts:
        if not (process := os.fork()):
            for _ in range(200):
                atomic_write(path, [text])
            os._exit(0)
        processes.append(process)
    while processes:
        if os.waitid(os.P_PID, processes[0], os.WEXITED | os.WNOHANG | os.WNOWAIT):
            assert os.waitpid(processes.pop(0), 0)[1] == 0
        assert not path.exists() or path.read_text() in texts
    assert [*tmp_path.iterdir()] == [path]


def test_files_are_written_completely_if_the_system_has_no_unnamed_files(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "OPEN_FILES", "/nowhere")
    test_a_file_is_written_completely_or_not_changed(tmp_path)


def test_a_link_still_points_to_the_written_file(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    for text in ("first", "second"):
        assert atomic_write(link, [text]) == len(text)
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_pipe_is_written_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert atomic_write(pipe, ["1 ≤ 2", "\n"]) == 8
    reader.join()
    assert received == ["1 ≤ 2\n"]
    assert pipe.is_fifo()


def test_an_open_file_is_written_by_the_path_of_its_descriptor(tmp_path):
    path = tmp_path / "out"
    with path.open("w") as file:
        link = tmp_path.joinpath(f"/dev/fd/{file.fileno()}")
        if not link.exists():
            pytest.skip("no /dev/fd here")
        atomic_write(link, ["through the link"])
        assert os.fstat(file.fileno()).st_ino == path.stat().st_ino
    assert path.read_text() == "through the link"


def test_no_figure_is_left_if_the_disk_becomes_full(tmp_path):
    """The limit on the size of files simulates the full disk."""
    plt = pyplot()
    for ending in ("svg", "png", "pdf"):
        path = tmp_path / f"figure.{ending}"
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
        try:
            with pytest.raises(OSError, match=path.name):
                save_figure(plt.figure(), path, "a figure")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert [*tmp_path.iterdir()] == []
    save_figure(plt.figure(), path, "a figure")
    assert path.stat().st_size > 100


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_text_with_any_encoding_and_line_ends_is_decoded(encoding, end):
    text = "4x6\n\nä🟩=1.1\n"
    assert decode(text.replace("\n", end).encode(encoding), "a.txt") == text
    for swapped, mark in (("utf-16-le", BOM_UTF16_LE), ("utf-16-be", BOM_UTF16_BE)):
        assert decode(mark + text.encode(swapped), "a.txt") == text
    assert decode(b"", "a.txt") == ""


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"4x6\r\n\xc3\xa4\xe4", "2, column 2: expected {0}, found b'\\xe4'"),
        (b"4x6\r1122\r \xff", "3, column 2: expected {0}, found b'\\xff'"),
        (b"\xef\xbb\xbf4x6\n\xff", "2, column 1: expected text in UTF-8, found b'\\xff'"),
        ("4x6".encode("utf-16-le"), "1, column 1: expected {0}, found zero bytes"),
        ("4x6".encode("utf-16-be"), "1, column 1: expected {0}, found zero bytes"),
        ("4x6\n1".encode("utf-16")[:-1], "2, column 1: expected text in UTF-16, found b'1'"),
    ],
)
def test_only_the_first_character_that_cannot_be_decoded_is_reported(data, fault):
    with pytest.raises(InputError) as caught:
        decode(data, "a.txt")
    text = fault.format("text in UTF-8, or UTF-16 or UTF-32 with a byte order mark")
    assert str(caught.value) == f"a.txt, line {text}"
