"""Output of the records of an audit, and the journal from which a killed audit can resume.

The records are written as JSON Lines, CSV or Parquet.

**The journal** consists of two files. The results of judged games are written to one file, after a
first line with the options of the audit. The faults of unreadable records are written to the other
file. Each result or fault is a line with a JSON object that contains the number of the record.
While an audit runs, lines are only appended. If it is killed, the last line of each file may be
incomplete, and one file may contain later records than the other. All records before the first
number that is in neither file are done. Later records are removed from the files and judged again.

A `ChunkResult` holds the lines for both files and the summary of consecutive records.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NamedTuple, Self

from mmsat._util.files import add_path_to_errors, atomic_write
from mmsat._util.text import join_words
from mmsat.auditing.judge import COLUMNS
from mmsat.auditing.summary import Summary
from mmsat.errors import Description, InputError, requiring_extra

RECORD_ENDINGS = (".jsonl", ".csv", ".parquet")
"""The endings of the names of output files."""
RECORDS_PER_BATCH = 10_000
"""Number of records that are written together, in Parquet as one row group."""
COPY_CHARACTERS = 1 << 16
"""Number of characters that are copied at a time."""
INTEGER_TYPES = {
    "record": "int64",
    **dict.fromkeys(("rows", "row", "changed", "true_row"), "int32"),
}
"""Arrow types of the columns of small integers."""
FLOAT_TYPES = {"skill": "float64", "luck_bits": "float64"}
"""Arrow types of the columns of floats.

All other columns are strings, also those of exact numbers."""


@contextmanager
def open_records(path: str | None) -> Iterator[str]:
    """Yield the name of the output file; for None, of one in a folder that is deleted at the end.

    Raises InputError if the ending is unknown, and MissingError if Parquet is requested without
    pyarrow.
    """
    if path is None:
        with TemporaryDirectory() as folder:
            yield os.path.join(folder, "records.jsonl")
        return
    path = os.fspath(path)
    if not path.endswith(RECORD_ENDINGS):
        expected = f"a file name that ends with {join_words(RECORD_ENDINGS, 'or')}"
        raise InputError.of("the output", expected, path)
    if path.endswith(".parquet"):
        _arrow()
    yield path


def write_records(journal_path: str, path: str) -> None:
    """Write the records of the journal file `journal_path` to `path`, completely or not at all."""
    if path.endswith(".parquet"):
        _write_parquet(journal_path, path)
    else:
        lines = _csv_lines(journal_path) if path.endswith(".csv") else _json_lines(journal_path)
        atomic_write(path, lines)


def _json_lines(journal_path: str) -> Iterator[str]:
    """Yield the text of the journal in pieces, without its first line, which has the options."""
    with open(journal_path, encoding="utf-8") as file:
        file.readline()
        yield from iter(partial(file.read, COPY_CHARACTERS), "")


def _csv_lines(journal_path: str) -> Iterator[str]:
    """Yield the text of a CSV file with the records of a journal, in pieces."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    records = read_records(journal_path)
    while batch := list(islice(records, RECORDS_PER_BATCH)):
        writer.writerows([record.get(name) for name in COLUMNS] for record in batch)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _write_parquet(journal_path: str, path: str) -> None:
    """Write the records of a journal to a Parquet file, completely or not at all."""
    arrow, parquet = _arrow()
    column_types = {**INTEGER_TYPES, **FLOAT_TYPES}
    schema = arrow.schema(
        [(name, arrow.type_for_alias(column_types.get(name, "string"))) for name in COLUMNS]
    )
    temporary = f"{path}.parquet-part"
    records = read_records(journal_path)
    try:
        with add_path_to_errors(path), parquet.ParquetWriter(temporary, schema) as writer:
            while record_batch := list(islice(records, RECORDS_PER_BATCH)):
                columns = {name: [record.get(name) for record in record_batch] for name in COLUMNS}
                writer.write_table(arrow.Table.from_pydict(columns, schema=schema))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _arrow() -> tuple[Any, Any]:
    """Import the modules `pyarrow` and `pyarrow.parquet`."""
    with requiring_extra("Parquet needs the extra arrow: pip install 'mmsat[arrow]'"):
        import pyarrow  # noqa: ICN001  (an extra)
        from pyarrow import parquet
    return pyarrow, parquet


class ChunkResult(NamedTuple):
    """The result of judging consecutive records."""

    records: int
    """Number of records."""
    judged: bytes
    """One line of JSON per judged game."""
    rejected: bytes
    """One line of JSON per record that could not be read."""
    summary: Summary

    @classmethod
    def of(cls, records: Sequence[dict[str, Any]]) -> ChunkResult:
        """Convert records given as dictionaries; unreadable records have the key `fault`."""
        judged = [record for record in records if "fault" not in record]
        rejected = (
            [record for record in records if "fault" in record]
            if len(judged) < len(records)
            else []
        )
        summary = Summary()
        summary.add(records)
        return cls(len(records), as_lines(judged), as_lines(rejected), summary)


