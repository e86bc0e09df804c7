"""Output of the records of an audit as JSON Lines, CSV or Parquet."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from mmsat._util.files import add_path_to_errors, atomic_write
from mmsat._util.text import join_words
from mmsat.auditing.journal import read_records
from mmsat.auditing.judge import COLUMNS
from mmsat.errors import InputError, requiring_extra

ENDINGS = (".jsonl", ".csv", ".parquet")
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


def check_output(path: str) -> None:
    """Check the ending of the name of an output file.

    Raise InputError if it is unknown, and MissingError if it needs pyarrow, which is missing.
    """
    if not path.endswith(ENDINGS):
        expected = f"a file name that ends with {join_words(ENDINGS, 'or')}"
        raise InputError.of("the output", expected, path)
    if path.endswith(".parquet"):
        _arrow()


def write_records(journal_path: str, path: str) -> None:
    """Write the records of the journal file `journal_path` to `path`, completely or not at all."""
    if path.endswith(".parquet"):
        _write_parquet(journal_path, path)
    else:
        lines = _csv_lines(journal_path) if path.endswith(".csv") else _json_lines(journal_path)
        atomic_write(path, lines)


def _json_lines(journal_path: str) -> Iterator[str]:
    with open(journal_path, encoding="utf-8") as file:
        file.readline()
        yield from iter(partial(file.read, COPY_CHARACTERS), "")


def _csv_lines(journal_path: str) -> Iterator[str]:
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
    with requiring_extra("Parquet needs the extra arrow: pip install 'mmsat[arrow]'"):
        import pyarrow  # noqa: ICN001  (an extra)
        from pyarrow import parquet
    return pyarrow, parquet
