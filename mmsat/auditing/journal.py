"""What an audit has told so far, in two files that a kill at any time leaves fit to go on with.

Games that were judged go to one file, those that could not be read to the other, a JSON object a
line, each with the number of its record. Both are only ever appended to. After a kill the last line
of each may be cut, and one file may be ahead of the other: what is done is every record up to the
first that is in neither, and what is beyond is cut off and done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, BinaryIO, Self

from mmsat.auditing.summary import Summary
from mmsat.auditing.told import Told
from mmsat.errors import InputError
from mmsat.files import name_errors

TOGETHER = 1000
"""Lines that are read together, which is quicker."""


class Journal:
    """The two files of an audit, and how many records are done."""

    def __init__(self, path: str, request: dict[str, Any]) -> None:
        """Open what there is, or begin; raises InputError where it is of another audit."""
        self.path, self.rejected = f"{path}.part", f"{path}.rejected.jsonl"
        head = json.dumps({"mmsat-audit": 1, **request})
        if not _has_head(self.path):
            _touch(self.rejected, "wb")  # first, or a kill would leave those of an older audit
            with name_errors(self.path), open(self.path, "w", encoding="utf-8") as file:
                file.write(f"{head}\n")
        with open(self.path, "rb") as file:
            if file.readline() != f"{head}\n".encode():
                rule = "it is from an audit of other logs, or with other options"
                write = "a file of this audit; repeat that audit, or delete the file"
                raise InputError.of(self.path, write, rule=rule)
        self.done = self._mend()
        self.files: dict[str, BinaryIO] = {
            path: open(path, "ab")  # noqa: SIM115
            for path in (self.path, self.rejected)
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close both files; what cannot be written then, after an error, is done again."""
        for path, file in self.files.items():
            with suppress(OSError) if kind else name_errors(path):
                file.close()

    def _mend(self) -> int:
        """Cut off what is beyond the first missing record; returns its number."""
        _touch(self.rejected, "ab")
        paths = self.path, self.rejected
        ends = {self.path: _head_length(self.path), self.rejected: 0}
        streams = [_read_numbers(path) for path in paths]
        nexts = [next(stream, None) for stream in streams]
        done = 0
        while True:
            for index, path in enumerate(paths):
                found = nexts[index]
                if found is not None and found[0] == done:
                    ends[path] = found[1]
                    nexts[index] = next(streams[index], None)
                    done += 1
                    break
            else:
                break
        for path, end in ends.items():
            os.truncate(path, end)
        return done

    def sum_up(self) -> Summary:
        """What was told so far, added up; raises InputError for records that no audit wrote."""
        found = Summary()
        try:
            found.add(read_told(self.path))
            found.add(read_told(self.rejected))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            rule = "an audit goes on with the records that it wrote"
            raise InputError.of("the audit", f"remove {self.path}", self.path, rule) from None
        return found

    def add(self, told: Told) -> None:
        """Append what was told of the next records, in order; raises OSError for a full disk."""
        for (path, file), lines in zip(self.files.items(), (told.good, told.bad), strict=True):
            with name_errors(path):
                file.write(lines)
                file.flush()
        self.done += told.records


def _touch(path: str, mode: str) -> None:
    """Make a file, empty or as it is."""
    with open(path, mode):
        pass


def _has_head(path: str) -> bool:
    """Whether a file has a whole first line."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.readline().endswith(b"\n")


def _head_length(path: str) -> int:
    with open(path, "rb") as file:
        return len(file.readline())


def _read_numbers(path: str) -> Iterator[tuple[int, int]]:
    """The number of each whole line's record, and where the line ends."""
    end = 0
    with open(path, "rb") as file:
        for line in file:
            end += len(line)
            if not line.endswith(b"\n"):
                return
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                return
            if not isinstance(found, dict):
                return
            if "record" in found:
                yield found["record"], end


def read_told(path: str) -> Iterator[dict[str, Any]]:
    """What was told of each game."""
    with open(path, encoding="utf-8") as file:
        while lines := list(islice(file, TOGETHER)):
            yield from (each for each in json.loads(f"[{','.join(lines)}]") if "record" in each)