def as_lines(records: Sequence[dict[str, Any]]) -> bytes:
    """Return the records as JSON Lines.

    They are converted together, which is faster. If a string or a nested object contains "}, {",
    the text between two records, they are converted one by one.
    """
    text = json.dumps(records)[1:-1].replace("}, {", "}\n{")
    if text.count("\n") != max(0, len(records) - 1):
        text = "\n".join(map(json.dumps, records))
    return f"{text}\n".encode() if records else b""


LINES_PER_BATCH = 1000
"""Number of lines that are parsed together, which is faster than parsing them one by one."""


class Journal:
    """The two files of an audit, and the number of records that are done."""

    def __init__(self, path: str, request: dict[str, Any]) -> None:
        """Open or create both files; raise InputError if they belong to another audit."""
        self.path, self.rejected = f"{path}.part", f"{path}.rejected.jsonl"
        first_line = json.dumps({"mmsat-audit": 1, **request})
        if not _has_head(self.path):
            # Empty the other file before the first line is written. If the audit is killed in
            # between, no records of an older audit remain.
            _touch(self.rejected, "wb")
            with add_path_to_errors(self.path), open(self.path, "w", encoding="utf-8") as file:
                file.write(f"{first_line}\n")
        with open(self.path, "rb") as file:
            if file.readline() != f"{first_line}\n".encode():
                description = Description("a file of an audit with other logs or options")
                advice = "repeat that audit or delete the file"
                raise InputError.of(self.path, "a file of this audit", description, advice)
        self.done = self._truncate()
        self.files: dict[str, BinaryIO] = {
            path: open(path, "ab")  # noqa: SIM115  (closed by `__exit__`)
            for path in (self.path, self.rejected)
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close both files.

        After an error, failures to close are ignored, because lost records are judged again. If
        no record was written before the error, both files are removed.
        """
        for path, file in self.files.items():
            with suppress(OSError) if kind else add_path_to_errors(path):
                file.close()
            if kind and not self.done:
                with suppress(OSError):
                    os.unlink(path)

    def _truncate(self) -> int:
        """Remove everything from the first missing record on, and return its number."""
        _touch(self.rejected, "ab")
        paths = self.path, self.rejected
        ends = {self.path: _head_length(self.path), self.rejected: 0}
        streams = [_read_numbers(path) for path in paths]
        # Merge both files by record number, until neither file continues with the next number.
        next_entries = [next(stream, None) for stream in streams]
        next_number = 0
        while True:
            for index, path in enumerate(paths):
                entry = next_entries[index]  # the number of a record, and the end of its line
                if entry is not None and entry[0] == next_number:
                    ends[path] = entry[1]
                    next_entries[index] = next(streams[index], None)
                    next_number += 1
                    break
            else:
                break
        for path, end in ends.items():
            os.truncate(path, end)
        return next_number

    def sum_up(self) -> Summary:
        """Return the summary of all records; raise InputError if a record is not of an audit."""
        summary = Summary()
        try:
            summary.add(read_records(self.path))
            summary.add(read_records(self.rejected))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            expected, description = "the records of an interrupted audit", Description("other data")
            advice = "delete the file to restart the audit"
            raise InputError.of(self.path, expected, description, advice) from None
        return summary

    def add(self, result: ChunkResult) -> None:
        """Append the results of the next records; raise OSError if they cannot be written."""
        for (path, file), lines in zip(
            self.files.items(), (result.judged, result.rejected), strict=True
        ):
            with add_path_to_errors(path):
                file.write(lines)
                file.flush()
        self.done += result.records


def _touch(path: str, mode: str) -> None:
    """Create a file. An existing file is emptied if the mode is "wb", and kept if it is "ab"."""
    with open(path, mode):
        pass


def _has_head(path: str) -> bool:
    """Return whether a file exists and its first line, the head, is complete."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.readline().endswith(b"\n")


def _head_length(path: str) -> int:
    """Return the length of the first line of a file in bytes."""
    with open(path, "rb") as file:
        return len(file.readline())


def _read_numbers(path: str) -> Iterator[tuple[int, int]]:
    """Yield the record number and the end offset of each line, up to the first invalid line."""
    end = 0
    with open(path, "rb") as file:
        for line in file:
            end += len(line)
            if not line.endswith(b"\n"):
                return
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                return
            if not isinstance(record, dict):
                return
            if "record" in record:
                yield record["record"], end


def read_records(path: str) -> Iterator[dict[str, Any]]:
    """Yield the records in one of the files of a journal."""
    with open(path, encoding="utf-8") as file:
        while lines := list(islice(file, LINES_PER_BATCH)):
            yield from (item for item in json.loads(f"[{','.join(lines)}]") if "record" in item)
