"""Mutated samples and random bytes for the readers, and limits on time and memory."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

import mmsat

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from tests.support.readers import Reader

SECONDS, KILOBYTES = 3.0, 300 << 10
"""Limits per input, in processor seconds and in memory."""
RESET = Path("/proc/self/clear_refs")
"""Resets the peak memory on Linux. On other systems, only growth is measured."""
PIECES = tuple(
    piece.encode()
    for piece in (
        *"0/=.?x,\n\"'{}#\x00\ufeff\u00b2\u0664",
        *("", "-1", "9" * 30, "1e999999999", "1" * 5000, "\r\n", "[" * 3000, " " * 300),
        *("null", "true", "NaN", "[]", "{}", "1/0", "\\ud800"),
    )
)
"""Text that is often read wrongly, to insert in samples."""
COUNTS, LENGTHS = (1, 1, 2, 3, 6), (0, 0, 1, 1, 2, 5, 40)
"""The numbers of changes of a sample, and the numbers of bytes that a change removes. One of each
is drawn at random."""


class Edit(NamedTuple):
    """An edit of a text: replace `length` bytes at a position."""

    place: int
    length: int
    piece: bytes


class ResourceError(Exception):
    """An input of a few hundred bytes needed too much time or memory."""


def mutate(sample: bytes, edits: list[Edit]) -> bytes:
    """Return a sample with some changes."""
    for place, length, piece in edits:
        start = place % (len(sample) + 1)
        sample = sample[:start] + piece + sample[start + length :]
    return sample


def draw(samples: Sequence[bytes], rng: random.Random) -> bytes:
    """Random bytes now and then; else a sample with a few changes, or two spliced."""
    unit = rng.random
    if unit() < 0.05:
        return rng.randbytes(int(200 * unit()))
    data, other = (samples[int(len(samples) * unit())] for _ in range(2))
    for _ in range(COUNTS[int(len(COUNTS) * unit())]):
        kind = unit()
        if kind < 0.4:
            piece = PIECES[int(len(PIECES) * unit())]
        elif kind < 0.6:
            start = int(len(other) * unit())
            piece = other[start : start + int(40 * unit())]
        else:
            piece = bytes((int(256 * unit()) if kind < 0.8 else 32 + int(95 * unit()),))
        start = int((len(data) + 1) * unit())
        data = data[:start] + piece + data[start + LENGTHS[int(len(LENGTHS) * unit())] :]
    return data


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Limit the processor time of a block, or raise ResourceError; in the main thread only."""

    def end(*_: object) -> None:
        raise ResourceError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def answer(reader: Reader, data: bytes) -> None:
    """Read the data and print a clear error; any other exception propagates."""
    try:
        reader.read(data)
    except mmsat.MmsatError as error:
        str(error).encode()


def attempt(reader: Reader, *inputs: bytes) -> None:
    """Read inputs; raise ResourceError if they exceed the limits.

    Inputs are measured together, because measuring takes longer than reading. Inputs over the limit
    are read again, because the first input loads libraries and word lists.
    """
    if not _is_within(_measure(reader, inputs)):
        seconds, kilobytes = again = _measure(reader, inputs)
        if not _is_within(again):
            raise ResourceError(f"{seconds:.1f} s, {kilobytes >> 10} MiB")


def _is_within(measured: tuple[float, int]) -> bool:
    seconds, kilobytes = measured
    return seconds <= SECONDS and kilobytes <= KILOBYTES


def _measure(reader: Reader, inputs: Sequence[bytes]) -> tuple[float, int]:
    """Return the processor time in seconds, and the memory in kilobytes, that inputs need."""
    if RESET.exists():
        RESET.write_text("5")
    start, before = process_time(), getrusage(RUSAGE_SELF).ru_maxrss
    with limit(10 * SECONDS):
        for data in inputs:
            answer(reader, data)
    return process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss - before
